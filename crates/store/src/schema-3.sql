-- The version detects two tabs that save the same paper. A paper in the bin can be
-- restored.
ALTER TABLE papers ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE papers ADD COLUMN thrown INTEGER;  -- when, in seconds since 1970, or null
