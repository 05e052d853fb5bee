// run-query: finds and counts runs in the index.
//   Q1. A page costs about as much as its rows, however long the history is: each select reads one index in page order.
//   Q2. A cursor holds the sort key of the last row, so that runs that come or go do not repeat or hide others.

import { firstRunIdAt, runIdTimeMs } from "../base/ids.ts";
import type { Now } from "../base/now.ts";
import { ok, type Result } from "../base/result.ts";
import type { RunStatus } from "../scheduler/state.ts";
import { type Asking, all, get, type Sql } from "./ask.ts";
import type { SqlRow } from "./database.ts";
import type { StoreError } from "./error.ts";
import type { RunQuery } from "./journal.ts";
import { settleQuery } from "./row.ts";

interface Term {
  where: string;
  values?: (string | number)[];
}

interface Select {
  sql: string;
  values: (string | number)[];
}

/** The rows of a page in its order, and the cursor of the next page. */
export function* pageOfRuns(query: RunQuery): Asking<{ rows: SqlRow[]; next?: string }> {
  const { limit, statuses } = settleQuery(query);
  const { sort = "newest" } = query;
  const byTime = sort === "longest" || sort === "shortest";
  const found = new Map<string, SqlRow>();
  for (const { sql, values } of byTime ? [selectByTime(query, statuses)] : selectsById(query, statuses))
    for (const row of yield* all(sql, ...values, limit + 1)) found.set(row.id as string, row);
  const up = sort === "oldest" ? 1 : -1;
  const sorted = byTime ? [...found.values()] : [...found.values()].sort((a, b) => (a.id! < b.id! ? -up : up));
  const rows = sorted.slice(0, limit);
  const last = sorted.length > limit ? rows.at(-1)! : undefined;
  if (last === undefined) return { rows };
  return { rows, next: byTime ? `${last.took_ms}-${last.id}` : String(last.id) };
}

/** The failure of a run is in its last event. */
const FAILED_AT = `status = 'failed' AND EXISTS (
  SELECT 1 FROM events WHERE events.run = runs.key AND seq = last_seq AND instr(body, ?) > 0)`;

/** All conditions but workflow, status, and cursor. */
function termsOf(query: RunQuery): Term[] {
  const terms: Term[] = [];
  const add = (where: string, ...values: (string | number)[]) => terms.push({ where, values });
  const { sinceMs, untilMs, trigger, kinds, text, failedAt } = query;
  // Ids sort by creation time.
  if (sinceMs !== undefined) add("id >= ?", firstRunIdAt(sinceMs));
  if (untilMs !== undefined) add("id < ?", firstRunIdAt(untilMs));
  if (typeof query.children === "object") add("parent = ?", query.children.of);
  else if (query.children !== "all") add("parent IS NULL");
  if (query.begun) add("last_seq > 0");
  if (query.asking) add("waiting > 0");
  if (trigger !== undefined) add("instr(started_by, ?) > 0", `"kind":${JSON.stringify(trigger)}`);
  if (kinds !== undefined) add(`kind IN (${kinds.map(() => "?").join(", ")})`, ...kinds);
  if (query.tests === false) add("kind <> 'test'");
  if (text !== undefined)
    add("(name || char(10) || file || char(10) || id) LIKE ? ESCAPE '\\'", `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`);
  if (failedAt !== undefined) add(FAILED_AT, `"type":"run.failed","node":${JSON.stringify(failedAt)},`);
  return terms;
}

function select(what: string, terms: readonly Term[], rest: string): Select {
  const where = terms.map((term) => term.where).join(" AND ") || "1 = 1";
  return { sql: `${what} WHERE ${where} ${rest}`, values: terms.flatMap((term) => term.values ?? []) };
}

/**
 * The selects that together give the page, each reading one index in id order. A single select with
 * `name = x OR file = x` and `status IN (…)` would sort or scan a long history.
 */
