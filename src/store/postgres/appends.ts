// appends: events of several runs of this process in one statement (spec 6.4).
//   M1. One writer per run: the statement changes the row of a run where owner, epoch and last number are the writer's,
//       and inserts the events. Otherwise the append is refused.
//   M3. An append whose answer was lost counts once: when the row says that this writer has come further, it was stored.
//   A1. One statement is under way at a time. Appends that arrive before its answer make the next one.
//   A2. An append waits for a database that is away until the journal is closed. It is never given up.

import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { SqlRow } from "../database.ts";
import { notOwner, outOfOrder, runNotFound, type StoreError, storeUnreachable } from "../error.ts";
import type { IndexChange, Owner } from "../journal.ts";
import { ownerOf } from "../sqlite-row.ts";
import type { Ask, Connection } from "./connection.ts";

export interface Claim {
  token: string;
  epoch: number;
  /** The machine that gets the run back when it is released. */
  before?: Owner | undefined;
}

export interface Append {
  run: string;
  claim: Claim;
  /** The number before its first event. Undefined without events. */
  from: number | undefined;
  bodies: readonly string[];
  /** M13: one for each body. */
  marks: readonly string[];
  change: IndexChange;
}

/** A2. */
const FOREVER = Number.POSITIVE_INFINITY;

/** A condition on a run `r` for every append, in PostgreSQL's SQL, such as that this machine's lease is valid. */
export type Fence = () => string | undefined;

interface Waiting extends Append {
  /** M3: it was sent, and no answer came. */
  lost: boolean;
  settle(result: Result<number, StoreError>): void;
}

export class Appends {
  private readonly connection: Connection;
  private readonly fence: Fence;
  private waiting: Waiting[] = [];
  private busy = false;

  constructor(connection: Connection, fence: Fence) {
    this.connection = connection;
    this.fence = fence;
  }

  add(append: Append): Promise<Result<number, StoreError>> {
    return new Promise((settle) => {
      this.waiting.push({ ...append, lost: false, settle });
      if (!this.busy) void this.send();
    });
  }

  private async send(): Promise<void> {
    this.busy = true;
    // Events that are recorded in the same tick go together.
    await Promise.resolve();
    while (this.waiting.length > 0) {
      const group = this.next();
      const sent = await this.connection.tries(async (ask) => ok(await stored(ask, group, this.fence())), FOREVER);
      for (const each of group) {
        if (!sent.ok) each.settle(sent);
        else each.settle(sent.value.get(each.run) ?? err(storeUnreachable(this.connection.shown, "closed")));
      }
    }
    this.busy = false;
  }

  /** A run at most once, and a bounded number of events. */
  private next(): Waiting[] {
    const group: Waiting[] = [];
    const rest: Waiting[] = [];
    const runs = new Set<string>();
    let events = 0;
    for (const each of this.waiting) {
      const fits =
        !runs.has(each.run) && (group.length === 0 || events + each.bodies.length <= limits.eventsPerCommitMax);
      (fits ? group : rest).push(each);
      runs.add(each.run);
      if (fits) events += each.bodies.length;
    }
    this.waiting = rest;
    return group;
  }
}

type Results = Map<string, Result<number, StoreError>>;

async function stored(ask: Ask, group: readonly Waiting[], fence: string | undefined): Promise<Results> {
  const results: Results = new Map();
  const again = new Set(group.filter(({ lost }) => lost));
  // M3. Those that are stored already need not be sent.
  for (const each of again) {
    const last = storedAs(await rowOf(ask, each), each);
    if (last !== undefined) results.set(each.run, ok(last));
  }
  const open = group.filter(({ run }) => !results.has(run));
  if (open.length === 0) return results;
  for (const each of open) each.lost = true;
  for (const row of await ask(appending(fence), valuesOf(open))) results.set(String(row.id), ok(Number(row.last_seq)));
  for (const each of open.filter(({ run }) => !results.has(run))) {
    const row = await rowOf(ask, each);
    // M3. The earlier statement was still under way.
    const last = again.has(each) ? storedAs(row, each) : undefined;
    results.set(each.run, last === undefined ? err(refusal(row, each)) : ok(last));
  }
  return results;
}

