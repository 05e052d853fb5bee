// The tables, and the migrations from older versions of the store.
//   S1. A released migration is never edited. A change is a new entry at the end.
//   S2. The version is the position in MIGRATIONS: entry 0 turns an empty file into version 1.

/** "CRLW": distinguishes Curlew's files from those of other programs (PRAGMA application_id). */
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

/** The audit log (audit.ts). `since`: the position of the last event recorded before it existed. */
const version2 = `
  CREATE TABLE audit (
    n INTEGER PRIMARY KEY,
    body TEXT NOT NULL,            -- JSON: the entry, exactly the bytes that are chained
    hash TEXT NOT NULL
  ) STRICT;
  CREATE TRIGGER audit_stays BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
  CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
  CREATE TABLE audit_head (
    since INTEGER NOT NULL,        -- events.pos
    count INTEGER NOT NULL,
    hash TEXT NOT NULL,
    mac TEXT NOT NULL
  ) STRICT;
  INSERT INTO audit_head SELECT coalesce(max(pos), 0), 0, '', '' FROM events;
`;

/** Checksums of records (dropped in version 7), and an index to find claims of ended runs that were never released. */
const version3 = `
  ALTER TABLE events ADD COLUMN sum INTEGER;
  ALTER TABLE runs ADD COLUMN sum INTEGER;   -- of the columns that say what the run is and how it stands
  CREATE TABLE summed (
    events INTEGER NOT NULL,       -- events.pos, the last without a sum
    runs INTEGER NOT NULL          -- runs.key, likewise
  ) STRICT;
  INSERT INTO summed SELECT (SELECT coalesce(max(pos), 0) FROM events), (SELECT coalesce(max(key), 0) FROM runs);
  CREATE INDEX runs_left ON runs (id) WHERE owner_token IS NOT NULL AND ended_at IS NOT NULL;
  CREATE INDEX runs_by_end ON runs (ended_at) WHERE ended_at IS NOT NULL AND parent IS NULL;

  -- Budgets that nodes, runs and processes share (budgets.ts). up_ms: the machine's time since boot, which no clock step changes.
  CREATE TABLE rate_starts (
    n INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    up_ms INTEGER NOT NULL,
    boot TEXT NOT NULL,
    per_ms INTEGER NOT NULL        -- how long it counts
  ) STRICT;
  CREATE INDEX rate_starts_by_key ON rate_starts (key, up_ms, per_ms);
  CREATE TABLE slots (
    run TEXT NOT NULL,
    path TEXT NOT NULL,
    number INTEGER NOT NULL,       -- of the attempt
    key TEXT NOT NULL,
    owner TEXT NOT NULL,           -- JSON
    PRIMARY KEY (run, path)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX slots_by_key ON slots (key);
  CREATE TABLE budget_waits (
    ticket INTEGER PRIMARY KEY AUTOINCREMENT, -- first come, first served
    budget TEXT NOT NULL,          -- rate, concurrency
    key TEXT NOT NULL,
    most INTEGER NOT NULL,
    per_ms INTEGER NOT NULL,       -- of a rate
    run TEXT NOT NULL,
    path TEXT NOT NULL,
    due_ms INTEGER,                -- since when it is its turn, as up_ms
    token TEXT NOT NULL,           -- the owner's
    owner TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX budget_waits_of_node ON budget_waits (run, path);
  CREATE INDEX budget_waits_by_key ON budget_waits (budget, key, ticket);
  CREATE INDEX budget_waits_by_token ON budget_waits (token);

  -- Values that may be used again (cache.ts).
  CREATE TABLE cache (
    digest TEXT PRIMARY KEY,
    key TEXT NOT NULL,             -- as it may be shown
    workflow TEXT NOT NULL,
    node TEXT NOT NULL,
    run TEXT NOT NULL,
    path TEXT NOT NULL,
    stored_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    text TEXT                      -- absent: in the file cache/DIGEST of the home
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX cache_by_age ON cache (stored_ms);

  -- Commands of imported workflows that a person of this home has seen and approved (trust.ts).
  CREATE TABLE trusted (
    hash TEXT PRIMARY KEY,
    file TEXT NOT NULL,            -- the workflow it stood in, for people
    node TEXT NOT NULL,
    by TEXT NOT NULL,
    at TEXT NOT NULL
  ) STRICT;
`;

