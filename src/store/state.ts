// The state that a workflow keeps between its runs: texts by name, for each workflow file.
//   T1. A run writes only through `Journal.append`: in the transaction of the event that records the value.
//   T2. The last write of a name counts, in the order of commits. Removing runs changes nothing here.

import { after, type Now } from "../base/now.ts";
import { ok, type Result } from "../base/result.ts";
import { type Asking, all, run as execute, get, type Sql } from "./ask.ts";
import type { StoreError } from "./error.ts";
import { withoutZero, withZero } from "./zero.ts";

export interface StateEntry {
  /** Absolute path of the workflow file. */
  file: string;
  name: string;
  value: string;
  /** When it was stored, in ISO 8601. */
  at: string;
  /** The run that stored it. Absent if it was set by hand. */
  run?: string;
}

export interface StateStore {
  /** All values of a workflow by name. */
  read(file: string): Now<Result<Record<string, string>, StoreError>>;
  /** Sorted by file and name; of one file if it is given. */
  list(file?: string): Now<Result<StateEntry[], StoreError>>;
  /** Sets a value by hand. */
  set(entry: StateEntry): Now<Result<void, StoreError>>;
  /** Whether there was a value. */
  remove(file: string, name: string): Now<Result<boolean, StoreError>>;
}

export function openState(sql: Sql): StateStore {
  const list: StateStore["list"] = (file) =>
    sql.guard(function* () {
      const rows =
        file === undefined
          ? yield* all("SELECT * FROM state ORDER BY file, name")
          : yield* all("SELECT * FROM state WHERE file = ? ORDER BY name", file);
      return ok(
        rows.map((row) => ({
          file: String(row.file),
          name: String(row.name),
          value: withZero(String(row.value)),
          at: String(row.at),
          run: row.run === null ? undefined : String(row.run),
        })),
      );
    });
  return {
    list,
    read: (file) =>
      after(list(file), (found) =>
        found.ok ? ok(Object.fromEntries(found.value.map(({ name, value }) => [name, value]))) : found,
      ),
    set: (entry) =>
      sql.transaction(function* () {
        return ok(yield* putState(entry));
      }),
    remove: (file, name) =>
      sql.transaction(function* () {
        const found = yield* get("SELECT 1 FROM state WHERE file = ? AND name = ?", file, name);
        yield* execute("DELETE FROM state WHERE file = ? AND name = ?", file, name);
        return ok(found !== undefined);
      }),
  };
}

/** Called in a transaction. */
export function* putState({ file, name, value, at, run }: StateEntry): Asking<void> {
  const sql = `INSERT INTO state (file, name, value, at, run) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (file, name) DO UPDATE SET value = excluded.value, at = excluded.at, run = excluded.run`;
  yield* execute(sql, file, name, withoutZero(value), at, run ?? null);
}
