// Commands of imported workflows that a person has seen and approved, by a hash of everything that affects what they do
// (spec 4.2; workflow/contents.ts computes the hash).
//   T1. Adding or removing a hash and writing its audit entry is one transaction.
//   T2. A hash stays trusted until someone removes it. Adding it again has no effect and writes no second audit entry.

import { limits } from "../base/limits.ts";
import type { Now } from "../base/now.ts";
import { ok, type Result } from "../base/result.ts";
import { actorHere } from "./actor.ts";
import { type Asking, all, run as execute, get, type Sql } from "./ask.ts";
import type { AuditWriter } from "./audit.ts";
import type { StoreError } from "./error.ts";

export interface Trusted {
  /** Hexadecimal SHA-256. */
  hash: string;
  /** The workflow file and node in which it was approved, for display. */
  file: string;
  node: string;
  by: string;
  at: string;
}

export interface Trust {
  /** Those of `hashes` that are trusted. Errors: store-*. */
  known(hashes: readonly string[]): Now<Result<Set<string>, StoreError>>;
  /** Returns how many were not trusted before. `door`: how the approval was given. Errors: store-*. */
  add(commands: readonly Omit<Trusted, "at">[], door: string): Now<Result<number, StoreError>>;
  /** Newest first. Errors: store-*. */
  list(): Now<Result<Trusted[], StoreError>>;
  /** Takes full hashes and returns how many were found. Errors: store-*. */
  remove(hashes: readonly string[], door: string): Now<Result<number, StoreError>>;
}

export function openTrust(database: Sql, audit: AuditWriter): Trust {
  function* isKnown(hash: string): Asking<boolean> {
    return (yield* get("SELECT 1 FROM trusted WHERE hash = ?", hash)) !== undefined;
  }

  return {
    known: (hashes) =>
      database.guard(function* () {
        const known = new Set<string>();
        for (const hash of hashes) if (yield* isKnown(hash)) known.add(hash);
        return ok(known);
      }),
    add: (commands, door) =>
      database.transaction(function* () {
        const at = new Date().toISOString();
        let added = 0;
        for (const { hash, file, node, by } of commands) {
          if (yield* isKnown(hash)) continue;
          yield* execute(
            "INSERT INTO trusted (hash, file, node, by, at) VALUES (?, ?, ?, ?, ?)",
            hash,
            file,
            node,
            by,
            at,
          );
          const noted = yield* audit.note(
            { type: "command.trusted", name: node, hash, by, door, from: actorHere().from },
            at,
          );
          if (!noted.ok) return noted;
          added += 1;
        }
        return ok(added);
      }),
    list: () =>
      database.guard(function* () {
        const rows = yield* all(
          "SELECT hash, file, node, by, at FROM trusted ORDER BY at DESC, hash LIMIT ?",
          limits.trustListedMax,
        );
        return ok(rows.map((row) => row as unknown as Trusted));
      }),
    remove: (hashes, door) =>
      database.transaction(function* () {
        const { user, from } = actorHere();
        let removed = 0;
        for (const hash of new Set(hashes)) {
          const row = yield* get("SELECT node FROM trusted WHERE hash = ?", hash);
          if (row === undefined) continue;
          yield* execute("DELETE FROM trusted WHERE hash = ?", hash);
          const entry = { type: "command.distrusted", name: String(row.node), hash, by: user, door, from };
          const noted = yield* audit.note(entry, new Date().toISOString());
          if (!noted.ok) return noted;
          removed += 1;
        }
        return ok(removed);
      }),
  };
}
