-- How many of the lines that they may see somebody has seen.
ALTER TABLE members ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;
