// schema: the tables in PostgreSQL, and the migrations from older versions.
//   S1. A released migration is never edited. A change is a new entry at the end.
//   S2. Only `db init` changes the schema. A database of another version is refused.
//   S3. Texts compare byte by byte, whatever the locale of the database is.
//   S4. `events.pos` is the transaction's number times 65,536, plus the place in it: readers follow finished
//       transactions (journal.ts M11).

import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { type StoreError, storeMoved, storeNewer, storeNotSetUp, storeRefused } from "../error.ts";
import type { Connection } from "./connection.ts";

const version1 = `
  CREATE TABLE curlew.runs (
    key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    name text COLLATE "C" NOT NULL,
    file text COLLATE "C" NOT NULL,
    started_by text COLLATE "C" NOT NULL,
    status text COLLATE "C" NOT NULL,
    waiting integer NOT NULL DEFAULT 0,
    started_at text COLLATE "C" NOT NULL,
    ended_at text COLLATE "C",
    parent text COLLATE "C",
    parent_path text,
    last_seq bigint NOT NULL,
    kind text COLLATE "C" NOT NULL,
    took_ms bigint,
    epoch bigint NOT NULL DEFAULT 0,       -- raised by each claim
    owner_token text,
    owner_pid bigint,
    owner_start text,
    owner_boot text,
    owner_machine text
  );
  CREATE INDEX runs_top ON curlew.runs (id) WHERE parent IS NULL;
  CREATE INDEX runs_by_parent ON curlew.runs (parent, id) WHERE parent IS NOT NULL;
  CREATE INDEX runs_by_status ON curlew.runs (status, id);
  CREATE INDEX runs_by_name ON curlew.runs (name, id);
  CREATE INDEX runs_by_file ON curlew.runs (file, id);
  CREATE INDEX runs_by_kind ON curlew.runs (kind, id);
  CREATE INDEX runs_by_time ON curlew.runs (took_ms, id) WHERE took_ms IS NOT NULL AND parent IS NULL;
  CREATE INDEX runs_by_end ON curlew.runs (ended_at) WHERE ended_at IS NOT NULL AND parent IS NULL;
  CREATE INDEX runs_left ON curlew.runs (id) WHERE owner_token IS NOT NULL AND ended_at IS NOT NULL;

  CREATE TABLE curlew.events (
    pos bigint PRIMARY KEY,
    run bigint NOT NULL,                   -- runs.key
    seq bigint NOT NULL,
    body text NOT NULL                     -- JSON: the event without run and seq
  );
  CREATE UNIQUE INDEX events_of_run ON curlew.events (run, seq);
  CREATE TABLE curlew.removed_runs (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, run text NOT NULL);

  CREATE TABLE curlew.audit (n bigint PRIMARY KEY, body text NOT NULL, hash text NOT NULL);
  CREATE FUNCTION curlew.audit_stays() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'the audit log is append-only'; END $$;
  CREATE TRIGGER audit_stays BEFORE UPDATE OR DELETE ON curlew.audit
    FOR EACH ROW EXECUTE FUNCTION curlew.audit_stays();
  CREATE TABLE curlew.audit_head (since bigint NOT NULL, count bigint NOT NULL, hash text NOT NULL, mac text NOT NULL);
  INSERT INTO curlew.audit_head VALUES (0, 0, '', '');

  CREATE TABLE curlew.rate_starts (
    n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key text COLLATE "C" NOT NULL,
    at_ms bigint NOT NULL,
    up_ms bigint NOT NULL,
    boot text NOT NULL,
    per_ms bigint NOT NULL
  );
  CREATE INDEX rate_starts_by_key ON curlew.rate_starts (key, up_ms, per_ms);
  CREATE TABLE curlew.slots (
    run text COLLATE "C" NOT NULL,
    path text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    key text COLLATE "C" NOT NULL,
    owner text NOT NULL,
    PRIMARY KEY (run, path)
  );
  CREATE INDEX slots_by_key ON curlew.slots (key);
  CREATE TABLE curlew.budget_waits (
    ticket bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    budget text NOT NULL,
    key text COLLATE "C" NOT NULL,
    most bigint NOT NULL,
    per_ms bigint NOT NULL,
    run text COLLATE "C" NOT NULL,
    path text COLLATE "C" NOT NULL,
    due_ms bigint,
    token text NOT NULL,
    owner text NOT NULL
  );
  CREATE UNIQUE INDEX budget_waits_of_node ON curlew.budget_waits (run, path);
  CREATE INDEX budget_waits_by_key ON curlew.budget_waits (budget, key, ticket);
  CREATE INDEX budget_waits_by_token ON curlew.budget_waits (token);

  CREATE TABLE curlew.cache (
    digest text COLLATE "C" PRIMARY KEY,
    key text NOT NULL,
    workflow text NOT NULL,
    node text NOT NULL,
    run text NOT NULL,
    path text NOT NULL,
    stored_ms bigint NOT NULL,
    expires_ms bigint NOT NULL,
    bytes bigint NOT NULL,
    text text
  );
  CREATE INDEX cache_by_age ON curlew.cache (stored_ms);
  CREATE TABLE curlew.trusted (
    hash text COLLATE "C" PRIMARY KEY,
    file text NOT NULL,
    node text NOT NULL,
    by text NOT NULL,
    at text COLLATE "C" NOT NULL
  );
  CREATE TABLE curlew.state (
    file text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    value text NOT NULL,
    at text NOT NULL,
    run text,
    PRIMARY KEY (file, name)
  );

  CREATE TABLE curlew.triggers (
    id text COLLATE "C" PRIMARY KEY,
    paused integer NOT NULL DEFAULT 0,
    since_ms bigint NOT NULL,
    seen_ms bigint NOT NULL,
    last text
  );
  CREATE TABLE curlew.trigger_starts (
    n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run text COLLATE "C" NOT NULL UNIQUE,
    trigger text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    started_by text NOT NULL,
    file text NOT NULL,
    event text,
    state text NOT NULL
  );
  CREATE UNIQUE INDEX trigger_starts_once ON curlew.trigger_starts (trigger, key);
  CREATE INDEX trigger_starts_due ON curlew.trigger_starts (trigger, n) WHERE state = 'due';
  CREATE TABLE curlew.watched (
    trigger text COLLATE "C" NOT NULL,
    path text COLLATE "C" NOT NULL,
    mark text NOT NULL,
    PRIMARY KEY (trigger, path)
  );
  CREATE TABLE curlew.trigger_documents (file text COLLATE "C" PRIMARY KEY, says text NOT NULL, seen_ms bigint NOT NULL);
  CREATE TABLE curlew.deliveries (
    n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    hook text COLLATE "C" NOT NULL,
    file text NOT NULL,
    sender_id text COLLATE "C",
    received_at text COLLATE "C" NOT NULL,
    bytes bigint NOT NULL,
    status text NOT NULL,
    reason text,
    run text,
    replay_of text,
    headers text NOT NULL,
    query text,
    body bytea
  );
  CREATE UNIQUE INDEX deliveries_once ON curlew.deliveries (hook, sender_id)
    WHERE sender_id IS NOT NULL AND replay_of IS NULL AND status NOT IN ('refused', 'duplicate');
  CREATE INDEX deliveries_open ON curlew.deliveries (n) WHERE status = 'received';
  CREATE INDEX deliveries_by_hook ON curlew.deliveries (hook, n);
  CREATE INDEX deliveries_turned_away ON curlew.deliveries (n) WHERE status IN ('refused', 'duplicate');
  CREATE TABLE curlew.start_keys (
    key text COLLATE "C" PRIMARY KEY,
    request text NOT NULL,
    run text NOT NULL,
    at_ms bigint NOT NULL
  );
  CREATE INDEX start_keys_by_age ON curlew.start_keys (at_ms);

  -- Facts of the whole cluster: by which key it is signed (a digest), where a moved history came from.
  CREATE TABLE curlew.facts (name text COLLATE "C" PRIMARY KEY, value text NOT NULL);
`;

