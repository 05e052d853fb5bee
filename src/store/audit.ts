// The log of what people approved: one chained list per data directory (spec 4.2, ADR 17).
//   L1. An entry about an event is written in the same transaction, so no decision is recorded without its entry.
//   L2. Entries are numbered from 1. The hash of each (HMAC-SHA-256 with the data directory's `audit` key) covers the
//       hash before it and its own bytes.
//   L3. The head has the number of entries and is also keyed, so entries cut off at the end are noticed.
//   L4. No code here changes or removes an entry. Triggers of the table prevent other code from doing so.
//   L5. The key is derived when the first entry is written.
//   L6. If the end of the log was tampered with, an entry records that, and the log continues after it.
//   L7. It says who approved which hash, and has no values, commands, reasons, or secrets.

import type { Failure } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import type { Now } from "../base/now.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { RunEvent } from "../scheduler/event.ts";
import { actorHere } from "./actor.ts";
import { type Asking, all, run as execute, get, type Sql } from "./ask.ts";
import { type AuditReport, chained, DAMAGED, type Head, headMac, headOf } from "./audit-chain.ts";
import { checkAudit } from "./audit-check.ts";
import { type EntryBody, entryOf } from "./audit-entry.ts";
import { type StoreError, storeFailed } from "./error.ts";

/** A written entry: its number, time, content, and the hash that links it to the one before. */
export type AuditEntry = EntryBody & { n: number; at: string; chain: string };

export interface Audit {
  /**
   * Adds an entry that is not about a run's event, such as a secret that was set. Returns its number. Errors: store-*.
   */
  append(entry: Pick<EntryBody, "type" | "name" | "door">): Now<Result<number, StoreError>>;
  /** Newest first, at most `limit`, only entries before `before`. Errors: store-*. */
  list(limit: number, before?: number): Now<Result<AuditEntry[], StoreError>>;
  /** Reads the whole log and all journals. Errors: store-*. */
  verify(): Now<Result<AuditReport, StoreError>>;
}

/** For the journal, inside its transactions. */
export interface AuditWriter {
  /** Adds entries for those of `events` that are logged. */
  write(run: string, events: readonly RunEvent[]): Asking<Result<void, StoreError>>;
  /** Adds an entry that is not about an event, inside the caller's transaction. */
  note(entry: EntryBody, at: string): Asking<Result<number, StoreError>>;
}

export type AuditKey = () => Result<Buffer, Failure>;

/** `key`: returns the data directory's `audit` key. Called once, for the first entry. */
export function openAudit(sql: Sql, key: AuditKey): Audit & AuditWriter {
  let known: Buffer | undefined;
  const keyed = (): Result<Buffer, StoreError> => {
    if (known !== undefined) return ok(known);
    const derived = key();
    if (!derived.ok) return err(storeFailed("the audit log", derived.error.message));
    known = derived.value;
    return ok(known);
  };

  function* write(run: string, events: readonly RunEvent[]): Asking<Result<void, StoreError>> {
    for (const event of events) {
      const entry = entryOf(event);
      if (entry === undefined) continue;
      const place = yield* placeOf(run, entry.path);
      const written = yield* add({ ...entry, ...place, event: { run, seq: event.seq } }, event.at);
      if (!written.ok) return written;
    }
    return ok(undefined);
  }

  /** Must run inside a transaction, so that no other process writes between reading and writing the head. */
  function* add(entry: EntryBody, at: string): Asking<Result<number, StoreError>> {
    const secret = keyed();
    if (!secret.ok) return secret;
    // Where several transactions write at once, the second waits here for the first.
    yield* execute("UPDATE audit_head SET count = count");
    const head = yield* headOf();
    if (head.fits(secret.value)) return ok(yield* put(secret.value, head, { at, ...entry }));
    // L6. The log continues, and the damage stays on record.
    const last = yield* get("SELECT n, hash FROM audit ORDER BY n DESC LIMIT 1");
    const count = Math.max(head.count, Number(last?.n ?? 0));
    yield* put(secret.value, { ...head, count, hash: String(last?.hash ?? "") }, { at, type: DAMAGED });
    return ok(yield* put(secret.value, yield* headOf(), { at, ...entry }));
  }

  function* put(
    secret: Buffer,
    head: Pick<Head, "since" | "count" | "hash">,
    entry: EntryBody & { at: string },
  ): Asking<number> {
    const n = head.count + 1;
    const body = JSON.stringify({ n, ...entry });
    const chain = chained(secret, head.hash, body);
    yield* execute("INSERT INTO audit (n, body, hash) VALUES (?, ?, ?)", n, body, chain);
    const mac = headMac(secret, head.since, n, chain);
    yield* execute("UPDATE audit_head SET count = ?, hash = ?, mac = ?", n, chain, mac);
    return n;
  }

  return {
    write,
    note: add,
    append: (entry) =>
      sql.transaction(function* () {
        const { user, from } = actorHere();
        return yield* add({ ...entry, by: user, from }, new Date().toISOString());
      }),
    list: (limit, before = Number.MAX_SAFE_INTEGER) =>
      sql.guard(function* () {
        const most = Math.max(1, Math.min(limit, limits.auditListedMax));
        const rows = yield* all("SELECT n, body, hash FROM audit WHERE n < ? ORDER BY n DESC LIMIT ?", before, most);
        return ok(rows.map(readEntry));
      }),
    verify: () => checkAudit(sql, keyed),
  };
}

/** The outermost run and the path in it: `sub/gate` for the node `gate` of a subflow's run. */
function* placeOf(run: string, path: string | undefined): Asking<{ run: string; path?: string }> {
  let outermost = run;
  let full = path;
  for (let depth = 0; depth <= limits.subflowDepthMax; depth++) {
    const row = yield* get("SELECT parent, parent_path FROM runs WHERE id = ?", outermost);
    if (row === undefined || row.parent === null) break;
    outermost = String(row.parent);
    full = full === undefined ? String(row.parent_path) : `${row.parent_path}/${full}`;
  }
  return { run: outermost, path: full };
}

/** Unreadable entries are listed as such, so that a damaged log can still be viewed. */
function readEntry(row: Record<string, unknown>): AuditEntry {
  const known = { n: Number(row.n), at: "", type: "unreadable", chain: String(row.hash) } as const;
  try {
    return { ...known, ...JSON.parse(String(row.body)), n: known.n, chain: known.chain };
  } catch {
    return known;
  }
}
