// server-ask: commands that are about the running server ask it, and say in the words of the command line what it refuses.

import type { Problem as ServerProblem } from "../api/shapes.ts";
import { shortRunId } from "../base/ids.ts";
import { type HomeOption, homeOf } from "./open.ts";
import { type Problem, problem } from "./problem.ts";
import { type FoundServer, serverOf } from "./server-call.ts";
import type { Terminal } from "./terminal.ts";

/** The server of this home, or nothing after a word on stderr. `why`: what it is needed for. */
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

/** The server that is at work on the run does not answer. */
export function silentAbout(run: string): { said: Problem } {
  const message = `The server of this home is at work on run ${shortRunId(run)}, and does not answer.`;
  return { said: problem("no-server", message, "Try again, or end the server: the next one goes on with its runs.") };
}

/** What a route answers, or what it refused: `{ body }` or `{ said }`. */
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
