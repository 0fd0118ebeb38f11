-- When a table that its gamemaster deleted is erased, in seconds since 1970; null where
-- it stands.
ALTER TABLE tables ADD COLUMN ends INTEGER;

-- What the server keeps of itself: one row.
CREATE TABLE server (
    one     INTEGER PRIMARY KEY CHECK (one = 1),
    whole   INTEGER NOT NULL,         -- 0 in the file alone while the log of changes beside it holds more
    unswept INTEGER NOT NULL,         -- 1 where unused space may hold what was erased
    key     BLOB                      -- by which it knows the cookies that it made
) STRICT;
INSERT INTO server (one, whole, unswept) VALUES (1, 1, 1);

-- Browsers whose cookies are from before the server signed them, until they have another.
CREATE TABLE unsigned (browser BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO unsigned SELECT browser FROM members UNION SELECT browser FROM papers;
