// The journal in PostgreSQL (journal.ts has the contract, spec 6.4 the invariants).
//   M2. A claim raises the epoch, in the statement that looks at the epoch it has seen.
//   M13. With a key, each event is stored with a mark, and one whose mark does not fit is not read.
//   M11. Readers follow finished transactions: an event is read once no transaction with a lower number is under way.

import { limits } from "../../base/limits.ts";
import type { Now } from "../../base/now.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { RunEvent } from "../../scheduler/event.ts";
import { actorHere } from "../actor.ts";
import { type Asking, get } from "../ask.ts";
import type { AuditWriter } from "../audit.ts";
import { entryOf } from "../audit-entry.ts";
import type { SqlRow, SqlValue } from "../database.ts";
import { notOwner, runClaimed, runExists, runNotFound, runUnsigned, type StoreError } from "../error.ts";
import type { Finding, IndexChange, IsAlive, Journal, NewRun, Owner, RunRow } from "../journal.ts";
import { checkSeqs, encodeEvent, newRow } from "../row.ts";
import { BY_ID, SqlJournal } from "../sql-journal.ts";
import { checkRecords, FINDINGS_EACH, walk } from "../sqlite-check.ts";
import { ownerOf, readRow } from "../sqlite-row.ts";
import { putState } from "../state.ts";
import { type Append, Appends, appending, type Claim, type Fence, valuesOf } from "./appends.ts";
import type { Archive } from "./archive.ts";
import { type Connection, driven } from "./connection.ts";

/** Positions below it belong to transactions that have ended. */
const HORIZON = "(pg_snapshot_xmin(pg_current_snapshot())::text::bigint << 16)";

/** M13. Made with the cluster's key (engine/cluster/sign.ts). */
export interface EventMarks {
  sign(run: string, seq: number, body: string): string;
  isSigned(mark: string, run: string, seq: number, body: string): boolean;
}

interface JournalOptions {
  /** A condition for every append. */
  fence?: Fence | undefined;
  /** Without them, events are read unchecked, and what is written is not read by those who have the key. */
  marks?: EventMarks | undefined;
  /** Called after each write. */
  tell?: () => void;
  /** M12: has the files of an event before the event is on record. */
  archive?: Archive;
}

export function postgresJournal(
  connection: Connection,
  audit: AuditWriter | undefined,
  options: JournalOptions = {},
): Journal {
  return new PostgresJournal(connection, audit, options);
}

class PostgresJournal extends SqlJournal implements Journal {
  protected override readonly settled = ` AND pos < ${HORIZON}`;
  protected override readonly user = actorHere().user;
  protected override readonly columns = "seq, body, mark";
  private readonly connection: Connection;
  private readonly audit: AuditWriter | undefined;
  private readonly appends: Appends;
  private readonly fence: Fence;
  /** The claims of this journal. The database decides who owns a run. */
  private readonly claims = new Map<string, Claim>();

  private readonly marks: EventMarks | undefined;
  private readonly tell: () => void;
  private readonly archive: Archive | undefined;

  constructor(connection: Connection, audit: AuditWriter | undefined, options: JournalOptions) {
    const { fence = () => undefined, marks, tell = () => {}, archive } = options;
    super(connection.sql());
    this.archive = archive;
    this.connection = connection;
    this.audit = audit;
    this.fence = fence;
    this.appends = new Appends(connection, fence);
    this.marks = marks;
    this.tell = tell;
  }

  /** M13. */
  protected override decode(run: string, row: SqlRow): Result<RunEvent, StoreError> {
    const [seq, body] = [Number(row.seq), String(row.body)];
    if (this.marks?.isSigned(String(row.mark), run, seq, body) === false) return err(runUnsigned(run, seq));
    return super.decode(run, row);
  }

  private encoded(run: string, events: readonly RunEvent[]): Pick<Append, "bodies" | "marks"> {
    const bodies = events.map(encodeEvent);
    return { bodies, marks: bodies.map((body, n) => this.marks?.sign(run, events[n]!.seq, body) ?? "") };
  }

