// server-ask: calls the running server for commands, and turns its errors into command-line messages.

import type { Problem as ServerProblem } from "../api/shapes.ts";
import { shortRunId } from "../base/ids.ts";
import { type HomeOption, homeOf } from "./open.ts";
import { type Problem, problem } from "./problem.ts";
import { type FoundServer, serverOf } from "./server-call.ts";
import type { Terminal } from "./terminal.ts";

/** The server of this data directory, or undefined after a message on stderr. `why`: what it is needed for. */
export async function serverFor(
  why: string,
  help: string,
  options: HomeOption,
  terminal: Terminal,
): Promise<FoundServer | undefined> {
  const server = await serverOf(homeOf(options, terminal));
  if (server === undefined) terminal.problem(problem("no-server", `${why}, and none is running for this home.`, help));
  return server;
}

/** The problem when the server that owns the run does not respond. */
export function silentAbout(run: string): { said: Problem } {
  const message = `The server of this home is at work on run ${shortRunId(run)}, and does not answer.`;
  return { said: problem("no-server", message, "Try again, or end the server: the next one continues its runs.") };
}

/** The route's response as `{ body }`, or its error as `{ said }`. */
export async function asked<Body>(
  server: FoundServer,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ body: Body } | { said: Problem }> {
  const answer = await server.call(method, path, body);
  if (answer === undefined) return { said: problem("no-server", "The server does not answer any more.") };
  if (answer.status < 300) return { body: answer.body as Body };
  const { code, title, detail, hint } = answer.body as ServerProblem;
  return { said: problem(code, detail ?? title, hint) };
}
