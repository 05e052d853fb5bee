// The store in PostgreSQL: the same ports as on one machine, for any number of machines (spec 6).
//   P1. Outputs are files of this machine, copied to the archive and from there (archive.ts). Cached values that are not
//       small stay here.
//   P2. Nothing here is loaded unless a database is given.

import path from "node:path";
import { after, type Now } from "../../base/now.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { all, get, type Sql } from "../ask.ts";
import { type AuditKey, openAudit } from "../audit.ts";
import { openBudgets } from "../budgets.ts";
import { openCache } from "../cache.ts";
import type { SqlRow } from "../database.ts";
import { type Deliveries, openDeliveries } from "../deliveries.ts";
import type { StoreError } from "../error.ts";
import type { IsAlive, RunRow } from "../journal.ts";
import type { Counts } from "../maintenance.ts";
import { Outputs } from "../outputs.ts";
import { type Renaming, renamed } from "../renamed.ts";
import { bytesOf, candidates, type Removed, type RetentionRule } from "../retention.ts";
import { type CountQuery, countRuns, type RunCounts } from "../run-query.ts";
import { readRow } from "../sqlite-row.ts";
import { openStartKeys } from "../start-keys.ts";
import { openState } from "../state.ts";
import { makeFolders, type Store } from "../store.ts";
import { openTriggers, type Triggers } from "../triggers.ts";
import { openTrust } from "../trust.ts";
import type { Fence } from "./appends.ts";
import { Archive } from "./archive.ts";
import { byDatabaseTime } from "./budget-time.ts";
import { type Connection, connect } from "./connection.ts";
import { type EventMarks, postgresJournal } from "./journal.ts";
import { atMostEvery, listen, notify } from "./listener.ts";
import { checkVersion } from "./schema.ts";

export type { Ask, Connection } from "./connection.ts";
export { connect, poolFor } from "./connection.ts";
export type { EventMarks } from "./journal.ts";
export { listen } from "./listener.ts";
export { type Moved, type Moving, moveFrom, moveTo } from "./move.ts";
export { setUp } from "./schema.ts";
export { dialedUrl } from "./target.ts";

/** The store of a cluster, with the parts that only a server needs. */
export interface ClusterStore extends Store {
  triggers: Triggers;
  deliveries: Deliveries;
  renamed<T, E>(renaming: Renaming, work: () => Result<T, E>): Now<Result<Result<T, E>, StoreError>>;
  countRuns(query: CountQuery): Now<Result<RunCounts, StoreError>>;
  counts(): Now<Result<Counts, StoreError>>;
  /** The runs that would be removed, earliest end first. */
  leaving(what: RetentionRule): Now<Result<RunRow[], StoreError>>;
  /** The same for removing them. The space in the database is reused by PostgreSQL. */
  removeLeaving(what: RetentionRule, isAlive: IsAlive): Now<Result<Removed, StoreError>>;
  /** Calls `look` soon after any process has written to the journal. Returns a function that ends it. */
  onWritten(look: () => void): () => void;
  /** Copies the output of running commands for those who look from elsewhere. `token`: that of the owner of their runs. */
  showOutputs(token: string): Promise<void>;
  /** For tables of the cluster's own. */
  connection: Connection;
}

/** The channel of NOTIFY. */
const WRITTEN = "curlew_written";
const TELL_EVERY_MS = 20;

export interface ClusterOptions {
  url: string;
  /** The folder of this machine, an absolute path. */
  home: string;
  /** The key of the cluster's audit log. Called when the first entry is written. */
  auditKey: AuditKey;
  /** A condition for every append. */
  fence?: Fence;
  marks?: EventMarks | undefined;
  /** How long a question waits for a database that can't be reached. Appends wait as long as it takes. */
  waitMs?: number;
}

/**
 * Errors: database-url, store-unreachable, store-refused, store-not-set-up, store-newer, and those of the folder.
 * @example const opened = await openPostgresStore({ url, home, auditKey });
 */
export async function openPostgresStore(options: ClusterOptions): Promise<Result<ClusterStore, StoreError>> {
  const { url, home, auditKey, fence, marks, waitMs } = options;
  const runs = path.join(home, "runs");
  const made = makeFolders(home, runs);
  if (!made.ok) return made;
  const connected = connect(url, waitMs);
  if (!connected.ok) return connected;
  const connection = connected.value;
  const version = await checkVersion(connection);
  if (!version.ok) {
    await connection.close();
    return version;
  }
  return ok(storeOn(connection, { home, runs, auditKey, fence, marks }));
}

