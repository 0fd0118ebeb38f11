-- The SHA-256 of the request that opened a table: another request with the same key is
-- refused. And random bytes, from which the table's first token is derived together with
-- the key. Keys of earlier versions have neither, so they are dropped.
ALTER TABLE tables ADD COLUMN asked BLOB;
ALTER TABLE tables ADD COLUMN salt BLOB;
UPDATE tables SET named = NULL;
