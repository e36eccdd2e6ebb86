-- What the archive's files hold for certain. Rows change in the same transaction as the records that point into the
-- files: bytes beyond `bytes` were never committed and are cut when the archive is opened.
CREATE TABLE IF NOT EXISTS archive_files (
  file         TEXT PRIMARY KEY,     -- below the archive's root, with forward slashes
  bytes        INTEGER NOT NULL,     -- committed length, the end of a member
  index_bytes  INTEGER NOT NULL,     -- committed length of its .cdxj.part
  synced_bytes INTEGER NOT NULL,     -- up to here the disk has confirmed it; beyond, a power cut may have damaged it
  sealed       INTEGER NOT NULL      -- 1: never appended to again
) STRICT, WITHOUT ROWID;

-- Ranges found damaged, kept until whoever opened the archive has had their pages fetched again.
CREATE TABLE IF NOT EXISTS archive_lost (
  file        TEXT NOT NULL,
  from_offset INTEGER NOT NULL,
  to_offset   INTEGER NOT NULL,
  PRIMARY KEY (file, from_offset)
) STRICT, WITHOUT ROWID;
