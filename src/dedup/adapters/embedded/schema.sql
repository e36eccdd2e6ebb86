-- The first page of each group of near-equal ones, in order of arrival, with the two halves of its SimHash.
CREATE TABLE IF NOT EXISTS near_original (
  id INTEGER PRIMARY KEY,
  url TEXT NOT NULL,
  high INTEGER NOT NULL,
  low INTEGER NOT NULL
);

-- Originals by each of the four 16-bit blocks of their SimHash: block number * 65536 + its value. Two fingerprints that
-- differ in at most 3 bits are equal in at least one block. Members are packed (see bucket.ts): a question reads four rows
-- however many originals there are.
CREATE TABLE IF NOT EXISTS near_bucket (
  block INTEGER PRIMARY KEY,
  members BLOB NOT NULL
);

-- Buckets are written later than originals, a slice of the blocks at a time (see buckets.ts): up to which original the
-- buckets of each slice are complete.
CREATE TABLE IF NOT EXISTS near_slice (
  slice INTEGER PRIMARY KEY,
  complete_to INTEGER NOT NULL
);
