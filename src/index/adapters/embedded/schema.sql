-- What filters and results need. A URL is found by its 53-bit fingerprint and confirmed by its text.
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

-- Words with their positions, without the text, which the records hold. Marks (Mn, Mc) belong to words: without them
-- every word of Hindi or Tamil would fall apart at its vowels. `words.ts` has the same classes.
CREATE VIRTUAL TABLE document_text USING fts5 (
  title, description, text,
  content = '', contentless_delete = 1,
  tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"
);
-- Written after each removal, only to have a small rowid as the last one (see embedded-index.ts).
CREATE TABLE document_rowid (
  id INTEGER PRIMARY KEY
);
-- Larger and fewer segments: a fifth less time for a document, at the same time for a query.
INSERT INTO document_text (document_text, rank) VALUES ('automerge', 8);
INSERT INTO document_text (document_text, rank) VALUES ('hashsize', 8388608);
