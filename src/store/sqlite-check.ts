// The self-check of a SQLite journal (`curlew doctor`). Reads everything and changes nothing.

import { limits } from "../base/limits.ts";
import { ok, type Result } from "../base/result.ts";
import { type Asking, all, answered } from "./ask.ts";
import type { Database, SqlRow } from "./database.ts";
import type { StoreError } from "./error.ts";
import type { Finding } from "./journal.ts";
import { decodeEvent } from "./row.ts";
import { readRow } from "./sqlite-row.ts";

/** The most findings per kind. A damaged file could otherwise produce one per record. */
export const FINDINGS_EACH = 100;

export function checkJournal(database: Database): Result<Finding[], StoreError> {
  return database.guard(() => {
    const damage = database.all(`PRAGMA integrity_check(${FINDINGS_EACH})`).map((row) => String(row.integrity_check));
    const findings: Finding[] = damage
      .filter((line) => line !== "ok")
      .map((line) => ({ code: "store-damaged", message: `SQLite's integrity check: ${line}` }));
    return ok([...findings, ...answered(database, checkRecords())]);
  });
}

/** The checks that are the same for every database. */
export function* checkRecords(): Asking<Finding[]> {
  return [...(yield* gaps()), ...(yield* strays()), ...(yield* damaged())];
}

/** Checks J2 of journal.ts, and that the index row has the same last event as the events. */
function* gaps(): Asking<Finding[]> {
  const rows = yield* all(
    `SELECT id, last_seq, n, first, last FROM runs LEFT JOIN
       (SELECT run, count(*) AS n, min(seq) AS first, max(seq) AS last FROM events GROUP BY run) AS of_run ON run = key
     WHERE coalesce(n, 0) <> coalesce(last, 0) OR coalesce(first, 1) <> 1 OR last_seq <> coalesce(last, 0) LIMIT ${FINDINGS_EACH}`,
  );
  return rows.map((row): Finding => {
    const run = String(row.id);
    const whole = (row.n ?? 0) === (row.last ?? 0) && (row.first ?? 1) === 1;
    return whole
      ? {
          code: "index-behind",
          run,
          message: `The index ends run "${run}" at event ${row.last_seq}, but its journal ends at ${row.last ?? 0}.`,
        }
      : {
          code: "journal-gap",
          run,
          message: `The journal of run "${run}" has ${row.n} events, but its last one is number ${row.last}.`,
        };
  });
}

function* strays(): Asking<Finding[]> {
  const sql = `SELECT run, count(*) AS n FROM events WHERE run NOT IN (SELECT key FROM runs) GROUP BY run LIMIT ${FINDINGS_EACH}`;
  return (yield* all(sql)).map(
    (row): Finding => ({ code: "journal-without-run", message: `${row.n} events belong to no run.` }),
  );
}

/** Events and index rows that cannot be decoded. */
function* damaged(): Asking<Finding[]> {
  const findings: Finding[] = [];
  const found = (run: string, message: string): void => {
    if (findings.length < FINDINGS_EACH) findings.push({ code: "record-damaged", run, message });
  };
  yield* walk("SELECT key AS at, * FROM runs WHERE key > ? ORDER BY key LIMIT ?", (row) => {
    if (!readRow(row).ok) found(String(row.id), `Curlew can't read the index entry of run "${row.id}".`);
  });
  const events = "SELECT pos AS at, seq, body, id FROM events JOIN runs ON run = key";
  yield* walk(`${events} WHERE pos > ? ORDER BY pos LIMIT ?`, (row) => {
    const [run, seq] = [String(row.id), Number(row.seq)];
    if (!decodeEvent(run, seq, String(row.body)).ok) found(run, `Event ${seq} of run "${run}" is not valid JSON.`);
  });
  return findings;
}

/** `sql` selects a page of rows after the position `at`. */
export function* walk(sql: string, visit: (row: SqlRow) => void): Asking<void> {
  for (let at = 0; ; ) {
    const rows = yield* all(sql, at, limits.journalPageEvents);
    for (const row of rows) visit(row);
    if (rows.length < limits.journalPageEvents) return;
    at = Number(rows.at(-1)!.at);
  }
}
