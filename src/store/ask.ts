// ask: the statements of a port, written once for every database. A port yields them, and the database that runs it
// answers at once (SQLite) or later (PostgreSQL).
//   A1. Statements are those that both databases understand. Where only names differ, the database translates.
//   A2. A transaction may run again after its connection was lost, so it changes nothing but through its statements.

import type { Now } from "../base/now.ts";
import type { Result } from "../base/result.ts";
import type { Database, SqlRow, SqlValue } from "./database.ts";
import type { StoreError } from "./error.ts";

export interface Statement {
  sql: string;
  values: readonly SqlValue[];
}

/** A computation that asks a database. */
export type Asking<T> = Generator<Statement, T, SqlRow[]>;

export function* all(sql: string, ...values: SqlValue[]): Asking<SqlRow[]> {
  return yield { sql, values };
}

export function* get(sql: string, ...values: SqlValue[]): Asking<SqlRow | undefined> {
  return (yield { sql, values })[0];
}

export function* run(sql: string, ...values: SqlValue[]): Asking<void> {
  yield { sql, values };
}

/** A database, for ports. Expected failures of it are returned. */
export interface Sql {
  guard<T>(work: () => Asking<Result<T, StoreError>>): Now<Result<T, StoreError>>;
  /** Like `guard`, with all reads in one snapshot. */
  snapshot<T>(work: () => Asking<Result<T, StoreError>>): Now<Result<T, StoreError>>;
  /**
   * Like `guard`, in one transaction, which is committed if `work` returns ok. Transactions of the same port
   * follow each other.
   */
  transaction<T>(work: () => Asking<Result<T, StoreError>>): Now<Result<T, StoreError>>;
}

/** A SQLite file. It answers at once. */
export function sqlOf(database: Database): Sql {
  return {
    guard: (work) => database.guard(() => answered(database, work())),
    snapshot: (work) => database.snapshot(() => answered(database, work())),
    transaction: (work) => database.transaction(() => answered(database, work())),
  };
}

/** Runs the statements of `asking`, within the caller's transaction if there is one. */
export function answered<T>(database: Database, asking: Asking<T>): T {
  let step = asking.next();
  while (step.done !== true) step = asking.next(database.all(step.value.sql, ...step.value.values));
  return step.value;
}
