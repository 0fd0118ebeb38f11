-- What whoever opened a table called that request, by the SHA-256 of it: sent again,
-- it is answered with the same table. Null where they called it nothing.
ALTER TABLE tables ADD COLUMN named BLOB;
CREATE UNIQUE INDEX tables_by_name ON tables (named);
