-- When a deleted table is erased, in seconds since 1970; null for all other tables.
ALTER TABLE tables ADD COLUMN ends INTEGER;

-- The server's own state, in one row.
CREATE TABLE server (
    one     INTEGER PRIMARY KEY CHECK (one = 1),
    whole   INTEGER NOT NULL,         -- 0 in the file alone while the log of changes beside it holds more
    unswept INTEGER NOT NULL,         -- 1 while unused pages may hold erased rows
    key     BLOB                      -- signs cookies
) STRICT;
INSERT INTO server (one, whole, unswept) VALUES (1, 1, 1);

-- Browsers whose cookies are not signed yet.
CREATE TABLE unsigned (browser BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO unsigned SELECT browser FROM members UNION SELECT browser FROM papers;