  async createRun(
    run: NewRun,
    first: { owner?: Owner; events?: readonly RunEvent[] } = {},
  ): Promise<Result<RunRow, StoreError>> {
    const { owner, events = [] } = first;
    const row: RunRow = { ...newRow(run), lastSeq: events.length, ...(owner && { owner }) };
    const wrong = checkSeqs(run.id, 0, events);
    if (wrong) return err(wrong);
    const kept = await this.archive?.before(run.id, owner?.token, events, true);
    if (kept?.ok === false) return kept;
    let tries = 0;
    const isForOthers = owner === undefined && row.parent !== undefined && events.length > 0;
    const around = isForOthers ? this.claims.get(row.parent!.run) : undefined;
    if (isForOthers && around === undefined) return err(notOwner(row.parent!.run, undefined));
    const created = await this.sql.transaction(() => this.creating(row, events, ++tries > 1, around));
    if (created.ok && owner) this.claims.set(run.id, { token: owner.token, epoch: 1 });
    if (created.ok) this.tell();
    return created;
  }

  /**
   * M3: a row that an earlier try may have stored is the same run. `around`: the claim of its parent, for a subflow that
   * another machine is to drive. Its next claim waits for the lock, and then sees the subflow.
   */
  private *creating(
    row: RunRow,
    events: readonly RunEvent[],
    mayBeStored: boolean,
    around: Claim | undefined,
  ): Asking<Result<RunRow, StoreError>> {
    if (around !== undefined) {
      const values = [row.parent!.run, around.token, around.epoch];
      const held = yield* get("SELECT 1 FROM runs WHERE id = ? AND owner_token = ? AND epoch = ? FOR SHARE", ...values);
      if (held === undefined) return err(notOwner(row.parent!.run, undefined));
    }
    const inserted = yield* get(INSERT_RUN, ...rowValues(row), text(this.user));
    if (inserted === undefined) {
      const known = yield* get(BY_ID, row.id);
      const isSame = known?.owner_token === (row.owner?.token ?? null) && Number(known.last_seq) === events.length;
      return mayBeStored && isSame ? ok(row) : err(runExists(row.id));
    }
    const seqs = events.map(({ seq }) => seq) as unknown as SqlValue;
    const { bodies, marks } = this.encoded(row.id, events);
    yield* get(INSERT_EVENTS, inserted.key!, ...([seqs, bodies, marks] as unknown as SqlValue[]));
    const written = this.audit && (yield* this.audit.write(row.id, events));
    return written === undefined || written.ok ? ok(row) : written;
  }

  async append(
    run: string,
    events: readonly RunEvent[],
    change: IndexChange = {},
  ): Promise<Result<number, StoreError>> {
    const claim = this.claims.get(run);
    const first = events[0]?.seq;
    const from = first === undefined ? undefined : first - 1;
    if (claim === undefined || (from !== undefined && checkSeqs(run, from, events)) || !Number.isInteger(from ?? 0))
      return this.refused(run, events, claim);
    if (events.length > limits.eventsPerCommitMax) return this.inParts(run, events, change);
    const keeping = this.archive?.before(run, claim.token, events);
    const kept = keeping && (await keeping);
    if (kept?.ok === false) return kept;
    const append: Append = { run, claim, from, ...this.encoded(run, events), change };
    const isPlain = change.state === undefined && !events.some((event) => entryOf(event) !== undefined);
    const stored = await (isPlain ? this.appends.add(append) : this.appendWith(append, events));
    if (stored.ok) this.tell();
    return stored;
  }

  /** More events than one transaction takes. Those before the last part need no change of the index. */
  private async inParts(run: string, events: readonly RunEvent[], change: IndexChange) {
    const most = limits.eventsPerCommitMax;
    for (let at = 0; at + most < events.length; at += most) {
      const stored = await this.append(run, events.slice(at, at + most));
      if (!stored.ok) return stored;
    }
    const rest = events.length % most || most;
    return this.append(run, events.slice(-rest), change);
  }

