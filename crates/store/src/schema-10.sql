-- Pictures, each by the id that its owner's papers call it.
CREATE TABLE pictures (
    id    TEXT PRIMARY KEY,
    kind  TEXT NOT NULL,           -- png, jpeg
    size  INTEGER NOT NULL,        -- in bytes
    bytes BLOB NOT NULL
) STRICT;

-- Papers and tables that name a picture. Without any, it is removed.
CREATE TABLE pictured (
    picture TEXT NOT NULL REFERENCES pictures (id) ON DELETE CASCADE,
    paper   INTEGER REFERENCES papers (id) ON DELETE CASCADE,
    "table" TEXT REFERENCES tables (id) ON DELETE CASCADE
) STRICT;
CREATE UNIQUE INDEX pictured_by_paper ON pictured (paper, picture) WHERE paper IS NOT NULL;
CREATE UNIQUE INDEX pictured_by_table ON pictured ("table", picture) WHERE "table" IS NOT NULL;
CREATE INDEX pictured_by_picture ON pictured (picture);
CREATE TRIGGER pictures_without_use AFTER DELETE ON pictured
WHEN NOT EXISTS (SELECT 1 FROM pictured WHERE picture = OLD.picture)
BEGIN
    DELETE FROM pictures WHERE id = OLD.picture;
END;