function storeOn(
  connection: Connection,
  {
    home,
    runs: runsFolder,
    auditKey,
    fence,
    marks,
  }: Pick<ClusterOptions, "home" | "auditKey" | "marks"> & { runs: string; fence: Fence | undefined },
): ClusterStore {
  const port = (name: string): Sql => connection.sql(name);
  const audit = openAudit(port("audit"), auditKey);
  const tell = atMostEvery(TELL_EVERY_MS, () => notify(connection, WRITTEN));
  const outputs = new Outputs(runsFolder);
  const archive = new Archive(connection, outputs);
  const journal = postgresJournal(connection, audit, { fence, marks, tell, archive });
  const reading = connection.sql();

  async function removeRun(run: string, isAlive: IsAlive): Promise<Result<string[], StoreError>> {
    const removed = await journal.deleteRun(run, isAlive);
    if (!removed.ok) return removed;
    for (const id of removed.value) {
      const gone = outputs.remove(id);
      if (!gone.ok) return gone;
    }
    return removed;
  }

  /** Files of runs that were removed here or on another machine. */
  async function sweepRemoved(): Promise<Result<string[], StoreError>> {
    const removed = await reading.guard(function* () {
      return ok(yield* all("SELECT run FROM removed_runs WHERE run NOT IN (SELECT id FROM runs)"));
    });
    if (!removed.ok) return removed;
    const swept = removed.value.map(({ run }) => String(run)).filter((run) => outputs.exists(run));
    for (const run of swept) {
      const gone = outputs.remove(run);
      if (!gone.ok) return gone;
    }
    return ok(swept);
  }

  return {
    ...{ connection, journal, outputs, audit, removeRun, sweepRemoved },
    bring: (run, files, isLive) => archive.bring(run, files, isLive),
    showOutputs: (token) => archive.show(token),
    trust: openTrust(port("trust"), audit),
    budgets: (liveness) => byDatabaseTime(connection, openBudgets(port("budgets"), liveness)),
    cache: openCache(port("cache"), path.join(home, "cache")),
    startKeys: openStartKeys(port("start keys")),
    state: openState(port("state")),
    triggers: openTriggers(port("triggers")),
    deliveries: openDeliveries(port("deliveries")),
    renamed: (renaming, work) => renamed(port("triggers"), renaming, work),
    countRuns: (query) => countRuns(reading, query),
    counts: () => reading.guard(counting),
    leaving: (what) => leaving(reading, what),
    removeLeaving: async (what, isAlive) => {
      const found = await leaving(reading, what);
      if (!found.ok) return found;
      const runs: Removed["runs"] = [];
      let freedBytes = 0;
      for (const { id, name, status, endedAt } of found.value) {
        const bytes = bytesOf(path.join(runsFolder, id));
        const removed = await removeRun(id, isAlive);
        if (!removed.ok && (removed.error.code === "run-claimed" || removed.error.code === "run-not-found")) continue;
        if (!removed.ok) return removed;
        freedBytes += bytes;
        runs.push({ id, name, status, endedAt });
      }
      return ok({ runs, freedBytes });
    },
    onWritten: (look) => listen(connection, WRITTEN, look),
    close: () => connection.close(),
  };
}

function* counting() {
  const row = yield* get("SELECT (SELECT count(*) FROM runs) AS runs, (SELECT count(*) FROM events) AS events");
  return ok({ runs: Number(row?.runs), events: Number(row?.events) });
}

function leaving(sql: Sql, what: RetentionRule): Now<Result<RunRow[], StoreError>> {
  const found = sql.guard(function* () {
    const rows: SqlRow[] = [];
    for (const { id } of yield* candidates(what)) rows.push(...(yield* all("SELECT * FROM runs WHERE id = ?", id!)));
    return ok(rows);
  });
  return after(found, (rows) => {
    if (!rows.ok) return err(rows.error);
    return ok(rows.value.map(readRow).flatMap((row) => (row.ok && row.value.endedAt !== undefined ? [row.value] : [])));
  });
}
