// machines: the table of a cluster's machines, and what each may say about the others (spec 6.4).
//   M5. A lease is a row, renewed at a third of its length. Its machine counts from the moment it sent the renewal, on a
//       clock that counts sleep, less a margin. Times of two machines are never compared.
//   M7. A machine declares another one dead if its own lease is valid by the database's time. It must have seen the same
//       heartbeat for a whole lease without a failed look.
//   M8. A machine that was declared dead registers again. Its old token counts for nothing.

import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { sinceBootMs } from "../../process/runner/deadline.ts";
import type { Owner, StoreError } from "../../store/index.ts";
import { isOfThisHome } from "../recovery/owner.ts";

/** One statement of PostgreSQL's SQL. */
export type Query = (
  text: string,
  values?: readonly unknown[],
) => Promise<Result<Record<string, unknown>[], StoreError>>;

export interface Machine {
  name: string;
  labels: readonly string[];
  slots: number;
  leaseMs: number;
  version: string;
}

export interface MachineRow extends Machine {
  /** `silent`: its lease is over. `dead`: its runs are taken over. `left`: it ended in order. */
  state: "live" | "draining" | "silent" | "dead" | "left";
  /** Runs that it has claimed. */
  runs: number;
  /** Since its last heartbeat, by the database's time. */
  silentMs: number;
}

const OURS = "name = $1 AND token = $2";
const RUNS = "SELECT 1 FROM curlew.runs r WHERE r.owner_machine = m.name AND r.ended_at IS NULL";

/** Rows of machines that are gone for a day, and have no run left. */
export const LEFT = `DELETE FROM curlew.machines m WHERE m.state IN ('left', 'dead')
  AND m.seen < clock_timestamp() - interval '1 day'
  AND NOT EXISTS (${RUNS})`;

/**
 * Takes the name: a new one, one whose machine has left or is dead, one whose lease is over, or one whose process of
 * this data directory is gone. Undefined: another process has it.
 */
export async function register(
  query: Query,
  machine: Machine,
  owner: Owner,
  isAlive: (owner: Owner) => boolean,
): Promise<Result<boolean, StoreError>> {
  const found = await query("SELECT name, token, pid, start, boot, home FROM curlew.machines WHERE name = $1", [
    machine.name,
  ]);
  if (!found.ok) return found;
  const [row] = found.value;
  const holder = row === undefined ? undefined : ownerIn(row);
  const isGone = holder !== undefined && isOfThisHome(holder, owner.home ?? "") && !isAlive(holder);
  const registered = await query(
    `INSERT INTO curlew.machines AS m (name, token, pid, start, boot, labels, slots, version, lease_ms, home, beat, seen, state)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $11, 0, clock_timestamp(), 'live')
     ON CONFLICT (name) DO UPDATE SET token = excluded.token, pid = excluded.pid, start = excluded.start,
       boot = excluded.boot, labels = excluded.labels, slots = excluded.slots, version = excluded.version,
       lease_ms = excluded.lease_ms, beat = m.beat + 1, seen = excluded.seen, dead_at = NULL, home = excluded.home,
       state = CASE WHEN m.state = 'draining' THEN 'draining' ELSE 'live' END
     WHERE m.token = $2 OR m.token = $10 OR m.state IN ('dead', 'left')
       OR m.seen + m.lease_ms * interval '1 ms' < clock_timestamp()
     RETURNING name`,
    [
      ...[machine.name, owner.token, owner.pid, owner.startTime, owner.bootId, JSON.stringify(machine.labels)],
      ...[machine.slots, machine.version, machine.leaseMs, isGone ? holder.token : null, owner.home ?? ""],
    ],
  );
  return registered.ok ? ok(registered.value.length > 0) : registered;
}

function ownerIn(row: Record<string, unknown>): Owner {
  const { name, token, pid, start, boot, home } = row;
  return {
    ...{ token: String(token), pid: Number(pid), startTime: String(start), bootId: String(boot) },
    ...{ machine: String(name), home: String(home) },
  };
}