function selectsById(query: RunQuery, statuses: readonly RunStatus[] | undefined): Select[] {
  const { workflow, kinds, cursor } = query;
  const isUp = query.sort === "oldest";
  const shared = termsOf(query);
  if (cursor !== undefined) shared.push({ where: isUp ? "id > ?" : "id < ?", values: [cursor] });
  const order = `ORDER BY id ${isUp ? "ASC" : "DESC"} LIMIT ?`;
  const one = (index: string, ...own: Term[]) => select(`SELECT * FROM runs ${index}`, [...own, ...shared], order);
  const status = (value: RunStatus) => ({ where: "status = ?", values: [value] });
  if (workflow !== undefined) {
    const places = ["name", "file"].map((place) => ({ place, term: { where: `${place} = ?`, values: [workflow] } }));
    return places.flatMap(({ place, term }) =>
      statuses
        ? statuses.map((each) => one(`INDEXED BY runs_by_${place}`, term, status(each)))
        : [one(`INDEXED BY runs_by_${place}`, term)],
    );
  }
  if (statuses) return statuses.map((each) => one("INDEXED BY runs_by_status", status(each)));
  if (kinds) return kinds.map((kind) => one("INDEXED BY runs_by_kind", { where: "kind = ?", values: [kind] }));
  return [one("")];
}

function selectByTime(query: RunQuery, statuses: readonly RunStatus[] | undefined): Select {
  const isUp = query.sort === "shortest";
  const terms = [{ where: "took_ms IS NOT NULL" }, ...termsOf(query), ...narrowing(query, statuses)];
  const [, tookMs, id] = /^(\d+)-(.+)$/.exec(query.cursor ?? "") ?? [];
  if (id !== undefined) terms.push({ where: `(took_ms, id) ${isUp ? ">" : "<"} (?, ?)`, values: [Number(tookMs), id] });
  const way = isUp ? "ASC" : "DESC";
  return select("SELECT * FROM runs", terms, `ORDER BY took_ms ${way}, id ${way} LIMIT ?`);
}

/** Workflow and status as plain conditions. */
function narrowing({ workflow }: RunQuery, statuses: readonly RunStatus[] | undefined): Term[] {
  const terms: Term[] = [];
  if (workflow !== undefined) terms.push({ where: "(name = ? OR file = ?)", values: [workflow, workflow] });
  if (statuses !== undefined)
    terms.push({ where: `status IN (${statuses.map(() => "?").join(", ")})`, values: [...statuses] });
  return terms;
}

/** `slices`: how many there are at most. */
export type CountQuery = RunQuery & { untilMs: number; slices: number };

export interface RunCounts {
  sinceMs: number;
  untilMs: number;
  /** The length of a slice. */
  stepMs: number;
  /** Slices without runs are left out. `at`: the number of the slice. */
  slices: { at: number; status: RunStatus; runs: number }[];
}

/**
 * Counts the runs of `query` by status, in equal slices of its time. Without `sinceMs`, it starts at the oldest run.
 * Errors: store-*.
 */
export function countRuns(database: Sql, query: CountQuery): Now<Result<RunCounts, StoreError>> {
  return database.guard(function* () {
    const { untilMs } = query;
    const oldestMs = query.sinceMs ?? runIdTimeMs(String((yield* get(OLDEST))?.id)) ?? untilMs;
    const sinceMs = Math.min(oldestMs, untilMs);
    const stepMs = Math.max(1, Math.ceil((untilMs - sinceMs) / query.slices));
    const { statuses } = settleQuery(query);
    const terms = [...termsOf({ ...query, sinceMs }), ...narrowing(query, statuses)];
    // The id has the time at which the run was decided. A run may start a moment later.
    const { sql, values } = select(
      `SELECT ${SLICE} AS slice, status, count(*) AS runs FROM runs`,
      terms,
      "GROUP BY 1, 2",
    );
    const rows = yield* all(sql, query.slices - 1, sinceMs, stepMs, ...values);
    const slices = rows.map(({ slice, status, runs }) => ({
      ...{ at: Number(slice), status: status as RunStatus, runs: Number(runs) },
    }));
    return ok({ sinceMs, untilMs, stepMs, slices });
  });
}

/** The number of a run's slice: the last one, when the first begins, how long each is. */
export const SLICE = "max(0, min(?, CAST((unixepoch(started_at, 'subsec') * 1000 - ?) / ? AS INTEGER)))";

const OLDEST = "SELECT id FROM runs WHERE parent IS NULL ORDER BY id LIMIT 1";
