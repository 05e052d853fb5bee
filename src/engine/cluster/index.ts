// cluster: drives runs on one of several machines that share a database (spec 6).
//   M1, M2. The store refuses what another machine's claim has overtaken (store/postgres).
//   M4. No machine adopts another's commands: an attempt whose runner is not of this data directory is lost.
//   M6. After the deadline of its lease this machine starts and claims nothing. Its runner ends what would be repeated.
//   M7. Runs of a dead machine are handed to one with a free slot. A run with a command that may still be alive waits for
//       its machine, for as long as `patienceMs` says.
//   M8. A machine that was declared dead ends its commands, and records nothing.
//   P1. A run goes to a machine with all labels that it needs. Without one, it waits in the queue. A subflow whose labels
//       the machine of its parent lacks is such a run (placed.ts).
//   M14. A run that a newer version recorded stays in the queue.
//   M10. A run that waits for a person holds no slot. An entry with a delay wakes it.
// Nothing of this, DBOS and PostgreSQL's client included, is loaded without a database.

import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Failure, failureOf } from "../../base/failure.ts";
import { newRunId, RUN_ID_RANDOM_BYTES } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { FOLDER, labelsHere, missingLabels } from "../../kinds/index.ts";
import { runnerFolder } from "../../process/runner/runner-dir.ts";
import type { EventBody } from "../../scheduler/event.ts";
import type { Owner, RunRow } from "../../store/index.ts";
import { type ClusterStore, connect, openPostgresStore, setUp } from "../../store/postgres/index.ts";
import { knows } from "../../workflow/kinds/index.ts";
import { labelsOfRun } from "../../workflow/labels.ts";
import { repeatsWhenLost } from "../../workflow/node-fields.ts";
import { outerRunsOf, recordAtRest } from "../answer.ts";
import { PARENT } from "../child-runs.ts";
import type { Engine, EngineOptions, ResumeOptions, RunHandle, RunOutcome, RunRequest } from "../contract.ts";
import { StoreFault } from "../driver/recording.ts";
import { LocalEngine } from "../local-engine.ts";
import { maskAtWork } from "../mask-of-answer.ts";
import { type Elsewhere, isGivenUp, labelsOfStarted, PASSES, recordedHere } from "../placed.ts";
import { identityOfHome, isAlive, isOfThisHome, thisProcess } from "../recovery/owner.ts";
import { asFailure, type Recorded, type Started } from "../run-start.ts";
import { thisWorld } from "../world.ts";
import {
  CAME_FROM_QUEUE,
  type Dispatch,
  type Entry,
  FINISHED,
  ORPHANS,
  openReceiver,
  openSender,
  prepareQueues,
  STALLED,
} from "./dispatch.ts";
import { READ, readInbox, tellOwner } from "./inbox.ts";
import {
  forget,
  LEFT,
  Lease,
  type Machine,
  type MachineRow,
  machinesOf,
  nameTaken,
  type Query,
  register,
  setDraining,
} from "./machines.ts";
import { eventMarks, type Signer, signer } from "./sign.ts";

export { openSender } from "./dispatch.ts";
export { checkHistory, historyBack, historyTo } from "./history.ts";
export { forget, type Machine, type MachineRow, machinesOf, type Query, setDraining } from "./machines.ts";

export interface ClusterOptions extends EngineOptions {
  url: string;
  /** The key for runs (sign.ts). */
  key: Buffer;
  /** SHA-256 of the cluster's key, in hexadecimal. Another one than that of `db init` is refused. */
  keyDigest?: string;
  auditKey: Parameters<typeof openPostgresStore>[0]["auditKey"];
  machine: Machine;
  /** Takes runs of others. Otherwise it only drives its own. */
  takes: boolean;
  patienceMs: number;
  /** A run that this machine has taken. */
  onTaken?(handle: RunHandle): void;
  /** M8. The engine has ended its commands, and is to be closed. */
  onFenced?(): void;
}

export interface ClusterEngine extends Engine {
  store: ClusterStore;
  /** Records the run and leaves it to a machine with a free slot. */
  startElsewhere(request: RunRequest): Promise<Result<{ id: string }, Failure>>;
  /** Ends, and keeps others from its runs for this long: the next start of this machine adopts its commands. */
  leaveFor(leaseMs: number): Promise<void>;
}

