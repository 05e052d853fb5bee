// Checks that the audit log is unchanged and agrees with the journals (spec 4.2).
//   K1. The first invalid entry is reported. Entries after it cannot be checked.
//   K2. The existing journals are compared with the log in both directions. Removing a run removes its journal, but
//       its entries stay and are not compared.

import { limits } from "../base/limits.ts";
import type { Now } from "../base/now.ts";
import { ok, type Result } from "../base/result.ts";
import { type Asking, all, get, type Sql } from "./ask.ts";
import { type AuditFinding, type AuditReport, chained, DAMAGED, type Head, headOf } from "./audit-chain.ts";
import { type EntryBody, entryOf } from "./audit-entry.ts";
import type { SqlRow } from "./database.ts";
import type { StoreError } from "./error.ts";
import { decodeEvent } from "./row.ts";

type Found = Map<string, { n: number; entry: EntryBody }>;

export function checkAudit(database: Sql, key: () => Result<Buffer, StoreError>): Now<Result<AuditReport, StoreError>> {
  // In one snapshot, because another process may be writing.
  return database.snapshot(function* (): Asking<Result<AuditReport, StoreError>> {
    const head = yield* headOf();
    const entries = Number((yield* get("SELECT count(*) AS n FROM audit"))?.n ?? 0);
    const report = { entries, head: head.hash };
    // If nothing was ever logged, the data directory has no key yet, and a check does not create one.
    const secret = entries === 0 && head.count === 0 ? ok(Buffer.alloc(0)) : key();
    if (!secret.ok) return ok({ ...report, findings: [{ code: "audit-key", message: secret.error.message }] });
    const found: Found = new Map();
    const broken = yield* checkChain(secret.value, head, found);
    return ok({ ...report, findings: broken === undefined ? yield* checkJournals(head, found) : [broken] });
  });
}

/** K1. */
function* checkChain(key: Buffer, head: Head, found: Found): Asking<AuditFinding | undefined> {
  let hash = "";
  let n = 0;
  for (;;) {
    const page = yield* all(
      "SELECT n, body, hash FROM audit WHERE n > ? ORDER BY n LIMIT ?",
      n,
      limits.journalPageEvents,
    );
    for (const row of page) {
      const wrong = checkEntry(row, n + 1, key, hash, found);
      if (wrong !== undefined) return wrong;
      n += 1;
      hash = String(row.hash);
    }
    if (page.length < limits.journalPageEvents) break;
  }
  return checkHead(n, hash, key, head);
}

function checkEntry(row: SqlRow, n: number, key: Buffer, before: string, found: Found): AuditFinding | undefined {
  const body = String(row.body);
  if (row.n !== n)
    return { code: "audit-missing", entry: n, message: `Entry ${n} is missing: after ${n - 1} comes ${row.n}.` };
  if (row.hash !== chained(key, before, body))
    return {
      code: "audit-changed",
      entry: n,
      message:
        n === 1
          ? "Entry 1 was changed, or the key of the data directory is not the original one."
          : `Entry ${n} was changed, or does not follow entry ${n - 1}.`,
    };
  const entry = JSON.parse(body) as EntryBody;
  if (entry.type === DAMAGED)
    return {
      code: "audit-head",
      entry: n,
      message: `The end of the log had been changed before entry ${n} was written. Entries before it may be missing.`,
    };
  if (entry.event !== undefined) found.set(placeKey(entry.event.run, entry.event.seq), { n, entry });
  return undefined;
}

/** L3 of audit.ts. */
function checkHead(n: number, hash: string, key: Buffer, head: Head): AuditFinding | undefined {
  if (n < head.count)
    return {
      code: "audit-truncated",
      entry: n + 1,
      message: `The log ends at entry ${n}, but ${head.count} were written. Entry ${n + 1} is missing.`,
    };
  if (n === head.count && hash === head.hash && head.fits(key)) return undefined;
  return {
    code: "audit-head",
    entry: n + 1,
    message: `The recorded end of the log (${head.count} entries) was changed. Entries after ${n} may be missing.`,
  };
}

/** K2. */
function* checkJournals(head: Head, found: Found): Asking<AuditFinding[]> {
  const findings: AuditFinding[] = [];
  const rows = yield* all(
    `SELECT id, seq, body FROM events JOIN runs ON run = key
     WHERE pos > ? AND (seq = 1 OR body LIKE '%"type":"approval.%') ORDER BY pos`,
    head.since,
  );
  for (const row of rows) {
    const run = String(row.id);
    const event = decodeEvent(run, Number(row.seq), String(row.body));
    const said = event.ok ? entryOf(event.value) : undefined;
    if (said === undefined) continue;
    const place = placeKey(run, Number(row.seq));
    const logged = found.get(place);
    found.delete(place);
    if (logged === undefined || !tellsTheSame(logged.entry, said)) findings.push(unlogged(run, row, said, logged?.n));
  }
  for (const { n, entry } of found.values()) {
    if ((yield* get("SELECT 1 FROM runs WHERE id = ?", entry.event?.run ?? "")) === undefined) continue;
    findings.push({
      code: "audit-without-event",
      entry: n,
      run: entry.event!.run,
      message: `Entry ${n} records ${entry.type} in run ${entry.event!.run}, but the run's journal does not contain it.`,
    });
  }
  return findings.slice(0, limits.diagnosticsMax);
}

function unlogged(run: string, row: SqlRow, said: EntryBody, n: number | undefined): AuditFinding {
  const what = `event ${row.seq} of run ${run} (${said.type}${said.path === undefined ? "" : ` of "${said.path}"`})`;
  return n === undefined
    ? { code: "audit-unlogged", run, message: `The log has no entry for ${what}.` }
    : { code: "audit-unlogged", run, entry: n, message: `Entry ${n} differs from ${what}.` };
}

/** The log has the outermost run and path, and only the log says who started a run. These are not compared. */
function tellsTheSame(logged: EntryBody, said: EntryBody): boolean {
  const facts = (entry: EntryBody) =>
    entry.type === "run.started"
      ? [entry.type, entry.inAdvance, entry.advanced, entry.advancedCount]
      : [entry.type, entry.hash, entry.by, entry.door, entry.from, entry.edited, entry.as];
  return JSON.stringify(facts(logged)) === JSON.stringify(facts(said));
}

function placeKey(run: string, seq: number): string {
  return `${run} ${seq}`;
}
