-- Rows in order of arrival. A URL is found by its 53-bit fingerprint and confirmed by its text, so that two URLs may share
-- a fingerprint; it has one row, which one writer looks up before it inserts. A URL that only failed so far has a row
-- without `packed`.
CREATE TABLE IF NOT EXISTS record (
  id INTEGER PRIMARY KEY,
  fingerprint INTEGER NOT NULL,
  url TEXT NOT NULL,
  -- SHA-256 in hexadecimal; `content_key` holds its first 48 bits.
  content_hash TEXT,
  content_key INTEGER,
  -- Where the exchange lies in the archive.
  warc_file INTEGER REFERENCES warc_file (id),
  warc_offset INTEGER,
  -- The record: a text is JSON, a blob is compressed (see packed-record.ts).
  packed
);
CREATE INDEX IF NOT EXISTS record_by_url ON record (fingerprint);
CREATE INDEX IF NOT EXISTS record_by_content ON record (content_key) WHERE content_key IS NOT NULL;
-- Grows at its end as the archive does, so it costs little; only the repair of a torn archive reads it.
CREATE INDEX IF NOT EXISTS record_by_place ON record (warc_file, warc_offset) WHERE warc_file IS NOT NULL;

CREATE TABLE IF NOT EXISTS warc_file (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);

-- Keyed by record and moment: a visit told twice is one visit, and new ones come at or near the end.
CREATE TABLE IF NOT EXISTS visit (
  record INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  status INTEGER,
  duration_ms INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  detail TEXT NOT NULL,
  PRIMARY KEY (record, at)
) WITHOUT ROWID;

-- When records are due to be visited again; those that never are, and all of a crawl that visits once, have no row.
CREATE TABLE IF NOT EXISTS due (
  record INTEGER PRIMARY KEY,
  at INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS due_by_moment ON due (at);
