// api: the HTTP client of the web UI (spec 2.4). Paths come from src/api/routes.ts, shapes from src/api/shapes.ts.
//   C1. Every response outside 2xx becomes a `Refusal` with the server's problem. If the server is unreachable, its
//       code is `no-server`.
//   C2. A 401 ends the session (session.ts S2). Without a session, nothing is sent.
// Requests that change something are never retried.

import { type QueryValues, queryText } from "../../api/address.ts";
import { API_PREFIX } from "../../api/routes.ts";
import type { Problem } from "../../api/shapes.ts";
import { signOut, useSession } from "./session.ts";

export class Refusal extends Error {
  readonly problem: Problem;
  /** The response body: 412 `document-changed` carries `current`. */
  readonly body: unknown;
  constructor(problem: Problem, body: unknown = problem) {
    super(problem.detail ?? problem.title);
    this.problem = problem;
    this.body = body;
  }
}

export interface Ask {
  method?: "GET" | "PUT" | "POST" | "DELETE";
  body?: unknown;
  headers?: Record<string, string>;
  query?: QueryValues;
  signal?: AbortSignal;
}

/** `path` is below /api/v1, its parts encoded: `at("workflows", path, "runs")`. */
export async function ask<Answer>(path: string, options: Ask = {}): Promise<Answer> {
  const answer = await askRaw(path, options);
  return (answer.status === 204 ? undefined : await answer.json()) as Answer;
}

/** The raw response, for headers, bytes or a stream. */
export async function askRaw(
  path: string,
  { method = "GET", body, headers, query, signal }: Ask = {},
): Promise<Response> {
  const { token } = useSession.getState();
  if (token === undefined) throw new Refusal(SIGNED_OUT);
  const changes = method !== "GET";
  let answer: Response;
  try {
    answer = await fetch(`${API_PREFIX}${path}${queryText(query)}`, {
      method,
      cache: "no-store",
      headers: {
        accept: "application/json",
        authorization: `Bearer ${token}`,
        ...(changes && { "content-type": "application/json" }),
        ...headers,
      },
      body: changes ? JSON.stringify(body ?? {}) : undefined,
      signal,
    });
  } catch (reason) {
    if (signal?.aborted) throw reason;
    throw new Refusal(NO_SERVER);
  }
  if (answer.ok) return answer;
  if (answer.status === 401) signOut("stale-token", token);
  const told: unknown = await answer.json().catch(() => undefined);
  throw new Refusal(problemIn(told, answer), told);
}

/** A problem that this page found, as the server would report it. */
export function ownProblem(code: string, title: string, more: Partial<Problem> = {}): Problem {
  return { type: "about:blank", status: 0, code, title, ...more };
}

const NO_SERVER = ownProblem("no-server", "The server is not responding", {
  hint: "Start it again with `curlew serve`. This page reconnects automatically.",
});

const SIGNED_OUT = ownProblem("no-token", "You are signed out", {
  ...{ status: 401, hint: "Run `curlew serve`, and open the link that it prints." },
});

function problemIn(told: unknown, answer: Response): Problem {
  if (typeof told === "object" && told !== null && "title" in told && "code" in told) return told as Problem;
  return ownProblem("unknown", `The server returned ${answer.status}`, { status: answer.status });
}