/** The queue of runs that any machine may take. */
export const ANY = "any";
/** A machine may be killed when the end of a run is on record, and its slot is not free yet. */
const UNUSED_SHARES = ["slots", "budget_waits"].map(
  (table) =>
    `DELETE FROM curlew.${table} s WHERE NOT EXISTS (SELECT 1 FROM curlew.runs r WHERE r.id = s.run AND r.ended_at IS NULL)`,
);
/** A file comes before its run (M12), which may never have come. */
const UNUSED_FILES = [
  `WITH unused AS (DELETE FROM curlew.archive a WHERE a.at < clock_timestamp() - interval '1 day'
     AND NOT EXISTS (SELECT 1 FROM curlew.runs r WHERE r.id = a.run) RETURNING run, file)
   DELETE FROM curlew.archive_parts p USING unused u WHERE p.run = u.run AND p.file = u.file`,
  "DELETE FROM curlew.archive_asked WHERE until < clock_timestamp()",
];
/** Outermost runs, and subflows whose parent is not driven together with them: those with labels are continued as such. */
const APART = `(r.parent IS NULL OR NOT EXISTS (SELECT 1 FROM curlew.runs p WHERE p.id = r.parent AND p.owner_token = r.owner_token))`;
const KEY_DIGEST = "SELECT value FROM curlew.facts WHERE name = 'key'";
/** The condition of an append: a machine that was declared dead records nothing (M8). */
const FENCE = `NOT EXISTS (SELECT 1 FROM curlew.machines m
  WHERE m.name = r.owner_machine AND m.token = r.owner_token AND m.state = 'dead')`;

/** Makes the tables of a cluster, and remembers the digest of its key. Failures: those of the store, `cluster-key-wrong`. */
export async function initCluster(url: string, keyDigest: string): Promise<Result<{ created: boolean }, Failure>> {
  const connected = connect(url);
  if (!connected.ok) return err(asFailure(connected.error));
  const connection = connected.value;
  try {
    const made = await setUp(connection);
    if (!made.ok) return err(asFailure(made.error));
    const kept = await connection.query(
      "INSERT INTO curlew.facts VALUES ('key', $1) ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING value",
      [keyDigest],
    );
    if (!kept.ok) return err(asFailure(kept.error));
    if (kept.value[0]?.value !== keyDigest) return wrongKey();
    await prepareQueues(url);
    return made;
  } finally {
    await connection.close();
  }
}

/** Whether the cluster has a key. Failures: those of the store. */
export async function hasKey(url: string): Promise<Result<boolean, Failure>> {
  const asked = askDatabase(url);
  if (!asked.ok) return asked;
  const table = await asked.value.query("SELECT to_regclass('curlew.facts') IS NOT NULL AS there");
  const found =
    table.ok && table.value[0]?.there === true
      ? await asked.value.query("SELECT 1 FROM curlew.facts WHERE name = 'key'")
      : table;
  await asked.value.close();
  if (!found.ok) return err(asFailure(found.error));
  return ok(table.ok && table.value[0]?.there === true && found.value.length > 0);
}

export interface ClusterState {
  machines: MachineRow[];
  /** Whether the given key is the one of the cluster. */
  key: "missing" | "other" | "same";
}

/** `digest`: of the given key. Failures: those of the store. */
export async function stateOf(url: string, digest: string | undefined): Promise<Result<ClusterState, Failure>> {
  const asked = askDatabase(url);
  if (!asked.ok) return asked;
  const { query, close } = asked.value;
  const [machines, known] = [await machinesOf(query), await query(KEY_DIGEST)];
  await close();
  if (!machines.ok) return err(asFailure(machines.error));
  if (!known.ok) return err(asFailure(known.error));
  const isSame = known.value[0]?.value === digest;
  return ok({ machines: machines.value, key: digest === undefined ? "missing" : isSame ? "same" : "other" });
}

function wrongKey(): Result<never, Failure> {
  return err({
    code: "cluster-key-wrong",
    message: "The key is not the one of this cluster.",
    hint: "Copy the key file that `curlew db init` made for this database.",
  });
}

