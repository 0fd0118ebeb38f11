-- By whom a token was made, a browser or another token, and as whom: it counts
-- for no longer than they have that place. Null where whoever opened the table
-- was given it.
ALTER TABLE passes ADD COLUMN maker BLOB;
ALTER TABLE passes ADD COLUMN made_as TEXT;
