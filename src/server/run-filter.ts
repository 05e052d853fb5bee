// Parses the query of `GET /runs` for the store (spec 2.4).

import { join, resolve } from "node:path";
import { isRunId } from "../base/ids.ts";
import { limits } from "../base/limits.ts";
import type { RunStatus } from "../scheduler/state.ts";
import { RUN_STATUSES } from "../scheduler/statuses.ts";
import type { RunQuery } from "../store/index.ts";
import { wholeNumber } from "./asked-number.ts";
import { problem } from "./problem.ts";

const KINDS = ["cli", "api", "schedule", "webhook", "file", "subflow", "mcp"];
const NAMES = ["status", "workflow", "path", "trigger", "since", "until", "text", "failed", "limit", "cursor"];

/** `path` is relative to `folder`. So is a `workflow` that looks like a file name. */
export function listQuery(query: URLSearchParams, folder: string): RunQuery | Response {
  const unknown = [...query.keys()].find((name) => !NAMES.includes(name));
  if (unknown !== undefined) return bad(`"${unknown}" is not one of ${NAMES.join(", ")}.`);
  const statuses = query.getAll("status").flatMap((each) => each.split(",")) as RunStatus[];
  const strange = statuses.find((status) => !RUN_STATUSES.includes(status));
  if (strange !== undefined) return bad(`No status is called "${strange}". There are ${RUN_STATUSES.join(", ")}.`);
  const trigger = query.get("trigger");
  if (trigger !== null && !KINDS.includes(trigger)) return bad(`"trigger" is one of ${KINDS.join(", ")}.`);
  const limit = query.get("limit") === null ? limits.runsListedDefault : wholeNumber(query.get("limit") ?? "");
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > limits.runsListedMax)
    return bad(`"limit" is a whole number from 1 to ${limits.runsListedMax}.`);
  const times = { since: timeOf(query.get("since")), until: timeOf(query.get("until")) };
  if (Number.isNaN(times.since) || Number.isNaN(times.until))
    return bad('"since" and "until" are times as in ISO 8601.');
  const cursor = query.get("cursor");
  if (cursor !== null && !isRunId(cursor)) return bad('"cursor" is the "next" of a page before.');
  const path = query.get("path");
  const named = query.get("workflow");
  const isPath = named !== null && /.\.flow\.(?:ya?ml|json)$/.test(named);
  const workflow = isPath ? resolve(folder, named) : (named ?? (path === null ? null : join(folder, path)));
  return {
    limit,
    ...given("cursor", cursor),
    ...given("workflow", workflow),
    ...given("trigger", trigger),
    ...given("text", query.get("text")),
    ...given("failedAt", query.get("failed")),
    ...(statuses.length === 0 ? {} : { status: statuses }),
    ...(times.since === undefined ? {} : { sinceMs: times.since }),
    ...(times.until === undefined ? {} : { untilMs: times.until }),
  };
}

function given<Name extends string>(name: Name, value: string | null): { [Key in Name]?: string } {
  return value === null || value === "" ? {} : ({ [name]: value } as { [Key in Name]: string });
}

function timeOf(text: string | null): number | undefined {
  if (text === null || text === "") return undefined;
  // Date.parse accepts too much: "1" is a day in 2001.
  return /^\d{4}(?:-|$)/.test(text) ? Date.parse(text) : Number.NaN;
}

function bad(detail: string): Response {
  return problem("bad-query", { detail });
}