/** The store of a cluster, for a process that drives nothing. Without a key it only reads. */
export async function openReader({
  key,
  ...options
}: Parameters<typeof openPostgresStore>[0] & { key: Buffer | undefined }): Promise<Result<ClusterStore, Failure>> {
  const opened = await openPostgresStore({ ...options, marks: key && marksOf(key) });
  if (!opened.ok) return err(asFailure(opened.error));
  const store = opened.value;
  const query: Query = (text, values) => store.connection.query(text, values);
  return ok(key === undefined ? store : { ...store, tellOwner: tellOwner(query, signer(key)) });
}

const marksOf = (key: Buffer) => eventMarks(signer(key));

/** For commands about machines. Failures: those of the store. */
export function askDatabase(url: string): Result<{ query: Query; close(): Promise<void> }, Failure> {
  const connected = connect(url);
  if (!connected.ok) return err(asFailure(connected.error));
  const { value } = connected;
  return ok({ query: (text, values) => value.query(text, values), close: () => value.close() });
}

/** Failures: those of the store, `machine-name-taken`, `cluster-key-wrong`. */
export async function openClusterEngine(options: ClusterOptions): Promise<Result<ClusterEngine, Failure>> {
  const { url, home, auditKey, machine } = options;
  const opened = await openPostgresStore({ url, home, auditKey, fence: () => FENCE, marks: marksOf(options.key) });
  if (!opened.ok) return err(asFailure(opened.error));
  const store = opened.value;
  const query: Query = (text, values) => store.connection.query(text, values);
  const owner: Owner = { ...thisWorld().owner, machine: machine.name, home: identityOfHome(home) };
  const known = await query(KEY_DIGEST);
  const expected = known.ok ? known.value[0]?.value : undefined;
  if (!known.ok) {
    await store.close();
    return err(asFailure(known.error));
  }
  if (expected !== undefined && options.keyDigest !== undefined && expected !== options.keyDigest) {
    await store.close();
    return wrongKey();
  }
  const registered = await register(query, machine, owner, isAlive);
  if (registered.ok && registered.value) return ok(await Member.open(options, store, query, owner));
  await store.close();
  return registered.ok ? nameTaken(machine.name) : err(asFailure(registered.error));
}

class Member {
  private readonly options: ClusterOptions;
  private readonly query: Query;
  private readonly store: ClusterStore;
  private readonly signer: Signer;
  private readonly lease: Lease;
  private readonly engine: LocalEngine;
  /** The queues. A look at other machines, and a run that is taken up, may come before they are there. */
  private readonly dispatch = Promise.withResolvers<Dispatch>();
  /** M7: owners whose claims no longer count. */
  private readonly deadOwners = new Set<string>();
  /** Runs that this machine continues until they end or rest, and whether each takes a slot. */
  private readonly taking = new Map<string, boolean>();
  /** Subflows elsewhere that are waited for, with the runs around each. */
  private readonly away = new Map<string, readonly string[]>();
  /** Claims without a machine at the last sweep. */
  private claims: ReadonlySet<string> = new Set();
  /** Dead machines whose entries went back to their queues. */
  private readonly recovered = new Set<string>();
  /** Runs that this machine could not drive, and the last warning about each. */
  private readonly warned = new Map<string, string>();
  /** Entries that wake a run are on their way. */
  private readonly waking = new Set<Promise<void>>();
  private drains = false;
  private isClosed = false;
  private timer: NodeJS.Timeout | undefined;

  static async open(options: ClusterOptions, store: ClusterStore, query: Query, owner: Owner): Promise<ClusterEngine> {
    const member = new Member(options, store, query, owner);
    await member.begin();
    return member.face();
  }

