// Parses the queries of `GET /runs` and `GET /runs/counts` for the store (spec 2.4).

import { join, resolve } from "node:path";
import { isRunId } from "../base/ids.ts";
import { limits } from "../base/limits.ts";
import { START_KINDS, type StartKind } from "../scheduler/start-kind.ts";
import type { RunStatus } from "../scheduler/state.ts";
import { RUN_STATUSES } from "../scheduler/statuses.ts";
import { type CountQuery, RUN_SORTS, type RunQuery, type RunSort } from "../store/index.ts";
import { wholeNumber } from "./asked-number.ts";
import { problem } from "./problem.ts";

const KINDS = ["cli", "api", "schedule", "webhook", "file", "run", "subflow", "mcp"];
const FILTERS = ["status", "workflow", "path", "trigger", "kind", "tests", "since", "until", "text", "failed"];
const PAGING = ["sort", "limit", "cursor"];

/** A page of runs. */
export function listQuery(query: URLSearchParams, folder: string): RunQuery | Response {
  const filter = filterOf(query, folder, PAGING);
  if (filter instanceof Response) return filter;
  const limit = query.get("limit") === null ? limits.runsListedDefault : wholeNumber(query.get("limit") ?? "");
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > limits.runsListedMax)
    return bad(`"limit" must be an integer from 1 to ${limits.runsListedMax}.`);
  const sort = (query.get("sort") ?? "newest") as RunSort;
  if (!RUN_SORTS.includes(sort)) return bad(`"sort" must be one of ${RUN_SORTS.join(", ")}.`);
  const cursor = query.get("cursor");
  const id = sort === "longest" || sort === "shortest" ? cursor?.replace(/^\d{1,15}-/, "") : cursor;
  if (cursor !== null && (!isRunId(id ?? "") || (id === cursor) !== (sort === "newest" || sort === "oldest")))
    return bad('"cursor" is the "next" of a page before.');
  return { ...filter, limit, sort, cursor: cursor ?? undefined };
}

/** Counts of runs in slices of time. */
export function countQuery(query: URLSearchParams, folder: string, nowMs: number): CountQuery | Response {
  const filter = filterOf(query, folder, ["slices"]);
  if (filter instanceof Response) return filter;
  const slices = query.get("slices") === null ? limits.runSlicesDefault : wholeNumber(query.get("slices") ?? "");
  if (!Number.isSafeInteger(slices) || slices < 1 || slices > limits.runSlicesMax)
    return bad(`"slices" must be an integer from 1 to ${limits.runSlicesMax}.`);
  return { ...filter, untilMs: filter.untilMs ?? nowMs, slices };
}

/** `path` is relative to `folder`. So is a `workflow` that looks like a file name. */
function filterOf(query: URLSearchParams, folder: string, more: readonly string[]): RunQuery | Response {
  const names = [...FILTERS, ...more];
  const unknown = [...query.keys()].find((name) => !names.includes(name));
  if (unknown !== undefined) return bad(`"${unknown}" is not one of ${names.join(", ")}.`);
  // SQLite would end the pattern there and find every run, and PostgreSQL refuses such text.
  const [withNul] = [...query].find(([, value]) => value.includes("\0")) ?? [];
  if (withNul !== undefined) return bad(`"${withNul}" must not contain a NUL character.`);
  const statuses = query.getAll("status").flatMap((each) => each.split(",")) as RunStatus[];
  const strange = statuses.find((status) => !RUN_STATUSES.includes(status));
  if (strange !== undefined) return bad(`Unknown status "${strange}". Known statuses: ${RUN_STATUSES.join(", ")}.`);
  const kinds = query.getAll("kind").flatMap((each) => each.split(",")) as StartKind[];
  if (!kinds.every((kind) => START_KINDS.includes(kind)))
    return bad(`"kind" must be one of ${START_KINDS.join(", ")}.`);
  const tests = query.get("tests");
  if (tests !== null && tests !== "true" && tests !== "false") return bad('"tests" is true or false.');
  const trigger = query.get("trigger");
  if (trigger !== null && !KINDS.includes(trigger)) return bad(`"trigger" must be one of ${KINDS.join(", ")}.`);
  const times = { since: timeOf(query.get("since")), until: timeOf(query.get("until")) };
  if (Number.isNaN(times.since) || Number.isNaN(times.until))
    return bad('"since" and "until" are times as in ISO 8601.');
  const path = query.get("path");
  const named = query.get("workflow");
  const isPath = named !== null && /.\.flow\.(?:ya?ml|json)$/.test(named);
  const workflow = isPath ? resolve(folder, named) : (named ?? (path === null ? null : join(folder, path)));
  return {
    workflow: workflow || undefined,
    trigger: trigger || undefined,
    kinds: kinds.length === 0 ? undefined : kinds,
    tests: tests === "false" ? false : undefined,
    text: query.get("text") || undefined,
    failedAt: query.get("failed") || undefined,
    status: statuses.length === 0 ? undefined : statuses,
    sinceMs: times.since,
    untilMs: times.until,
  };
}

function timeOf(text: string | null): number | undefined {
  if (text === null || text === "") return undefined;
  // Date.parse accepts too much: "1" is a day in 2001.
  return /^\d{4}(?:-|$)/.test(text) ? Date.parse(text) : Number.NaN;
}

function bad(detail: string): Response {
  return problem("bad-query", { detail });
}
