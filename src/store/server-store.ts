// The store with the parts only a server needs: trigger state and the webhook inbox. Runs
// from the command line do not load it.

import { type AtOnce, atOnce, type Now } from "../base/now.ts";
import type { Result } from "../base/result.ts";
import { type Deliveries, openDeliveries } from "./deliveries.ts";
import type { StoreError } from "./error.ts";
import { type Renaming, renamed } from "./renamed.ts";
import { type CountQuery, countRuns, type RunCounts } from "./run-query.ts";
import type { LocalStore, Store } from "./store.ts";
import { openTriggers, type Triggers } from "./triggers.ts";

/** Answers come at once or later (base/now.ts). */
export interface ServerParts {
  /** Moves what is recorded about a document to its new name, together with the file (renamed.ts). */
  renamed<T, E>(renaming: Renaming, work: () => Result<T, E>): Now<Result<Result<T, E>, StoreError>>;
  triggers: Triggers;
  deliveries: Deliveries;
  /** Counts runs by status, in slices of time (run-query.ts). */
  countRuns(query: CountQuery): Now<Result<RunCounts, StoreError>>;
}

export type ServerStore = Store & ServerParts;

interface LocalServerStore extends LocalStore {
  renamed<T, E>(renaming: Renaming, work: () => Result<T, E>): Result<Result<T, E>, StoreError>;
  triggers: AtOnce<Triggers>;
  deliveries: AtOnce<Deliveries>;
  countRuns(query: CountQuery): Result<RunCounts, StoreError>;
}

/** Extends `store`. Close only one of the two. */
export function serverStore(store: LocalStore): LocalServerStore {
  return {
    ...store,
    triggers: atOnce(store.beside(openTriggers)),
    deliveries: atOnce(store.beside(openDeliveries)),
    renamed: (renaming, work) =>
      store.beside((sql) => renamed(sql, renaming, work)) as ReturnType<typeof renamed> as never,
    countRuns: (query) => store.beside((sql) => countRuns(sql, query)) as Result<RunCounts, StoreError>,
  };
}