/** Machines, marks of signed runs, and decisions for runs that another machine drives (engine/cluster). */
const version2 = `
  CREATE TABLE curlew.machines (
    name text COLLATE "C" PRIMARY KEY,
    token text NOT NULL,
    pid bigint NOT NULL,
    start text NOT NULL,
    boot text NOT NULL,
    labels text NOT NULL,
    slots integer NOT NULL,
    version text NOT NULL,
    lease_ms bigint NOT NULL,
    beat bigint NOT NULL,
    seen timestamptz NOT NULL,
    state text NOT NULL,
    dead_at timestamptz
  );
  CREATE TABLE curlew.marks (
    run text COLLATE "C" PRIMARY KEY,
    queue text NOT NULL,
    mark text NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  CREATE TABLE curlew.inbox (
    id text PRIMARY KEY,
    run text COLLATE "C" NOT NULL,
    asker text COLLATE "C" NOT NULL,
    body text NOT NULL,
    mark text NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    answer text
  );
  CREATE INDEX inbox_unread ON curlew.inbox (run) WHERE answer IS NULL;
  CREATE INDEX runs_by_owner ON curlew.runs (owner_token) WHERE owner_token IS NOT NULL AND ended_at IS NULL;
`;

/** The user whose process recorded the run. */
const version3 = `
  ALTER TABLE curlew.runs ADD COLUMN by_user text COLLATE "C";
  CREATE INDEX runs_by_user ON curlew.runs (by_user, id) WHERE parent IS NULL;
`;

