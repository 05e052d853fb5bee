// server-call: the running server of a data directory, found through server.json and called with its token (spec 2.7).
// Its errors become messages of the command line.
//   C1. A server counts as running only if it responds. The file alone may be left over from an earlier one.

import type { Problem as ServerProblem } from "../api/shapes.ts";
import { readServerFile } from "../app/instance.ts";
import { shortRunId } from "../base/ids.ts";
import { limits } from "../base/limits.ts";
import { isAlive } from "../engine/recovery/owner.ts";
import { processStat } from "../process/identity.ts";
import type { RunRow } from "../store/index.ts";
import { type Problem, problem } from "./problem.ts";

export interface FoundServer {
  pid: number;
  url: string;
  /** `path` is below /api/v1. A body is sent as JSON. Undefined if the server does not respond. */
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown } | undefined>;
}

/** Undefined if no server responds. */
export async function serverOf(home: string): Promise<FoundServer | undefined> {
  const file = readServerFile(home);
  if (file === undefined) return undefined;
  const { url, token, pid } = file;
  const authorization = `Bearer ${token}`;
  const call: FoundServer["call"] = async (method, path, body) => {
    try {
      const response = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: body === undefined ? { authorization } : { authorization, "content-type": "application/json" },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: AbortSignal.timeout(limits.serverAnswerMs),
      });
      return { status: response.status, body: await response.json().catch(() => undefined) };
    } catch {
      return undefined;
    }
  };
  // A stopped process would only let the time limit pass.
  if (processStat(pid)?.stopped === true) return undefined;
  return (await call("GET", "/server"))?.status === 200 ? { url, pid, call } : undefined;
}

/** The server of this data directory if it owns the run. "silent": it owns the run but does not respond. */
export async function serverAtWork({ owner }: RunRow, home: string): Promise<FoundServer | "silent" | undefined> {
  if (owner === undefined || !isAlive(owner) || readServerFile(home)?.pid !== owner.pid) return undefined;
  return (await serverOf(home)) ?? "silent";
}

/** The problem when the server that owns the run does not respond. */
export function silentAbout(run: string): { problem: Problem } {
  const message = `The server of this home is at work on run ${shortRunId(run)}, and does not answer.`;
  return { problem: problem("no-server", message, "Try again, or end the server: the next one continues its runs.") };
}

/** The route's response as `{ body }`, or its error as `{ problem }`. */
export async function callServer<Body>(
  server: FoundServer,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ body: Body } | { problem: Problem }> {
  const answer = await server.call(method, path, body);
  if (answer === undefined) return { problem: problem("no-server", "The server no longer responds.") };
  if (answer.status < 300) return { body: answer.body as Body };
  const { code, title, detail, hint } = answer.body as ServerProblem;
  return { problem: problem(code, detail ?? title, hint) };
}