  /** With what must be stored together with the events: state, and entries of the audit log. */
  private async appendWith(append: Append, events: readonly RunEvent[]): Promise<Result<number, StoreError>> {
    let tries = 0;
    const { run, bodies, change, claim, from = 0 } = append;
    const audit = this.audit;
    const sql = appending(this.fence());
    const stored = await this.connection.tries(async (ask) => {
      tries += 1;
      await ask("BEGIN");
      const [row] = await ask(sql, valuesOf([append]));
      if (row === undefined) {
        await ask("ROLLBACK");
        return ok(undefined);
      }
      const beside = await driven(ask, besides(audit, run, events, change));
      await ask(beside.ok ? "COMMIT" : "ROLLBACK");
      return beside.ok ? ok(Number(row.last_seq)) : beside;
    }, Number.POSITIVE_INFINITY);
    if (!stored.ok || stored.value !== undefined) return stored as Result<number, StoreError>;
    const found = await this.connection.query("SELECT * FROM curlew.runs WHERE id = $1", [run]);
    if (!found.ok) return found;
    const [row] = found.value;
    // M3.
    const isStored =
      tries > 1 && row?.owner_token === claim.token && Number(row.epoch) === claim.epoch && bodies.length > 0;
    if (isStored && Number(row.last_seq) === from + bodies.length) return ok(Number(row.last_seq));
    return this.refused(run, events, claim);
  }

  override async deleteRun(run: string, isAlive: IsAlive): Promise<Result<string[], StoreError>> {
    const removed = await super.deleteRun(run, isAlive);
    if (removed.ok) this.tell();
    return removed;
  }

  private async refused(run: string, events: readonly RunEvent[], claim: Claim | undefined) {
    const found = await this.sql.guard(function* () {
      return ok(yield* get(BY_ID, run));
    });
    if (!found.ok) return found;
    const row = found.value;
    if (row === undefined) return err(runNotFound(run));
    const isOwn = claim !== undefined && row.owner_token === claim.token && Number(row.epoch) === claim.epoch;
    const wrong = isOwn ? checkSeqs(run, Number(row.last_seq), events) : undefined;
    return err(wrong ?? notOwner(run, ownerOf(row)));
  }

  async claim(run: string, owner: Owner, isAlive: IsAlive): Promise<Result<RunRow, StoreError>> {
    const claimed = await this.sql.guard(() => claiming(run, owner, isAlive));
    if (!claimed.ok) return claimed;
    const { row, epoch, before } = claimed.value;
    this.claims.set(run, { token: owner.token, epoch, before });
    return ok(row);
  }

  epoch(run: string): number | undefined {
    return this.claims.get(run)?.epoch;
  }

  async release(run: string): Promise<Result<void, StoreError>> {
    const claim = this.claims.get(run);
    const released = await this.sql.guard(() => releasing(run, claim));
    // It may have been claimed again before this answer came.
    if (released.ok && this.claims.get(run) === claim) this.claims.delete(run);
    this.archive?.forget(run);
    return released;
  }

  lastPosition(): Now<Result<number, StoreError>> {
    return this.sql.guard(function* () {
      return ok(Number((yield* get(`SELECT ${HORIZON} - 1 AS pos`))?.pos));
    });
  }

  /** M11: what this process or another has written, as soon as readers see it. */
  othersChange(): Now<Result<number, StoreError>> {
    const events = `(SELECT coalesce(max(pos), 0) FROM events WHERE pos < ${HORIZON})`;
    const sql = `SELECT ${events} + (SELECT coalesce(max(n), 0) FROM removed_runs) AS change`;
    return this.sql.guard(function* () {
      return ok(Number((yield* get(sql))?.change));
    });
  }

  check(): Now<Result<Finding[], StoreError>> {
    const { marks } = this;
    return this.sql.snapshot(function* () {
      return ok([...(yield* checkRecords()), ...(marks === undefined ? [] : yield* unsigned(marks))]);
    });
  }

  close(): void {
    void this.connection.close();
  }
}

const EVENTS =
  "SELECT pos AS at, seq, body, mark, id FROM events JOIN runs ON run = key WHERE pos > ? ORDER BY pos LIMIT ?";

/** M13. */
function* unsigned({ isSigned }: EventMarks): Asking<Finding[]> {
  const findings: Finding[] = [];
  yield* walk(EVENTS, (row) => {
    const [run, seq] = [String(row.id), Number(row.seq)];
    if (findings.length === FINDINGS_EACH || isSigned(String(row.mark), run, seq, String(row.body))) return;
    findings.push({ code: "run-unsigned", run, message: runUnsigned(run, seq).message });
  });
  return findings;
}

const COLUMNS = [
  ...["id", "name", "file", "started_by", "status", "started_at", "parent", "parent_path", "last_seq", "kind"],
  ...["owner_token", "owner_pid", "owner_start", "owner_boot", "owner_machine", "owner_home", "epoch", "by_user"],
];