/** Each event has a mark (journal.ts M13), so the first one needs no table for it. */
const version4 = `
  ALTER TABLE curlew.events ADD COLUMN mark text NOT NULL DEFAULT '';
  DROP TABLE curlew.marks;
`;

/** Outputs and large values, for machines that did not make them (archive.ts). */
const version5 = `
  CREATE TABLE curlew.archive (
    run text COLLATE "C" NOT NULL,
    file text COLLATE "C" NOT NULL,
    size bigint NOT NULL,
    mtime_ms bigint NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (run, file)
  );
  CREATE TABLE curlew.archive_parts (
    run text COLLATE "C" NOT NULL,
    file text COLLATE "C" NOT NULL,
    n integer NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (run, file, n)
  );
  CREATE TABLE curlew.archive_asked (run text COLLATE "C" PRIMARY KEY, until timestamptz NOT NULL);
  CREATE FUNCTION curlew.archive_goes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    DELETE FROM curlew.archive WHERE run = OLD.id;
    DELETE FROM curlew.archive_parts WHERE run = OLD.id;
    DELETE FROM curlew.archive_asked WHERE run = OLD.id;
    RETURN NULL;
  END $$;
  CREATE TRIGGER archive_goes AFTER DELETE ON curlew.runs FOR EACH ROW EXECUTE FUNCTION curlew.archive_goes();
`;

/** The data directory of a claim: a process with the same one on the same computer sees whether its process lives. */
const version6 = `
  ALTER TABLE curlew.runs ADD COLUMN owner_home text;
  ALTER TABLE curlew.machines ADD COLUMN home text NOT NULL DEFAULT '';
`;

const MIGRATIONS: readonly string[] = [version1, version2, version3, version4, version5, version6];

const FACT = "SELECT value FROM curlew.facts WHERE name = 'version'";

/** Creates the schema, or brings it to this version. Several processes may do so at once. Errors: store-*. */
export function setUp(connection: Connection): Promise<Result<{ created: boolean }, StoreError>> {
  return connection.tries(async (ask) => {
    const [server] = await ask("SELECT current_setting('server_version_num')::int / 10000 AS version");
    const old = tooOld(connection.shown, Number(server?.version));
    if (old !== undefined) return err(old);
    await ask("BEGIN; SELECT pg_advisory_xact_lock(1129466967, 0)");
    const there = await ask("SELECT 1 FROM pg_namespace WHERE nspname = 'curlew'");
    const now = there.length === 0 ? 0 : Number((await ask(FACT))[0]?.value ?? 0);
    if (now > MIGRATIONS.length) {
      await ask("ROLLBACK");
      return err(storeNewer(connection.shown, now, MIGRATIONS.length));
    }
    if (there.length === 0) await ask("CREATE SCHEMA curlew");
    for (const step of MIGRATIONS.slice(now)) await ask(step);
    const put =
      "INSERT INTO curlew.facts VALUES ('version', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    await ask(put, [String(MIGRATIONS.length)]);
    await ask("COMMIT");
    return ok({ created: now === 0 });
  });
}

export function tooOld(shown: string, version: number): StoreError | undefined {
  const least = limits.postgresVersionMin;
  if (version >= least) return undefined;
  return storeRefused(shown, `it is PostgreSQL ${version}. Curlew needs version ${least} or newer.`);
}

/** The name of the fact that the history was moved to a data directory. Its value is that directory. */
export const MOVED_AWAY = "moved away";

/** S2. Errors: store-not-set-up, store-newer, store-moved, store-*. */
export async function checkVersion(
  connection: Connection,
  allows?: "moved away too",
): Promise<Result<void, StoreError>> {
  const found = await connection.query("SELECT name, value FROM curlew.facts");
  if (!found.ok) return found;
  const facts = new Map(found.value.map(({ name, value }) => [name, String(value)]));
  const away = facts.get(MOVED_AWAY);
  if (away !== undefined && allows === undefined) return err(storeMoved(connection.shown, away));
  const version = Number(facts.get("version") ?? 0);
  if (version > MIGRATIONS.length) return err(storeNewer(connection.shown, version, MIGRATIONS.length));
  return version === MIGRATIONS.length ? ok(undefined) : err(storeNotSetUp(connection.shown));
}
