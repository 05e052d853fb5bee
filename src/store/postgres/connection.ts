// connection: a database in PostgreSQL, for the ports of the store.
//   C1. A database that can't be reached is tried again for as long as the caller waits. A question is asked again, and a
//       transaction runs again from its beginning (ask.ts A2).
//   C2. Transactions of one port follow each other, as in SQLite: an advisory lock of the transaction makes them.
//   C3. A connection with any error is closed, so that no state of it is used again.
//   C4. Each connection has a listener for errors from its first moment: without one, an error ends the process.
//   C5. A process that hangs or is cut off within a transaction soon loses it, so that no other waits for its locks.

import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Asking, Sql, Statement } from "../ask.ts";
import type { SqlRow } from "../database.ts";
import { type StoreError, storeUnreachable } from "../error.ts";
import { explain } from "./explain.ts";
import { targetOf } from "./target.ts";
import { translated } from "./translate.ts";

/** Values of a statement, and arrays of them. */
type Values = readonly unknown[];

export interface Connection {
  /** URL without password. */
  shown: string;
  /** `port`: its transactions follow each other (C2). */
  sql(port?: string): Sql;
  /** One statement of PostgreSQL's own SQL, with $1, … Errors: store-*. */
  query(text: string, values?: Values): Promise<Result<SqlRow[], StoreError>>;
  /** C1. `work` runs again if its connection was lost. `waitMs`: for how long that is tried. */
  tries<T>(work: (ask: Ask) => Promise<Result<T, StoreError>>, waitMs?: number): Promise<Result<T, StoreError>>;
  /** A connection that belongs to the caller, for LISTEN. Not connected yet. */
  client(): pg.Client;
  readonly closed: boolean;
  close(): Promise<void>;
}

/** Asks on one connection. */
export type Ask = (text: string, values?: Values) => Promise<SqlRow[]>;

const LOCKS = 0x43524c57;
const INT8 = 20;
/** C5. */
const IDLES = `SET LOCAL idle_in_transaction_session_timeout = ${limits.databaseIdleMs}`;

/** `waitMs`: how long a question waits for a database that can't be reached. Nothing is connected yet. */
export function connect(url: string, waitMs: number = limits.databaseWaitMs): Result<Connection, StoreError> {
  const target = targetOf(url);
  return target.ok ? ok(new PoolConnection(target.value.config, target.value.shown, waitMs)) : target;
}

/** For a client with its own statements: C4, C5. The caller ends it. */
export function poolFor(url: string, max: number): Result<pg.Pool, StoreError> {
  const target = targetOf(url);
  if (!target.ok) return target;
  const pool = guarded({ ...target.value.config, max });
  pool.on("connect", (client) => void client.query(IDLES.replace("LOCAL ", "")).catch(() => {}));
  return ok(pool);
}

/** C4. A connection that breaks while it is idle is replaced by the next question. */
function guarded(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

class PoolConnection implements Connection {
  readonly shown: string;
  closed = false;
  private readonly config: pg.PoolConfig;
  private readonly pool: pg.Pool;
  private readonly waitMs: number;

  constructor(config: pg.PoolConfig, shown: string, waitMs: number) {
    const getTypeParser = (id: number, format?: "text" | "binary") =>
      id === INT8 ? Number : pg.types.getTypeParser(id, format as "text");
    this.config = { ...config, types: { getTypeParser } as pg.CustomTypesConfig };
    this.shown = shown;
    this.waitMs = waitMs;
    this.pool = guarded({ ...this.config, max: limits.databaseConnectionsMax, allowExitOnIdle: true });
  }

  sql(port?: string): Sql {
    const lock = port === undefined ? "" : `; ${IDLES}; SELECT pg_advisory_xact_lock(${LOCKS}, ${numberOf(port)})`;
    const within = <T>(begin: string, work: () => Asking<Result<T, StoreError>>) =>
      this.tries(async (ask) => {
        await ask(begin);
        const worked = await driven(ask, work());
        await ask(worked.ok ? "COMMIT" : "ROLLBACK");
        return worked;
      });
    return {
      guard: (work) => this.guarded(work()),
      snapshot: (work) => within("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", work),
      transaction: (work) => within(`BEGIN${lock}`, work),
    };
  }

  query(text: string, values?: Values): Promise<Result<SqlRow[], StoreError>> {
    return this.tries(async (ask) => ok(await ask(text, values)));
  }

  /** Each statement on any connection, so that nothing is read twice after a lost connection. */
  private async guarded<T>(asking: Asking<Result<T, StoreError>>): Promise<Result<T, StoreError>> {
    let step = asking.next();
    while (step.done !== true) {
      const { sql, values } = step.value;
      const rows = await this.query(translated(sql), values);
      if (!rows.ok) return rows;
      step = asking.next(rows.value);
    }
    return step.value;
  }

  async tries<T>(
    work: (ask: Ask) => Promise<Result<T, StoreError>>,
    waitMs = this.waitMs,
  ): Promise<Result<T, StoreError>> {
    const until = performance.now() + waitMs;
    for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 1_000)) {
      if (this.closed) return err(storeUnreachable(this.shown, "closed"));
      try {
        return await this.once(work);
      } catch (reason) {
        const { error, passes } = explain(reason, this.shown);
        if (this.closed || !passes || performance.now() + pauseMs > until) return err(error);
      }
      await sleep(pauseMs);
    }
  }

  private async once<T>(work: (ask: Ask) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let broken = true;
    try {
      const done = await work(async (text, values) => {
        const query = { text, values: values as unknown[] | undefined, query_timeout: limits.databaseAnswerMs };
        const answer = (await client.query(query)) as pg.QueryResult<SqlRow> | pg.QueryResult<SqlRow>[];
        return Array.isArray(answer) ? [] : answer.rows;
      });
      broken = false;
      return done;
    } finally {
      client.release(broken);
    }
  }

  client(): pg.Client {
    return new pg.Client(this.config);
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.pool.end();
  }
}

/** Runs the statements of `asking` on one connection. */
export async function driven<T>(ask: Ask, asking: Asking<T>): Promise<T> {
  let step = asking.next();
  while (step.done !== true) {
    const { sql, values }: Statement = step.value;
    step = asking.next(await ask(translated(sql), values));
  }
  return step.value;
}

/** The same number in every version of Curlew. */
function numberOf(port: string): number {
  let number = 0;
  for (const letter of port) number = (number * 31 + letter.charCodeAt(0)) % 0x7fffffff;
  return number;
}
