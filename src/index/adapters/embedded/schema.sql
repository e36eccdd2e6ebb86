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

-- Words with their positions, without the text, which the records hold. `words.ts` has folded the text and left only
-- words beyond ASCII, so that the cheapest tokenizer suffices.
CREATE VIRTUAL TABLE document_text USING fts5 (
  title, description, text,
  content = '', contentless_delete = 1,
  tokenize = ascii
);
-- Written after each removal, only to have a small rowid as the last one (see embedded-index.ts).
CREATE TABLE document_rowid (
  id INTEGER PRIMARY KEY
);
-- Larger segments, merged sixteen at a time: a third less time for a document, a tenth of a millisecond more for a query.
-- Far from `crisismerge`, which would merge a whole level at once while everything waits.
INSERT INTO document_text (document_text, rank) VALUES ('automerge', 16);
INSERT INTO document_text (document_text, rank) VALUES ('crisismerge', 32);
INSERT INTO document_text (document_text, rank) VALUES ('hashsize', 8388608);