  private constructor(options: ClusterOptions, store: ClusterStore, query: Query, owner: Owner) {
    this.options = options;
    this.query = query;
    this.signer = signer(options.key);
    this.store = { ...store, tellOwner: tellOwner(query, this.signer) };
    const world = {
      ...thisWorld(),
      owner,
      isAlive: (other: Owner) =>
        other.machine === options.machine.name || isOfThisHome(other, owner.home ?? "")
          ? isAlive(other)
          : !this.deadOwners.has(other.token),
      isOurs: (runner: string) => existsSync(runnerFolder(options.home, runner)),
      elsewhere: this.elsewhere(),
    };
    const onNotOwner = (run: string): void => this.engine.endCommands(run);
    this.engine = new LocalEngine({ ...options, outlived: true, onNotOwner }, this.store, world);
    this.lease = new Lease(query, options.machine, owner.token, {
      extended: (untilMs) => this.engine.deadline(untilMs),
      fenced: () => this.options.onFenced?.(),
      draining: (drains) => {
        this.drains = drains;
      },
      looked: async () => {
        await readInbox(query, this.signer, owner.token, (...decision) => this.tellHere(...decision));
        await store.showOutputs(owner.token);
      },
      // P5. A queue that fails is asked again at the next look.
      dead: (name) => this.takeOver(name).catch(() => {}),
      failed: (error) => options.onWarning?.(asFailure(error)),
    });
  }

  private async begin(): Promise<void> {
    const { machine, url, takes } = this.options;
    await this.lease.begin();
    if (!takes) {
      this.dispatch.resolve(await openSender(url));
      return;
    }
    await this.resumeOwn();
    const queues = [ANY, ...machine.labels.map((label) => `label:${label}`), `machine:${machine.name}`];
    this.dispatch.resolve(await this.receiver({ ...machine, queues }));
    this.sweep();
  }

  /** P5. While it waits, its lease is held, and what it drove continues. */
  private async receiver(of: Parameters<typeof openReceiver>[1]): Promise<Dispatch> {
    for (;;) {
      try {
        const place = { url: this.options.url, connection: this.store.connection, room: () => this.room() };
        return await openReceiver(place, of, (run) => this.drive(run));
      } catch (reason) {
        const message = `The queues can't be opened: ${(reason as Error).message}`;
        this.options.onWarning?.({ code: "store-unreachable", message });
        await sleep(limits.queueAgainMs);
      }
    }
  }

  /** P5. */
  private async add(entry: Entry): Promise<void> {
    const dispatch = await this.dispatch.promise;
    for (;;) {
      try {
        return await dispatch.add(entry);
      } catch (reason) {
        if (this.isClosed) throw reason;
      }
      await sleep(limits.queueAgainMs);
    }
  }

  private face(): ClusterEngine {
    const { engine, store } = this;
    const guarded = <T>(work: () => Promise<Result<T, Failure>>): Promise<Result<T, Failure>> =>
      this.lease.isValid() ? work() : Promise.resolve(leaseOver());
    const { query } = this;
    return {
      store,
      machines: {
        list: () => machinesOf(query),
        setDraining: (name, drains) => setDraining(query, name, drains),
        forget: (name) => forget(query, name),
      },
      start: (request) => guarded(() => this.start(request)),
      resume: (run, options) => guarded(() => this.resume(run, options)),
      startElsewhere: (request) => this.startElsewhere(request),
      working: engine.working,
      mask: (run, text) => engine.mask(run, text),
      close: () => this.end(() => this.lease.close(this.options.takes), engine.close),
      leave: () => this.end(() => this.lease.close(this.options.takes), engine.leave),
      leaveFor: (leaseMs) => this.end(() => this.lease.leave(leaseMs), engine.leave),
    };
  }

  private async end(lease: () => Promise<void>, engine: () => Promise<void>): Promise<void> {
    clearTimeout(this.timer);
    this.isClosed = true;
    // Without its entry, a run is found later (M9).
    await Promise.race([Promise.all(this.waking), sleep(limits.databaseWaitMs, undefined, { ref: false })]);
    // Closing does not wait for the runs that this machine has taken. It keeps them until its lease is over.
    await (await this.dispatch.promise).close().catch(() => {});
    await lease();
    await engine();
  }

