-- A table that is being taken in, piece by piece: there is none until the last of them,
-- and where the server ends before, it is forgotten.
ALTER TABLE tables ADD COLUMN arriving INTEGER NOT NULL DEFAULT 0;
