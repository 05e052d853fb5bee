// Checks the shape of the bodies that start or retry a run (spec 2.4). The workflow's own requirements are checked later.

import type { StartRun } from "../api/shapes.ts";
import type { Choice } from "../app/runs/retry-run.ts";
import { problem } from "./problem.ts";

const MEMBERS = ["inputs", "again", "only", "secrets", "approve"];

export function startRunOf(body: unknown): StartRun | Response {
  if (body === undefined) return {};
  if (!isMap(body)) return bad("It is a JSON object.");
  const strange = Object.keys(body).find((name) => !MEMBERS.includes(name));
  if (strange !== undefined) return bad(`"${strange}" is not one of ${MEMBERS.join(", ")}.`);
  const { inputs, again, only, secrets, approve } = body;
  if (inputs !== undefined && !isMap(inputs)) return bad('"inputs" is an object: a value for each name.');
  if (secrets !== undefined && !isTexts(secrets)) return bad('"secrets" is an object: a text for each name.');
  if (approve !== undefined && !isNames(approve)) return bad('"approve" is a list of nodes.');
  if (again !== undefined && !(isMap(again) && isText(again.run) && isTextOrNothing(again.from)))
    return bad('"again" is { "run": …, "from"?: … }.');
  if (only !== undefined && !isOnly(only))
    return bad('"only" is { "node" or "to": …, "run"?: …, "pinned"?: { NODE: text } }.');
  return body as StartRun;
}

/** The body of a retry. */
export function retryOf(body: unknown): Choice | Response {
  const { from, rerun, all, current, approve, ...rest } = isMap(body) ? body : {};
  const texts = from === undefined || typeof from === "string";
  const names = [rerun, approve].every((each) => each === undefined || isNames(each));
  const flags = [all, current].every((each) => each === undefined || typeof each === "boolean");
  if ((body !== undefined && !isMap(body)) || !texts || !names || !flags || Object.keys(rest).length > 0)
    return problem("bad-body", { detail: 'It takes { "from"?, "rerun"?: [], "all"?, "current"?, "approve"?: [] }.' });
  if (all === true && (from !== undefined || rerun !== undefined))
    return problem("bad-body", { detail: '"all" keeps nothing; "from" and "rerun" say what is not kept.' });
  return (isMap(body) ? body : {}) as Choice;
}

function isOnly(only: unknown): boolean {
  if (!isMap(only) || !isTextOrNothing(only.run)) return false;
  if (only.pinned !== undefined && !isTexts(only.pinned)) return false;
  return isText(only.node) !== isText(only.to) && isTextOrNothing(only.node) && isTextOrNothing(only.to);
}

export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isTexts(value: unknown): value is Record<string, string> {
  return isMap(value) && Object.values(value).every((each) => typeof each === "string");
}

export function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isTextOrNothing(value: unknown): boolean {
  return value === undefined || isText(value);
}

function bad(detail: string): Response {
  return problem("bad-body", { detail });
}