  /** P2. A server leaves a run whose labels it lacks to another machine. A secret that a person typed stays here. */
  private async start(asked: RunRequest): Promise<Result<RunHandle, Failure>> {
    const request = { ...asked, id: asked.id ?? newRunId(Date.now(), randomBytes(RUN_ID_RANDOM_BYTES)) };
    const begun = await this.engine.start(request);
    if (!begun.ok && PASSES.has(begun.error.code)) {
      if (!this.options.takes) return this.waked(await this.unanswered(request, begun));
      void this.drive(request.id, false);
    }
    const isTyped = Object.keys({ ...request.envFile, ...request.secrets }).length > 0;
    if (begun.ok || begun.error.code !== "no-machine" || !this.options.takes || isTyped) return this.waked(begun);
    const left = await this.startElsewhere(request);
    return left.ok ? ok(leftTo(left.value.id)) : left;
  }

  /** P1. A run at rest whose labels this machine lacks is left to another one. It ends a cancelled one itself. */
  private async resume(run: string, options: ResumeOptions = {}): Promise<Result<RunHandle, Failure>> {
    const row = await this.store.journal.findRun(run);
    const isOpen = row.ok && row.value.endedAt === undefined && !this.isDrivenByOther(row.value);
    const missing = isOpen && options.withoutSecrets !== true ? await this.missingLabel(run) : undefined;
    if (missing === undefined) return this.waked(await this.engine.resume(run, options));
    await this.add({ id: `${run}>${Date.now()}`, run, queue: queueFor(missing) });
    return this.options.takes ? ok(leftTo(run)) : err(continuesElsewhere(run, missing));
  }

  /** M3. Its record may be there, although no answer came. A process in the foreground waits until it knows. */
  private async unanswered(
    { id, envFile, secrets, found }: RunRequest & { id: string },
    begun: Result<RunHandle, Failure>,
  ): Promise<Result<RunHandle, Failure>> {
    const message = `The database did not answer. Curlew waits to see whether run ${id} was recorded.`;
    this.options.onWarning?.({ code: "store-unreachable", message });
    while (!this.isClosed && !this.lease.isOver()) {
      await sleep(limits.queueAgainMs);
      if (!this.lease.isValid()) continue;
      const resumed = await this.engine.resume(id, { envFile, secrets, found });
      if (resumed.ok) return resumed;
      if (!PASSES.has(resumed.error.code)) break;
    }
    return begun;
  }

  private async startElsewhere(request: RunRequest): Promise<Result<{ id: string }, Failure>> {
    const recorded = await this.engine.record(request);
    const [missing] = missingLabels(labelsOfRun(request.workflow), [], undefined);
    const queue = queueFor(missing?.label);
    const dispatch = await this.dispatch.promise;
    // M9: without its entry, it is found later.
    if (recorded.ok) await dispatch.add({ id: recorded.value.id, run: recorded.value.id, queue }).catch(() => {});
    return recorded;
  }

  /** P4: what this machine drove when it ended, or recorded without an answer. */
  private async resumeOwn(): Promise<void> {
    const own = await this.query(
      `SELECT id, parent, ${CAME_FROM_QUEUE} AS queued FROM curlew.runs r
         WHERE owner_machine = $1 AND ended_at IS NULL AND ${APART}`,
      [this.options.machine.name],
    );
    for (const { id, parent, queued } of own.ok ? own.value : [])
      if (parent === null || (await this.hasLabels(String(id)))) void this.drive(String(id), queued === true);
  }

  /** Drives the run until it ends or rests. Asking twice changes nothing. A run that was started here takes no slot. */
  private async drive(run: string, takesSlot = true): Promise<void> {
    if (this.taking.has(run) || this.engine.working(run) !== undefined) return;
    this.taking.set(run, takesSlot);
    // P5. Its entry is used up when this returns. A database that is away must not lose the run.
    while (!this.isClosed && !(await this.isDriven(run))) await sleep(limits.queueAgainMs);
    this.taking.delete(run);
    for (const [child, runs] of this.away) if (runs.includes(run)) this.away.delete(child);
  }

  /**
   * How many runs this machine may take. A run takes no slot while it waits for a subflow elsewhere: two full machines
   * would wait for each other forever.
   */
  private room(): number {
    if (!this.takes()) return 0;
    const waiting = new Set([...this.away.values()].flat());
    const busy = [...this.taking].filter(([run, takesSlot]) => takesSlot && !waiting.has(run));
    return this.options.machine.slots - busy.length;
  }

