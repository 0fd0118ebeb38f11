-- The browser or token that made a token, and its role: the token is valid as long as its
-- maker has that role. Null for the token that was handed out at the table's opening.
ALTER TABLE passes ADD COLUMN maker BLOB;
ALTER TABLE passes ADD COLUMN made_as TEXT;
