-- How many of the lines visible to a member the member has seen.
ALTER TABLE members ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;
