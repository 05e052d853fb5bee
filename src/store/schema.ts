// schema: the tables, and how an older store becomes a newer one.
//   S1. A migration, once released, is never edited; a change is a new entry at the end.
//   S2. The position in MIGRATIONS is the version: entry 0 makes version 1 out of an empty file.

/** "CRLW": tells our files from those of other programs (PRAGMA application_id). */
export const APPLICATION_ID = 0x43524c57;

const version1 = `
  CREATE TABLE runs (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    file TEXT NOT NULL,
    started_by TEXT NOT NULL,      -- JSON: the trigger
    status TEXT NOT NULL,
    waiting INTEGER NOT NULL DEFAULT 0,
    started_at TEXT NOT NULL,
    ended_at TEXT,
    parent TEXT,                   -- id of the run whose subflow this is
    parent_path TEXT,
    last_seq INTEGER NOT NULL,
    owner_token TEXT,
    owner_pid INTEGER,
    owner_start TEXT,
    owner_boot TEXT
  ) STRICT;
  CREATE INDEX runs_top ON runs (id) WHERE parent IS NULL;
  CREATE INDEX runs_by_parent ON runs (parent, id) WHERE parent IS NOT NULL;
  CREATE INDEX runs_by_status ON runs (status, id);
  CREATE INDEX runs_by_name ON runs (name, id);
  CREATE INDEX runs_by_file ON runs (file, id);

  -- pos is the place in the history of the whole store, in the order of commits; it is never used twice.
  CREATE TABLE events (
    pos INTEGER PRIMARY KEY AUTOINCREMENT,
    run INTEGER NOT NULL,          -- runs.key
    seq INTEGER NOT NULL,
    body TEXT NOT NULL             -- JSON: the event without run and seq
  ) STRICT;
  CREATE UNIQUE INDEX events_of_run ON events (run, seq);
`;

export const MIGRATIONS: readonly string[] = [version1];
