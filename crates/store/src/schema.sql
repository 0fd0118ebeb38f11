-- The tables of this server.
CREATE TABLE tables (
    id       TEXT PRIMARY KEY,
    system   TEXT NOT NULL,
    title    TEXT NOT NULL,
    opened   INTEGER NOT NULL,       -- seconds since 1970
    settings TEXT NOT NULL           -- the server's settings of the table, as JSON
) STRICT;

-- The lines of each table's log. The primary key lets only one of two writers add the
-- same line.
CREATE TABLE lines (
    "table" TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seq     INTEGER NOT NULL,
    line    TEXT NOT NULL,
    PRIMARY KEY ("table", seq)
) STRICT, WITHOUT ROWID;

-- Executed commands, so that a repeated command is not executed again.
CREATE TABLE commands (
    "table" TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    who     TEXT NOT NULL,
    key     TEXT NOT NULL,
    line    INTEGER NOT NULL,        -- the first line it wrote
    PRIMARY KEY ("table", who, key)
) STRICT, WITHOUT ROWID;

-- Links and tokens, each by the SHA-256 of its secret.
CREATE TABLE passes (
    hash    BLOB PRIMARY KEY,
    "table" TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    kind    TEXT NOT NULL,           -- invite, read, play
    role    TEXT NOT NULL,           -- gm, player-1, spectator
    label   TEXT NOT NULL,
    made    INTEGER NOT NULL,
    revoked INTEGER                  -- when, or null
) STRICT, WITHOUT ROWID;
CREATE INDEX passes_by_table ON passes ("table");

-- Members of tables, each by the SHA-256 of the browser's cookie.
CREATE TABLE members (
    browser  BLOB NOT NULL,
    "table"  TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    role     TEXT NOT NULL,
    name     TEXT NOT NULL,
    pass     BLOB,                   -- the link it came by; null for the browser that opened the table
    standing TEXT NOT NULL,          -- waiting, admitted, refused
    since    INTEGER NOT NULL,
    PRIMARY KEY (browser, "table", role)
) STRICT, WITHOUT ROWID;
CREATE INDEX members_by_table ON members ("table");

-- Papers: documents that people wrote or copied in the browser.
CREATE TABLE papers (
    id      INTEGER PRIMARY KEY,
    browser BLOB NOT NULL,
    system  TEXT NOT NULL,
    kind    TEXT NOT NULL,           -- encounter, library
    name    TEXT NOT NULL,
    text    TEXT NOT NULL,           -- TOML
    changed INTEGER NOT NULL
) STRICT;
CREATE INDEX papers_by_browser ON papers (browser);
