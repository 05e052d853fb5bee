// sqlite-check: the self-check of a SQLite journal (`curlew doctor`). Reads everything, changes nothing.

import { ok, type Result } from "../base/result.ts";
import type { Database, SqlRow } from "./database.ts";
import type { StoreError } from "./error.ts";
import type { Finding } from "./journal.ts";

/** Findings named of one kind; a damaged file could give one a record. */
const FINDINGS_EACH = 100;

export function checkJournal(database: Database): Result<Finding[], StoreError> {
  return database.guard(() => {
    const damage = database.all(`PRAGMA integrity_check(${FINDINGS_EACH})`).map((row) => String(row.integrity_check));
    const findings: Finding[] = damage
      .filter((line) => line !== "ok")
      .map((line) => ({ code: "store-damaged", message: `SQLite's integrity check: ${line}` }));
    return ok([...findings, ...gaps(database), ...strays(database), ...unreadable(database)]);
  });
}

/** J2 of journal.ts, and the index row says the same last event as the events. */
function gaps(database: Database): Finding[] {
  const rows = database.all(
    `SELECT id, last_seq, n, first, last FROM runs LEFT JOIN
       (SELECT run, count(*) AS n, min(seq) AS first, max(seq) AS last FROM events GROUP BY run) ON run = key
     WHERE coalesce(n, 0) <> coalesce(last, 0) OR coalesce(first, 1) <> 1 OR last_seq <> coalesce(last, 0) LIMIT ${FINDINGS_EACH}`,
  );
  return rows.map((row): Finding => {
    const run = String(row.id);
    const whole = (row.n ?? 0) === (row.last ?? 0) && (row.first ?? 1) === 1;
    return whole
      ? {
          code: "index-behind",
          run,
          message: `The index says that run "${run}" ends at event ${row.last_seq}, its journal ends at ${row.last ?? 0}.`,
        }
      : {
          code: "journal-gap",
          run,
          message: `The journal of run "${run}" has ${row.n} events, but its last one is number ${row.last}.`,
        };
  });
}

function strays(database: Database): Finding[] {
  const sql = `SELECT run, count(*) AS n FROM events WHERE run NOT IN (SELECT key FROM runs) GROUP BY run LIMIT ${FINDINGS_EACH}`;
  return database
    .all(sql)
    .map((row): Finding => ({ code: "journal-without-run", message: `${row.n} events belong to no run.` }));
}

function unreadable(database: Database): Finding[] {
  const sql = `SELECT id, seq FROM events JOIN runs ON run = key WHERE NOT json_valid(body) LIMIT ${FINDINGS_EACH}`;
  return database.all(sql).map((row: SqlRow): Finding => {
    const run = String(row.id);
    return { code: "record-damaged", run, message: `Event ${row.seq} of run "${run}" is no valid JSON.` };
  });
}