export async function machinesOf(query: Query): Promise<Result<MachineRow[], StoreError>> {
  const rows = await query(`SELECT m.*, extract(epoch FROM clock_timestamp() - m.seen) * 1000 AS silent_ms,
    (SELECT count(*) FROM curlew.runs r WHERE r.owner_machine = m.name AND r.ended_at IS NULL) AS runs
    FROM curlew.machines m ORDER BY m.name`);
  if (!rows.ok) return rows;
  return ok(
    rows.value.map((row) => {
      const silentMs = Math.max(0, Math.round(Number(row.silent_ms)));
      const isSilent = (row.state === "live" || row.state === "draining") && silentMs > Number(row.lease_ms);
      return {
        ...{ name: String(row.name), labels: JSON.parse(String(row.labels)), slots: Number(row.slots) },
        ...{ leaseMs: Number(row.lease_ms), version: String(row.version), runs: Number(row.runs), silentMs },
        state: isSilent ? "silent" : (row.state as MachineRow["state"]),
      };
    }),
  );
}

/** Undefined: there is no such machine. Resuming has no effect on a machine that is dead or has left. */
export async function setDraining(query: Query, name: string, drains: boolean): Promise<Result<boolean, StoreError>> {
  const [from, to] = drains ? ["live", "draining"] : ["draining", "live"];
  const set = await query(
    "UPDATE curlew.machines SET state = CASE WHEN state = $2 THEN $3 ELSE state END WHERE name = $1 RETURNING name",
    [name, from, to],
  );
  return set.ok ? ok(set.value.length > 0) : set;
}

/** A person says that the machine will not come back: its runs no longer wait for it. Not while its lease is valid. */
export async function forget(query: Query, name: string): Promise<Result<boolean, StoreError>> {
  const gone = await query(
    `UPDATE curlew.machines SET state = 'dead', dead_at = '-infinity' WHERE name = $1
       AND (state IN ('dead', 'left') OR seen + lease_ms * interval '1 ms' < clock_timestamp()) RETURNING name`,
    [name],
  );
  return gone.ok ? ok(gone.value.length > 0) : gone;
}

export interface LeaseEvents {
  /** Until when no other machine may act on this one's runs, on the clock of `sinceBootMs`. */
  extended(untilMs: number): void;
  /** M8. */
  fenced(): void;
  draining(drains: boolean): void;
  /** Several times a second, while the lease is held. */
  looked(): Promise<void>;
  /** M7. Called again until its runs are gone. */
  dead(name: string): void | Promise<void>;
  failed(error: StoreError): void;
}

interface Seen {
  mark: string;
  sinceMs: number;
}

/** Holds the lease of a registered machine, and watches the others. */
export class Lease {
  private readonly query: Query;
  private readonly machine: Machine;
  private readonly token: string;
  private readonly events: LeaseEvents;
  private readonly seen = new Map<string, Seen>();
  private untilMs = Number.NEGATIVE_INFINITY;
  private lastLookMs = Number.NEGATIVE_INFINITY;
  private timers: NodeJS.Timeout[] = [];
  private ended = false;

  constructor(query: Query, machine: Machine, token: string, events: LeaseEvents) {
    this.query = query;
    this.machine = machine;
    this.token = token;
    this.events = events;
  }

  async begin(): Promise<void> {
    await this.renew();
    this.repeat(() => this.renew(), this.machine.leaseMs / 3);
    this.repeat(() => this.look(), Math.min(limits.machineLookMs, this.machine.leaseMs / 6));
  }

  /** M6: whether this machine may start and claim something. */
  isValid(): boolean {
    return !this.ended && sinceBootMs() < this.untilMs;
  }

  /** It was closed, or this machine was declared dead. */
  isOver(): boolean {
    return this.ended;
  }

  /** Its commands stay with their runner for this long: the next start of this machine adopts them. */
  async leave(leaseMs: number): Promise<void> {
    this.stop();
    await this.renew(leaseMs);
  }

  /** `stays`: it is still listed, as `left`. Otherwise only if a run has its name. */
  async close(stays: boolean): Promise<void> {
    this.stop();
    if (!stays) {
      const unused = `DELETE FROM curlew.machines m WHERE ${OURS} AND NOT EXISTS (${RUNS})`;
      await this.query(unused, [this.machine.name, this.token]);
    }
    // A process in the foreground does not come back for a run that it leaves, so others take it.
    const state = stays ? "left" : "dead";
    await this.query(
      `UPDATE curlew.machines SET state = $3, dead_at = clock_timestamp(), beat = beat + 1
        WHERE ${OURS} AND state <> 'dead'`,
      [this.machine.name, this.token, state],
    );
  }

