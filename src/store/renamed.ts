// renamed: lets a document keep its history, the state of its triggers, and its deliveries under another file name.
//   N1. Journals are not changed: `run.started` keeps the name that the file had.

import { after, type Now } from "../base/now.ts";
import { ok, type Result } from "../base/result.ts";
import { run as execute, type Sql } from "./ask.ts";
import type { StoreError } from "./error.ts";

export interface Renaming {
  /** Absolute paths. */
  from: string;
  to: string;
  /** The ids of its triggers, before and after. */
  triggers: readonly (readonly [from: string, to: string])[];
}

/** Commits only if `work` renames the file. Errors: store-*. */
export function renamed<T, E>(
  database: Sql,
  { from, to, triggers }: Renaming,
  work: () => Result<T, E>,
): Now<Result<Result<T, E>, StoreError>> {
  let done: Result<T, E> | undefined;
  const committed = database.transaction(function* () {
    for (const [before, after] of triggers) {
      // Rows of the new name belonged to a document that is gone.
      for (const [table, column, same] of OF_TRIGGERS) {
        if (before === after) continue;
        const taken = same === undefined ? "EXISTS (SELECT 1" : `${same} IN (SELECT ${same}`;
        const sql = `DELETE FROM ${table} WHERE ${column} = ? AND ${taken} FROM ${table} WHERE ${column} = ?)`;
        yield* execute(sql, after, before);
        yield* execute(`UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`, after, before);
      }
      yield* execute("UPDATE trigger_starts SET file = ? WHERE trigger = ?", to, after);
    }
    for (const table of ["runs", "deliveries"]) yield* execute(`UPDATE ${table} SET file = ? WHERE file = ?`, to, from);
    // A lost connection does not rename the file twice.
    done ??= work();
    return done.ok ? ok(undefined) : (done as unknown as Result<void, StoreError>);
  });
  return after(committed, (stored) =>
    done === undefined || (done.ok && !stored.ok) ? (stored as Result<never, StoreError>) : ok(done),
  );
}

/** Table, column with the id of a trigger, and the column that is unique beside it. */
const OF_TRIGGERS = [
  ["triggers", "id", undefined],
  ["trigger_starts", "trigger", "key"],
  ["watched", "trigger", "path"],
] as const;