/** Triggers (triggers.ts) and the inbox of webhook deliveries (deliveries.ts). */
const version4 = `
  CREATE TABLE triggers (
    id TEXT PRIMARY KEY,
    paused INTEGER NOT NULL DEFAULT 0,
    since_ms INTEGER NOT NULL,     -- up to here everything is dealt with; of a schedule a time, of a watch the last look
    seen_ms INTEGER NOT NULL,      -- when a document last said it
    last TEXT                      -- JSON: what came of it last
  ) STRICT, WITHOUT ROWID;

  -- Starts that are decided: each becomes one run, under an id chosen with the decision.
  CREATE TABLE trigger_starts (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT NOT NULL UNIQUE,
    trigger TEXT NOT NULL,
    key TEXT NOT NULL,             -- of a schedule its time: one start a key
    started_by TEXT NOT NULL,      -- JSON: the trigger, as the run has it
    file TEXT NOT NULL,            -- the workflow file
    event TEXT,
    state TEXT NOT NULL            -- due, started, dropped
  ) STRICT;
  CREATE UNIQUE INDEX trigger_starts_once ON trigger_starts (trigger, key);
  CREATE INDEX trigger_starts_due ON trigger_starts (trigger, n) WHERE state = 'due';

  -- What a file watch has seen, so that what changes while no server runs is noticed.
  CREATE TABLE watched (
    trigger TEXT NOT NULL,
    path TEXT NOT NULL,
    mark TEXT NOT NULL,            -- size, time of change, number of the file
    PRIMARY KEY (trigger, path)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE deliveries (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    hook TEXT NOT NULL,
    file TEXT NOT NULL,            -- the workflow file that it starts
    sender_id TEXT,                -- what the sender calls it
    received_at TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    status TEXT NOT NULL,          -- received, started, failed, refused, duplicate
    reason TEXT,
    run TEXT,                      -- chosen when it came
    replay_of TEXT,
    headers TEXT NOT NULL,         -- JSON
    body BLOB                      -- exactly as it came; absent of what was refused or known already, and of what is old
  ) STRICT;
  CREATE UNIQUE INDEX deliveries_once ON deliveries (hook, sender_id)
    WHERE sender_id IS NOT NULL AND replay_of IS NULL AND status NOT IN ('refused', 'duplicate');
  CREATE INDEX deliveries_open ON deliveries (n) WHERE status = 'received';
  CREATE INDEX deliveries_by_hook ON deliveries (hook, n);
  CREATE INDEX deliveries_turned_away ON deliveries (n) WHERE status IN ('refused', 'duplicate');

  -- Starts that were asked for under a key of the caller's (start-keys.ts).
  CREATE TABLE start_keys (
    key TEXT PRIMARY KEY,          -- a digest of it
    request TEXT NOT NULL,         -- a digest of what was asked
    run TEXT NOT NULL,             -- chosen before it began
    at_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX start_keys_by_age ON start_keys (at_ms);
`;

/**
 * The query of a delivery, removed runs, and the triggers of a document when it was last
 * valid, so that its hooks stay known.
 */
const version5 = `
  ALTER TABLE deliveries ADD COLUMN query TEXT;  -- JSON
  CREATE TABLE trigger_documents (
    file TEXT PRIMARY KEY,
    says TEXT NOT NULL,            -- JSON: its triggers
    seen_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Runs that left, the newest limits.removedRunsKept: no event tells of it.
  CREATE TABLE removed_runs (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT NOT NULL
  ) STRICT;
`;

/** Runs whose records are gone but whose files may still exist. */
const version6 = `
  CREATE TABLE leaving_runs (run TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
`;

/** Drops checksums: their columns stay empty. Runs whose removal was interrupted are found through `removed_runs`. */
const version7 = `
  DROP TABLE summed;
  DROP TABLE leaving_runs;
`;

/**
 * The kind of start (scheduler/start-kind.ts) and the duration of a run, so that lists can filter and sort by them. And
 * the state of workflows.
 */
const version8 = `
  ALTER TABLE runs ADD COLUMN kind TEXT NOT NULL DEFAULT 'cli';
  ALTER TABLE runs ADD COLUMN took_ms INTEGER;   -- absent until it ends
  UPDATE runs SET
    kind = CASE WHEN json_valid(started_by) THEN coalesce(json_extract(started_by, '$.kind'), 'cli') ELSE 'cli' END,
    took_ms = max(0, CAST(round((julianday(ended_at) - julianday(started_at)) * 86400000) AS INTEGER));
  UPDATE runs SET kind = CASE json_extract(started_by, '$.by') WHEN 'web' THEN 'manual' ELSE 'retry' END
    WHERE json_valid(started_by) AND (kind = 'api' AND started_by LIKE '%"by":"web"%'
      OR kind IN ('api', 'cli') AND (started_by LIKE '%"by":"retry of %' OR started_by LIKE '%"by":"from %, by %'));
  UPDATE runs SET kind = 'test' WHERE EXISTS (SELECT 1 FROM events WHERE run = runs.key AND seq = 1
    AND CASE WHEN instr(body, '"only":{') > 0 AND json_valid(body) THEN json_type(body, '$.only') = 'object' END);
  CREATE INDEX runs_by_kind ON runs (kind, id);
  CREATE INDEX runs_by_time ON runs (took_ms, id) WHERE took_ms IS NOT NULL AND parent IS NULL;
  CREATE TABLE state (             -- kept between the runs of a workflow (state.ts)
    file TEXT NOT NULL,            -- the workflow file
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    at TEXT NOT NULL,
    run TEXT,                      -- absent: set by hand
    PRIMARY KEY (file, name)
  ) STRICT, WITHOUT ROWID;
`;

export const MIGRATIONS: readonly string[] = [
  ...[version1, version2, version3, version4, version5, version6, version7, version8],
];