  private elsewhere(): Elsewhere {
    return {
      lacks: (started) => this.lacks(started),
      leave: async (id, run, label) => {
        // M9: without its entry, it is found later.
        const { add } = await this.dispatch.promise;
        return add({ id, run, queue: queueFor(label) }).then(
          () => true,
          () => false,
        );
      },
      waitsFor: async (child) => {
        if (this.away.has(child.id) || this.taking.size === 0) return;
        const runs = await outerRunsOf(child, this.store);
        if (!runs.some((run) => this.taking.has(run))) return;
        this.away.set(child.id, runs);
        (await this.dispatch.promise).look();
      },
      returned: (child) => void this.away.delete(child),
      waitsForMachineOf: (run) => this.waitsForItsMachine(run),
      isValid: () => this.lease.isValid(),
    };
  }

  /** False: it can't be driven now, and this machine is to try again. */
  private async isDriven(run: string): Promise<boolean> {
    try {
      await this.lease.lookNow();
      if (!this.lease.isValid()) return false;
      if (await this.waitsForItsMachine(run)) return true;
      const missing = await this.missingLabel(run);
      const row = await this.store.journal.findRun(run);
      // P4. Others can't take what this machine had when it was stopped.
      const isOwn = row.ok && row.value.owner?.machine === this.options.machine.name;
      if ((!isOwn && (this.drains || missing !== undefined)) || (await this.isNewer(run))) {
        const delayMs = limits.queueAgainMs;
        await this.add({ id: `${run}>${Date.now()}`, run, queue: queueFor(missing), delayMs });
        return true;
      }
      // A trigger may have begun it since.
      if (this.engine.working(run) !== undefined) return true;
      const isOver = await isGivenUp(run, this.store);
      const resumed = await this.engine.resume(run, isOver ? { withoutSecrets: true, news: [GIVEN_UP] } : {});
      if (!resumed.ok) {
        if (!EXPECTED.has(resumed.error.code)) this.warn(run, resumed.error);
        return !PASSES.has(resumed.error.code);
      }
      this.warned.delete(run);
      this.options.onTaken?.(resumed.value);
      await this.wakeLater(await resumed.value.done);
      return true;
    } catch (reason) {
      const { message, code = "" } = reason as Error & { code?: string };
      this.warn(run, { code: "run-stopped", message: `Run ${run} stopped: ${message}` });
      return !PASSES.has(code);
    }
  }

  /** M14. The run is as before: a claim would keep it from the machines that can read it. */
  private async isNewer(run: string): Promise<boolean> {
    const read = await this.recorded(run);
    if (read.ok || read.error.code !== "run-unreadable") return false;
    this.warn(run, read.error);
    return true;
  }

  /** The run comes back until a machine can drive it. The log has each reason once. */
  private warn(run: string, warning: Failure): void {
    const reason = `${warning.code} ${warning.message}`;
    if (this.warned.get(run) !== reason) this.options.onWarning?.(warning);
    this.warned.set(run, reason);
  }

  private recorded(run: string): Promise<Result<Recorded, Failure>> {
    return recordedHere(run, { store: this.store, home: this.options.home });
  }

  private isDrivenByOther({ owner }: RunRow): boolean {
    return owner !== undefined && !this.deadOwners.has(owner.token);
  }

  /** A label that the run needs and this machine does not have. */
  private async missingLabel(run: string): Promise<string | undefined> {
    const started = await this.startedOf(run);
    return started && this.lacks(started);
  }

  private async hasLabels(run: string): Promise<boolean> {
    const started = await this.startedOf(run);
    return started !== undefined && labelsOfStarted(started).length > 0;
  }

  private async startedOf(run: string): Promise<Started | undefined> {
    const first = await this.store.journal.read(run, 1, 1);
    if (!first.ok && PASSES.has(first.error.code)) throw new StoreFault(first.error);
    const started = first.ok ? first.value[0] : undefined;
    return started?.type === "run.started" ? started : undefined;
  }

