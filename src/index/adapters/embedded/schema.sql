-- What filters and results need. A URL is found by its 53-bit fingerprint and confirmed by its text. Every version of a
-- page has an id of its own, higher than all before it: words of an id that is not here are of what was replaced.
CREATE TABLE document (
  id INTEGER PRIMARY KEY,
  fingerprint INTEGER NOT NULL,
  url TEXT NOT NULL,
  -- Host name with its labels reversed and a dot behind each (`com.example.www.`): a site with its subdomains is a prefix.
  site TEXT NOT NULL,
  lang TEXT NOT NULL,
  date INTEGER NOT NULL,
  title TEXT NOT NULL
);
CREATE INDEX document_by_url ON document (fingerprint);

-- The newest documents as they came, a row for each group of writes (log-blob.ts); `id` is that of the first of them, and
-- the others follow. Gone once they are in a segment.
CREATE TABLE word_log (
  id INTEGER PRIMARY KEY,
  documents INTEGER NOT NULL,
  checksum INTEGER NOT NULL,
  data BLOB NOT NULL
);

-- A segment tells for each of its words where it stands in the documents `first` to `last`. It never changes, but for
-- `removed`, how many of its documents are replaced or removed by now.
CREATE TABLE word_segment (
  id INTEGER PRIMARY KEY,
  -- 'live', 'growing' while others are merged into it, 'dropped' while its parts are cleared away.
  state TEXT NOT NULL,
  level INTEGER NOT NULL,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  documents INTEGER NOT NULL,
  removed INTEGER NOT NULL,
  -- Words of all documents, each as often as it stands there.
  words INTEGER NOT NULL,
  parts INTEGER NOT NULL
);

-- By segment: the ids of its documents less `first`, then how many words each has; four bytes each.
CREATE TABLE word_segment_documents (
  id INTEGER PRIMARY KEY,
  checksum INTEGER NOT NULL,
  data BLOB NOT NULL
);

-- Words in the order of their bytes (segment-part.ts). `id`: segment × 2^24 + part; `word`: the first one.
CREATE TABLE word_part (
  id INTEGER PRIMARY KEY,
  checksum INTEGER NOT NULL,
  word BLOB NOT NULL,
  data BLOB NOT NULL
);
