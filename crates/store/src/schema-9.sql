-- The SHA-256 of a command's content; null if none was stored.
ALTER TABLE commands ADD COLUMN asked BLOB;
