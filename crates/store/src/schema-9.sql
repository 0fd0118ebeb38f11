-- What was asked for under a command's key, by its SHA-256; null where that was not kept.
ALTER TABLE commands ADD COLUMN asked BLOB;
