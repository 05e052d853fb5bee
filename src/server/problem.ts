// Builds error responses as RFC 9457 problem details (spec 2.4).
//   Q1. Every API response with a status of 400 or higher is a problem with a stable code.
//   Q2. It never contains a stack trace, a secret, or a path in the data directory.

import { PROBLEMS, type ProblemCode, type ProblemKind } from "../api/problems.ts";
import type { Problem } from "../api/shapes.ts";
import type { Failure } from "../base/failure.ts";
import type { PlainResponse } from "./unreadable.ts";

const PROBLEM_TYPE = "application/problem+json";

type More = Partial<Pick<Problem, "detail" | "hint" | "diagnostics">> & { [member: string]: unknown };

/** The response for a code in PROBLEMS. `more`: details and further members of the problem. */
export function problem(code: ProblemCode, more: More = {}, headers: Record<string, string> = {}): Response {
  return respond(bodyOf(code, more), headers);
}

/** The same without a Response: before the app, or if Node.js could not parse the request. */
export function plainProblem(code: ProblemCode, more: More, headers: Readonly<Record<string, string>>): PlainResponse {
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
    hint: kind.hint,
    ...more,
  };
}

/** A failure of another module, with its own code (docs/reference/failures.md, docs/reference/data-directory.md). */
export function failureProblem(failure: Failure, status = 422, more: More = {}): Response {
  return respond({
    type: `urn:curlew:problem:${failure.code}`,
    title: failure.message,
    status,
    code: failure.code,
    hint: failure.hint,
    ...more,
  });
}

/** Thrown deep inside a handler, to respond with its problem. */
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

/** The same failure without the path of the data directory, because a remote browser must not see that. */
export function withoutHome({ code, message, hint }: Failure, home: string): Failure {
  const plain = (text: string) => text.replaceAll(`${home}/`, "").replaceAll(home, "the home");
  return { code, message: plain(message), hint: hint === undefined ? undefined : plain(hint) };
}
