-- The SHA-256 of the idempotency key of the request that opened a table: a repeated
-- request gets the same table. Null if the request had no key.
ALTER TABLE tables ADD COLUMN named BLOB;
CREATE UNIQUE INDEX tables_by_name ON tables (named);