  private lacks(started: Parameters<Elsewhere["lacks"]>[0]): string | undefined {
    const { machine, env, takes } = this.options;
    const own = labelsHere(takes ? machine.name : hostname(), machine.labels);
    const labels = [...own, ...(existsSync(dirname(started.workflow.file)) ? [FOLDER] : [])];
    return missingLabels(labelsOfStarted(started), labels, env.PATH)[0]?.label;
  }

  /** A decision about a run that this machine drives. */
  private async tellHere(run: string, asker: string, said: EventBody): Promise<boolean> {
    const body = await this.masked(run, asker, said);
    if (body === undefined) return false;
    if ((await this.engine.working(asker)?.tell(body)) === true) return true;
    const outermost = this.engine.working(run);
    if (asker === run || outermost === undefined) return false;
    const answerer = { ...thisProcess(), machine: this.options.machine.name };
    const recorded = await recordAtRest(asker, body, answerer, this.store);
    outermost.wake();
    return recorded;
  }

  /** The machine that asks may not have the secrets of the run. Undefined: they would be in an edited command. */
  private async masked(run: string, asker: string, body: EventBody): Promise<EventBody | undefined> {
    const working = (text: string) => [run, asker].reduce((shown, id) => this.engine.mask(id, shown) ?? shown, text);
    const mask = await maskAtWork(working, this.options);
    if (body.type === "approval.rejected") return { ...body, reason: mask(body.reason) };
    const edited = body.type === "approval.granted" ? body.edited : undefined;
    return edited === undefined || mask(edited) === edited ? body : undefined;
  }

  /** M10. Clocks differ: an entry may come before the time on this machine, and another one has to follow it. */
  private async wakeLater({ id: run, status, wakeAtMs: atMs }: RunOutcome): Promise<void> {
    if (status !== "waiting" || atMs === undefined) return;
    const nowMs = Date.now();
    await this.add({ id: `${run}@${atMs}.${nowMs}`, run, queue: ANY, delayMs: Math.max(0, atMs - nowMs) });
  }

  /** M10: also for a run that was started or resumed here by a person. */
  private waked(begun: Result<RunHandle, Failure>): Result<RunHandle, Failure> {
    if (!begun.ok) return begun;
    begun.value.done.then(
      (outcome) => {
        const waking = this.wakeLater(outcome)
          .catch(() => {})
          .finally(() => this.waking.delete(waking));
        this.waking.add(waking);
      },
      () => {},
    );
    return begun;
  }

  /** Whether this machine takes runs of others now. */
  private takes(): boolean {
    return this.options.takes && !this.isClosed && !this.drains && this.lease.isValid();
  }

  /** M7. */
  private async takeOver(name: string): Promise<void> {
    const left = await this.query(
      `SELECT r.id, r.parent, r.epoch, r.owner_token, m.token, m.dead_at + $2 * interval '1 ms' < clock_timestamp() AS over
         FROM curlew.machines m LEFT JOIN curlew.runs r ON r.owner_machine = m.name AND r.ended_at IS NULL AND ${APART}
         WHERE m.name = $1 AND m.state = 'dead'`,
      [name, this.options.patienceMs],
    );
    const takes = this.takes();
    for (const { id, parent, epoch, owner_token: owner, token, over } of left.ok ? left.value : []) {
      // A run may be of an earlier process of this machine.
      this.deadOwners.add(String(token)).add(String(owner));
      if (!takes) continue;
      const dispatch = await this.dispatch.promise;
      if (!this.recovered.has(String(token))) await dispatch.recover(name);
      this.recovered.add(String(token));
      if (id === null || (parent !== null && !(await this.hasLabels(String(id))))) continue;
      if (over !== true && (await this.hasUnended(String(id)))) continue;
      await dispatch.add({ id: `${id}:${epoch}`, run: String(id), queue: ANY });
    }
  }

  /** M7. Its entry is added again when the waiting is over. */
  private async waitsForItsMachine(run: string): Promise<boolean> {
    const dead = await this.query(
      `SELECT 1 FROM curlew.machines m JOIN curlew.runs r ON r.owner_machine = m.name WHERE r.id = $1 AND m.name <> $2
         AND m.state = 'dead' AND m.dead_at + $3 * interval '1 ms' > clock_timestamp()`,
      [run, this.options.machine.name, this.options.patienceMs],
    );
    return dead.ok && dead.value.length > 0 && (await this.hasUnended(run));
  }

