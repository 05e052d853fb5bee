// audit: the log of what people allowed, one chained list a home (spec 4.2, ADR 17).
//   L1. An entry about an event is written in the event's own transaction: no answer is on record without it.
//   L2. Entries count from 1; each one's hash is keyed (HMAC-SHA-256, the home's key for `audit`) over the hash before it and its bytes.
//   L3. The head says how many entries there are and is keyed too: what is cut off at the end is missed.
//   L4. Nothing here changes or removes an entry; triggers of the table refuse that to any other code of ours.
//   L5. The key is derived when the first entry is written: a run that nobody has to look at never touches it.
//   L6. A log whose end was meddled with is gone on with, behind an entry that says so: it keeps nobody from working, and is not healed.
// Deliberately absent: values, commands, reasons, secrets. The log says who allowed which hash; the run's journal says what that was.

import type { Failure } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { RunEvent } from "../scheduler/event.ts";
import { type AuditReport, chained, DAMAGED, type Head, headMac, headOf } from "./audit-chain.ts";
import { checkAudit } from "./audit-check.ts";
import { type EntryBody, entryOf } from "./audit-entry.ts";
import type { Database } from "./database.ts";
import { type StoreError, storeFailed } from "./error.ts";
import { here } from "./here.ts";

/** One entry as it was written: its number, when, what, and the hash that holds it to the one before. */
export type AuditEntry = EntryBody & { n: number; at: string; chain: string };

export interface Audit {
  /** Writes what is no event of a run: a secret set or removed. Answers with the entry's number. Errors: store-*. */
  append(entry: Pick<EntryBody, "type" | "name" | "door">): Result<number, StoreError>;
  /** Newest first, at most `limit`, of those before entry `before`. Errors: store-*. */
  list(limit: number, before?: number): Result<AuditEntry[], StoreError>;
  /** Reads the whole log, and the journals beside it. Errors: store-*. */
  verify(): Result<AuditReport, StoreError>;
}

/** For the journal, inside of its transactions. */
export interface AuditWriter {
  /** Writes entries for those of `events` that the log is about. */
  write(run: string, events: readonly RunEvent[]): Result<void, StoreError>;
  /** Writes what is no event, inside of a transaction of somebody else. */
  note(entry: EntryBody, at: string): Result<number, StoreError>;
}

export type AuditKey = () => Result<Buffer, Failure>;

/** `key`: the home's key for `audit`; asked for once, at the first entry. */
export function openAudit(database: Database, key: AuditKey): Audit & AuditWriter {
  let known: Buffer | undefined;
  const keyed = (): Result<Buffer, StoreError> => {
    if (known !== undefined) return ok(known);
    const derived = key();
    if (!derived.ok) return err(storeFailed("the audit log", derived.error.message));
    known = derived.value;
    return ok(known);
  };

  function write(run: string, events: readonly RunEvent[]): Result<void, StoreError> {
    for (const event of events) {
      const entry = entryOf(event);
      if (entry === undefined) continue;
      const place = placeOf(database, run, entry.path);
      const written = add({ ...entry, ...place, event: { run, seq: event.seq } }, event.at);
      if (!written.ok) return written;
    }
    return ok(undefined);
  }

  /** Inside of a transaction: nobody else writes between the head that is read and the one that is written. */
  function add(entry: EntryBody, at: string): Result<number, StoreError> {
    const secret = keyed();
    if (!secret.ok) return secret;
    const head = headOf(database);
    if (head.fits(secret.value)) return ok(put(secret.value, head, { at, ...entry }));
    // L6. Work goes on, and what was seen stays on record.
    const last = database.get("SELECT n, hash FROM audit ORDER BY n DESC LIMIT 1");
    const count = Math.max(head.count, Number(last?.n ?? 0));
    put(secret.value, { ...head, count, hash: String(last?.hash ?? "") }, { at, type: DAMAGED });
    return ok(put(secret.value, headOf(database), { at, ...entry }));
  }

  function put(
    secret: Buffer,
    head: Pick<Head, "since" | "count" | "hash">,
    entry: EntryBody & { at: string },
  ): number {
    const n = head.count + 1;
    const body = JSON.stringify({ n, ...entry });
    const chain = chained(secret, head.hash, body);
    database.run("INSERT INTO audit (n, body, hash) VALUES (?, ?, ?)", n, body, chain);
    const mac = headMac(secret, head.since, n, chain);
    database.run("UPDATE audit_head SET count = ?, hash = ?, mac = ?", n, chain, mac);
    return n;
  }

  return {
    write,
    note: add,
    append: (entry) =>
      database.transaction(() => {
        const { user, from } = here();
        return add({ ...entry, by: user, from }, new Date().toISOString());
      }),
    list: (limit, before = Number.MAX_SAFE_INTEGER) =>
      database.guard(() =>
        ok(
          database
            .all(
              "SELECT n, body, hash FROM audit WHERE n < ? ORDER BY n DESC LIMIT ?",
              before,
              Math.max(1, Math.min(limit, limits.auditListedMax)),
            )
            .map(readEntry),
        ),
      ),
    verify: () => checkAudit(database, keyed),
  };
}

/** The run and the path as a person names them: of the outermost run, `sub/gate` for what a subflow's run calls `gate`. */
function placeOf(database: Database, run: string, path: string | undefined): { run: string; path?: string } {
  let outermost = run;
  let full = path;
  for (let depth = 0; depth <= limits.subflowDepthMax; depth++) {
    const row = database.get("SELECT parent, parent_path FROM runs WHERE id = ?", outermost);
    if (row === undefined || row.parent === null) break;
    outermost = String(row.parent);
    full = full === undefined ? String(row.parent_path) : `${row.parent_path}/${full}`;
  }
  return { run: outermost, ...(full === undefined ? {} : { path: full }) };
}

/** What cannot be read is shown as such, so that the list can be looked at when something is wrong. */
function readEntry(row: Record<string, unknown>): AuditEntry {
  const known = { n: Number(row.n), at: "", type: "unreadable", chain: String(row.hash) } as const;
  try {
    return { ...known, ...JSON.parse(String(row.body)), n: known.n, chain: known.chain };
  } catch {
    return known;
  }
}