  stop(): void {
    this.ended = true;
    for (const timer of this.timers) clearTimeout(timer);
  }

  private repeat(work: () => Promise<void>, everyMs: number): void {
    const place = this.timers.length;
    const again = (): void => {
      this.timers[place] = setTimeout(() => void work().finally(() => this.ended || again()), everyMs);
    };
    again();
  }

  /** M5. */
  private async renew(leaseMs = this.machine.leaseMs): Promise<void> {
    const sentMs = sinceBootMs();
    const renewed = await this.query(
      `UPDATE curlew.machines SET seen = clock_timestamp(), beat = beat + 1, lease_ms = $3
         WHERE ${OURS} AND state <> 'dead' RETURNING state`,
      [this.machine.name, this.token, leaseMs],
    );
    if (!renewed.ok) {
      this.events.failed(renewed.error);
      return;
    }
    const [row] = renewed.value;
    if (row === undefined) {
      this.stop();
      this.events.fenced();
      return;
    }
    this.untilMs = sentMs + leaseMs - marginOf(leaseMs);
    this.events.extended(this.untilMs);
    this.events.draining(row.state === "draining");
  }

  /** Before a claim: whether another machine has been declared dead since the last look. */
  lookNow(): Promise<void> {
    return this.look();
  }

  /** M7. */
  private async look(): Promise<void> {
    const rows = await this.query(
      "SELECT name, token, beat, lease_ms, state FROM curlew.machines WHERE name <> $1 AND state <> 'left'",
      [this.machine.name],
    );
    const nowMs = sinceBootMs();
    // A look that failed, or came late, has not seen a whole lease.
    const isLate = nowMs - this.lastLookMs > this.machine.leaseMs / 2;
    this.lastLookMs = nowMs;
    if (!rows.ok || isLate) this.seen.clear();
    for (const { name, token, beat, lease_ms: leaseMs, state } of rows.ok ? rows.value : []) {
      if (state === "dead") await this.events.dead(String(name));
      else if (this.hasBeenStill(String(name), `${token} ${beat}`, nowMs, Number(leaseMs)))
        await this.declareDead(String(name), String(token), Number(beat));
    }
    await this.events.looked();
  }

  private hasBeenStill(name: string, mark: string, nowMs: number, leaseMs: number): boolean {
    const before = this.seen.get(name);
    if (before?.mark === mark) return nowMs - before.sinceMs >= leaseMs;
    this.seen.set(name, { mark, sinceMs: nowMs });
    return false;
  }

  private async declareDead(name: string, token: string, beat: number): Promise<void> {
    if (!this.isValid()) return;
    const declared = await this.query(
      `UPDATE curlew.machines SET state = 'dead', dead_at = clock_timestamp()
         WHERE name = $1 AND token = $2 AND beat = $3 AND seen + lease_ms * interval '1 ms' < clock_timestamp()
           AND EXISTS (SELECT 1 FROM curlew.machines me WHERE me.name = $4 AND me.token = $5 AND me.state <> 'dead'
             AND me.seen + me.lease_ms * interval '1 ms' > clock_timestamp())
         RETURNING name`,
      [name, token, beat, this.machine.name, this.token],
    );
    if (declared.ok && declared.value.length > 0) await this.events.dead(name);
  }
}

/** The time to end commands. The clock may be a second coarse where it is not Linux. */
function marginOf(leaseMs: number): number {
  return Math.max(process.platform === "linux" ? 500 : 1_500, leaseMs / 6);
}

/** Errors: machine-name-taken. */
export function nameTaken(name: string): Result<never, { code: string; message: string; hint: string }> {
  return err({
    code: "machine-name-taken",
    message: `Another process works in this cluster as machine "${name}".`,
    hint: "Give this one another name with --name. If the other process has ended, wait until its lease is over.",
  });
}