async function rowOf(ask: Ask, { run }: Append): Promise<SqlRow | undefined> {
  return (await ask("SELECT * FROM curlew.runs WHERE id = $1", [run]))[0];
}

/** M3. Only this writer can have brought the run there under this claim. */
function storedAs(row: SqlRow | undefined, each: Append): number | undefined {
  const last = (each.from ?? 0) + each.bodies.length;
  const isStored = each.bodies.length > 0 && row !== undefined && isTheirs(row, each) && Number(row.last_seq) === last;
  return isStored ? last : undefined;
}

function refusal(row: SqlRow | undefined, each: Append): StoreError {
  if (row === undefined) return runNotFound(each.run);
  if (!isTheirs(row, each) || each.from === undefined) return notOwner(each.run, ownerOf(row));
  const expected = Number(row.last_seq) + 1;
  return expected === each.from + 1 ? notOwner(each.run, ownerOf(row)) : outOfOrder(each.run, expected, each.from + 1);
}

function isTheirs(row: SqlRow, { claim }: Append): boolean {
  return row.owner_token === claim.token && Number(row.epoch) === claim.epoch;
}

const texts = new Map<string | undefined, string>();

/** M1. Parameters: those of valuesOf. */
export function appending(fence?: string): string {
  let text = texts.get(fence);
  text ??= `WITH given AS (
      SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::int[], $8::text[])
        AS g (id, token, epoch, from_seq, added, status, waiting, ended_at)
    ), head AS (
      UPDATE curlew.runs r SET last_seq = r.last_seq + g.added, status = coalesce(g.status, r.status),
        waiting = coalesce(g.waiting, r.waiting), ended_at = coalesce(g.ended_at, r.ended_at),
        took_ms = CASE WHEN g.ended_at IS NULL THEN r.took_ms ELSE
          greatest(0, round(extract(epoch FROM g.ended_at::timestamptz - r.started_at::timestamptz) * 1000))::bigint END
      FROM given g WHERE r.id = g.id AND r.owner_token = g.token AND r.epoch = g.epoch
        AND r.last_seq = coalesce(g.from_seq, r.last_seq)${fence === undefined ? "" : ` AND (${fence})`}
      RETURNING r.key, r.id, r.last_seq
    ), put AS (
      INSERT INTO curlew.events (pos, run, seq, body, mark)
      SELECT (pg_current_xact_id()::text::bigint << 16) + e.n - 1, h.key, e.seq, e.body, e.mark
      FROM unnest($9::text[], $10::bigint[], $11::text[], $12::text[]) WITH ORDINALITY AS e (id, seq, body, mark, n) JOIN head h ON h.id = e.id
    )
    SELECT id, last_seq FROM head`;
  texts.set(fence, text);
  return text;
}

export function valuesOf(appends: readonly Append[]): unknown[] {
  const events = appends.flatMap(({ run, from = 0, bodies, marks }) =>
    bodies.map((body, n) => ({ run, seq: from + 1 + n, body, mark: marks[n] })),
  );
  return [
    appends.map(({ run }) => run),
    appends.map(({ claim }) => claim.token),
    appends.map(({ claim }) => claim.epoch),
    appends.map(({ from }) => from ?? null),
    appends.map(({ bodies }) => bodies.length),
    appends.map(({ change }) => change.status ?? null),
    appends.map(({ change }) => change.waiting ?? null),
    appends.map(({ change }) => change.endedAt ?? null),
    events.map(({ run }) => run),
    events.map(({ seq }) => seq),
    events.map(({ body }) => body),
    events.map(({ mark }) => mark),
  ];
}
