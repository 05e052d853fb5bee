// The public interface of the store: the journal and outputs of a data directory.

export { type ActorSource, actorHere } from "./actor.ts";
export type { Audit, AuditEntry } from "./audit.ts";
export type { AuditFinding, AuditReport } from "./audit-chain.ts";
export type { BackupReport } from "./backup.ts";
export type { BudgetKind, Budgets, Holder, Liveness, Moment, Taken, Wanted } from "./budgets.ts";
export type { Cache, CacheEntry } from "./cache.ts";
export { explainErrno } from "./database.ts";
export type { Deliveries, DeliveryContent, DeliveryRow, NewDelivery } from "./deliveries.ts";
export type { StoreError, StoreErrorCode } from "./error.ts";
export type {
  Finding,
  IndexChange,
  IsAlive,
  Journal,
  NewRun,
  OpenCount,
  Owner,
  PlacedEvent,
  PlacedPage,
  RunPage,
  RunQuery,
  RunRow,
  RunSort,
} from "./journal.ts";
export { RUN_SORTS } from "./journal.ts";
export { movedTo } from "./moved.ts";
export type { Outputs } from "./outputs.ts";
export { lostEnd, wrongValue } from "./outputs-check.ts";
export { openReadOnly, type ReadOnlyStore } from "./read-only-store.ts";
export type { Removed, RetentionRule } from "./retention.ts";
export type { CountQuery } from "./run-query.ts";
export type { ServerStore } from "./server-store.ts";
export type { StateEntry, StateStore } from "./state.ts";
export { type LocalStore, openStore, type Store } from "./store.ts";
export type { DueStart, NewStart, TriggerLast, Triggers, WatchedChange } from "./triggers.ts";
export type { Trust, Trusted } from "./trust.ts";
