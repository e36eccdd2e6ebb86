-- Hosts, with all that must be known of them after a restart. Leases are not stored: after a crash a leased URL is
-- simply queued, and its host is left alone for one gap.
CREATE TABLE IF NOT EXISTS host (
  id            INTEGER PRIMARY KEY,
  key           TEXT NOT NULL UNIQUE,
  pace          TEXT NOT NULL,             -- Pace as JSON
  next_touch_at INTEGER NOT NULL,
  hold          TEXT,                      -- what it waits for beyond its pace
  queued        INTEGER NOT NULL,
  done          INTEGER NOT NULL,
  excluded      INTEGER NOT NULL,
  dead          INTEGER NOT NULL,
  pages         REAL NOT NULL,             -- Novelty
  copies        REAL NOT NULL
);

-- Every admitted URL, in order of arrival: ids rise, so that rows are appended and never cause a random write.
CREATE TABLE IF NOT EXISTS url (
  id            INTEGER PRIMARY KEY,
  host          INTEGER NOT NULL,
  url           TEXT NOT NULL,
  parent        INTEGER,                   -- id of the page that named it first
  depth         INTEGER NOT NULL,
  band          INTEGER NOT NULL,          -- 0 high, 1 medium, 2 low
  redirects     INTEGER NOT NULL,
  discovered_at INTEGER NOT NULL,
  state         INTEGER NOT NULL,          -- 0 queued, 1 done, 2 excluded, 3 dead
  attempts      INTEGER NOT NULL DEFAULT 0,
  due_at        INTEGER,                   -- not before, when queued
  reason        TEXT                       -- why put off, excluded or given up
);
CREATE INDEX IF NOT EXISTS url_dead ON url (id) WHERE state = 3;

-- The exact seen set: fingerprint → id, confirmed by comparing the URL itself. Filled in sorted slices (see seen.ts).
CREATE TABLE IF NOT EXISTS seen (
  fingerprint   INTEGER NOT NULL,
  id            INTEGER NOT NULL,
  PRIMARY KEY (fingerprint, id)
) WITHOUT ROWID;

-- URLs of one shape that a host has, and (host 0) hosts of a domain that has several: see kept-counts.ts.
CREATE TABLE IF NOT EXISTS budget (
  host          INTEGER NOT NULL,
  shape         INTEGER NOT NULL,          -- its fingerprint
  urls          INTEGER NOT NULL,
  PRIMARY KEY (host, shape)
) WITHOUT ROWID;

-- Middles of long queues, moved out of memory (see id-queues.ts).
CREATE TABLE IF NOT EXISTS queue_chunk (
  id            INTEGER PRIMARY KEY,
  ids           BLOB NOT NULL
);

-- URLs that are open, or were given up, because they are to be visited again.
CREATE TABLE IF NOT EXISTS revisit (
  id            INTEGER PRIMARY KEY
);
