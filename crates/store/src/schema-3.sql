-- Two tabs that save the same document are told of each other; what is thrown
-- away can be had back.
ALTER TABLE papers ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE papers ADD COLUMN thrown INTEGER;  -- when, in seconds since 1970, or null
