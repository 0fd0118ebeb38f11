-- 1 while a table is imported in pieces: until the last piece it is not visible, and if the
-- server ends before that, it is removed at the next start.
ALTER TABLE tables ADD COLUMN arriving INTEGER NOT NULL DEFAULT 0;
