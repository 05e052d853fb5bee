// problem: a refusal as RFC 9457 problem details (spec 2.4).
//   Q1. Every answer of the API with a status of 400 and more is one of these, with a stable code.
//   Q2. Never a stack, never a secret, never where files of the home lie.

import { PROBLEMS, type ProblemCode, type ProblemKind } from "../api/problems.ts";
import type { Problem } from "../api/shapes.ts";
import type { Failure } from "../base/failure.ts";
import type { Said } from "./unreadable.ts";

export const PROBLEM_TYPE = "application/problem+json";

type More = Partial<Pick<Problem, "detail" | "hint" | "diagnostics">> & { [member: string]: unknown };

/** A refusal of a code in PROBLEMS. `more`: what was seen, and what else belongs into this problem. */
export function problem(code: ProblemCode, more: More = {}, headers: Record<string, string> = {}): Response {
  return respond(bodyOf(code, more), headers);
}

/** The same for who has no Response: before the app, and where Node could read no request. */
export function saidProblem(code: ProblemCode, more: More, headers: Readonly<Record<string, string>>): Said {
  const body = bodyOf(code, more);
  return {
    status: body.status,
    headers: { ...headers, "content-type": PROBLEM_TYPE },
    text: `${JSON.stringify(body)}\n`,
  };
}

function bodyOf(code: ProblemCode, more: More): Problem {
  const kind: ProblemKind = PROBLEMS[code];
  return {
    type: `urn:curlew:problem:${code}`,
    title: kind.title,
    status: kind.status,
    code,
    ...(kind.hint === undefined ? {} : { hint: kind.hint }),
    ...more,
  };
}

/** What another room refused, with its own code (docs/reference/failures.md, docs/reference/data-directory.md). */
export function failureProblem(failure: Failure, status = 422, more: More = {}): Response {
  return respond({
    type: `urn:curlew:problem:${failure.code}`,
    title: failure.message,
    status,
    code: failure.code,
    ...(failure.hint === undefined ? {} : { hint: failure.hint }),
    ...more,
  });
}

/** For what is found out deep inside of a handler: thrown, and answered with the problem. */
export class Refused extends Error {
  override name = "Refused";
  readonly response: Response;
  constructor(code: ProblemCode, more: More = {}, headers: Record<string, string> = {}) {
    super(code);
    this.response = problem(code, more, headers);
  }
}

function respond(body: Problem, headers: Record<string, string> = {}): Response {
  return new Response(`${JSON.stringify(body)}\n`, {
    status: body.status,
    headers: { "content-type": PROBLEM_TYPE, ...headers },
  });
}
