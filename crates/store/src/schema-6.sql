-- What was asked for under a table's name, by its SHA-256: another request under the
-- same name is told so. And what only this database knows, from which, with the name,
-- the token follows that is handed over with the table. Names of before know neither.
ALTER TABLE tables ADD COLUMN asked BLOB;
ALTER TABLE tables ADD COLUMN salt BLOB;
UPDATE tables SET named = NULL;