  /** M7: whether a command may still be alive that its runner does not end at the deadline. */
  private async hasUnended(run: string): Promise<boolean> {
    const read = await this.recorded(run);
    if (!read.ok) return true;
    const { running, graph } = read.value.state;
    for (const { node, childRun } of running.values()) {
      const { node: drawn } = graph.nodes[node]!;
      if (childRun === undefined) {
        if (knows(drawn, "shell") && !repeatsWhenLost(drawn)) return true;
      } else if ((await this.isOnMachineOf(run, childRun)) && (await this.hasUnended(childRun))) return true;
    }
    return false;
  }

  /** A subflow on another machine has its own lease. */
  private async isOnMachineOf(run: string, child: string): Promise<boolean> {
    const [one, other] = [await this.store.journal.findRun(run), await this.store.journal.findRun(child)];
    if (!one.ok || !other.ok) return true;
    return other.value.owner === undefined || one.value.owner?.machine === other.value.owner.machine;
  }

  /** M9. A claim without a machine that is there for a whole sweep is of a process that died. */
  private async wakeStalled(minute: number): Promise<void> {
    const stalled = await this.query(STALLED);
    const claims = new Set<string>();
    for (const { id, owner_token: owner, last_seq: seq } of stalled.ok ? stalled.value : []) {
      const row = await this.store.journal.findRun(String(id));
      if (!row.ok) continue;
      const run = (await outerRunsOf(row.value, this.store)).at(-1) ?? String(id);
      if (owner === null) await (await this.dispatch.promise).add({ id: `${id}=${seq}+${minute}`, run, queue: ANY });
      else if (this.claims.has(`${id} ${owner}`)) {
        this.deadOwners.add(String(owner));
        for (const each of new Set([run, String(id)]))
          if (each === run || (await this.hasLabels(each))) void this.drive(each);
      } else claims.add(`${id} ${owner}`);
    }
    this.claims = claims;
  }

  /** M9: entries for recorded runs that no machine has begun. */
  private sweep(): void {
    const sweeping = async (): Promise<void> => {
      await this.resumeOwn();
      await this.query(FINISHED);
      for (const left of [READ, LEFT, ...UNUSED_SHARES, ...UNUSED_FILES]) await this.query(left);
      const found = await this.query(ORPHANS);
      const minute = Math.floor(Date.now() / limits.queueSweepMs);
      for (const { id } of found.ok ? found.value : [])
        await (await this.dispatch.promise).add({ id: `${id}+${minute}`, run: String(id), queue: ANY });
      await this.wakeStalled(minute);
    };
    void sweeping()
      .catch(() => {})
      .finally(() => {
        this.timer = setTimeout(() => this.sweep(), limits.queueSweepMs);
      });
  }
}

/** Each queue costs its machines something, so what is built in has none: its runs go from one machine to the next. */
function queueFor(label: string | undefined): string {
  if (label === undefined || label === FOLDER || /^(?:os|arch|shell):/.test(label)) return ANY;
  return label.startsWith("machine:") ? label : `label:${label}`;
}

const GIVEN_UP: EventBody = { type: "run.cancel-requested", by: PARENT };

/** Another machine was faster, or the run has ended. */
const EXPECTED: ReadonlySet<string> = new Set(["run-claimed", "run-ended", "run-not-found"]);

/** The handle of a run that another machine drives. */
function leftTo(id: string): RunHandle {
  const nothing = (): void => {};
  const done = Promise.resolve({ id, status: "waiting" as const });
  return { id, cancel: nothing, kill: nothing, leave: nothing, done };
}

const continuesElsewhere = failureOf("no-machine", (run: string, label: string) => [
  `This machine does not have the label "${label}", so a machine with it continues run ${run}.`,
  "`curlew machines` lists the machines.",
]);

function leaseOver(): Result<never, Failure> {
  return err({
    code: "lease-lost",
    message: "This machine could not renew its lease in the cluster, so it starts nothing.",
    hint: "It continues when the database answers again.",
  });
}