const INSERT_RUN = `INSERT INTO runs (${COLUMNS.join(", ")}) VALUES (${COLUMNS.map(() => "?").join(", ")})
  ON CONFLICT (id) DO NOTHING RETURNING key`;

/** Parameters: the run's key, the numbers, the bodies, the marks. */
const INSERT_EVENTS = `INSERT INTO events (pos, run, seq, body, mark)
  SELECT (pg_current_xact_id()::text::bigint << 16) + e.n - 1, ?::bigint, e.seq, e.body, e.mark
  FROM unnest(?::bigint[], ?::text[], ?::text[]) WITH ORDINALITY AS e (seq, body, mark, n)`;

function rowValues(row: RunRow): SqlValue[] {
  return [
    ...[row.id, text(row.name), text(row.file), text(JSON.stringify(row.trigger)), row.status, row.startedAt],
    ...[row.parent?.run ?? null, row.parent === undefined ? null : text(row.parent.path), row.lastSeq, row.kind],
    ...ownerValues(row.owner),
    row.owner === undefined ? 0 : 1,
  ];
}

/** PostgreSQL has no zero character in texts. */
function text(value: string): string {
  return value.replaceAll("\0", "\ufffd");
}

function ownerValues(owner: Owner | undefined): SqlValue[] {
  const { token = null, pid = null, startTime = null, bootId = null, machine = null, home = null } = owner ?? {};
  return [token, pid, startTime, bootId, machine, home];
}

/** J4, and the audit log. In the transaction of the append. */
function* besides(
  audit: AuditWriter | undefined,
  run: string,
  events: readonly RunEvent[],
  change: IndexChange,
): Asking<Result<void, StoreError>> {
  const state = Object.entries(change.state ?? {});
  const file = state.length === 0 ? "" : String((yield* get("SELECT file FROM runs WHERE id = ?", run))?.file);
  for (const [name, value] of state) yield* putState({ file, name, value, at: events.at(-1)!.at, run });
  return audit === undefined ? ok(undefined) : yield* audit.write(run, events);
}

const CLAIM = `UPDATE runs SET epoch = epoch + 1, owner_token = ?, owner_pid = ?, owner_start = ?, owner_boot = ?,
  owner_machine = ?, owner_home = ?
  WHERE id = ? AND epoch = ? AND owner_token IS NOT DISTINCT FROM ? RETURNING epoch`;

/** M2. */
function* claiming(
  run: string,
  owner: Owner,
  isAlive: IsAlive,
): Asking<Result<{ row: RunRow; epoch: number; before?: Owner | undefined }, StoreError>> {
  for (;;) {
    const found: SqlRow | undefined = yield* get(BY_ID, run);
    if (!found) return err(runNotFound(run));
    const row = readRow(found);
    if (!row.ok) return row;
    const other = row.value.owner;
    if (other && other.token !== owner.token && isAlive(other)) return err(runClaimed(run, other));
    const seen = [found.epoch!, found.owner_token!];
    const claimed = yield* get(CLAIM, ...ownerValues(owner), run, ...seen);
    // Otherwise another claim was faster.
    if (claimed === undefined) continue;
    // A decision changes no machine: M7 says when others may take the run of one that is gone.
    const before = owner.machine === undefined && other?.machine !== undefined ? other : undefined;
    return ok({ row: { ...row.value, owner }, epoch: Number(claimed.epoch), before });
  }
}

const RELEASE = `UPDATE runs SET owner_token = ?, owner_pid = ?, owner_start = ?, owner_boot = ?, owner_machine = ?,
  owner_home = ? WHERE id = ? AND owner_token = ? AND epoch = ? RETURNING id`;

function* releasing(run: string, claim: Claim | undefined): Asking<Result<void, StoreError>> {
  const released = claim && (yield* get(RELEASE, ...ownerValues(claim.before), run, claim.token, claim.epoch));
  if (released !== undefined) return ok(undefined);
  const found = yield* get(BY_ID, run);
  if (found === undefined) return err(runNotFound(run));
  // The answer to an earlier try was lost.
  const isReleased = found.owner_token === (claim?.before?.token ?? null) && Number(found.epoch) === claim?.epoch;
  if (isReleased) return ok(undefined);
  return err(notOwner(run, ownerOf(found)));
}
