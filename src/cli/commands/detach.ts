// detach: `run FILE --detach` starts the run on the server of this data directory and returns at once (spec 2.2).
//   D1. Problems are found here first, with the same messages as `run`. If the server still rejects the run, its
//       message is printed.
//   D2. The server's commands use the server's environment. Secrets from --env-file are passed for this start only and
//       never recorded. Any other variable from it that the workflow uses is rejected, because its value on the server
//       would differ.
//   D3. stdout gets the id of the run.

import { realpathSync } from "node:fs";
import type { ServerInfo, Problem as ServerProblem, StartedRun, StartRun } from "../../api/shapes.ts";
import { shortRunId } from "../../base/ids.ts";
import { Exit } from "../exit.ts";
import type { Loaded } from "../load.ts";
import { homeOf, refused } from "../open.ts";
import { problem } from "../problem.ts";
import { type FoundServer, pathServed, serverOf } from "../server-call.ts";
import type { Terminal } from "../terminal.ts";
import { declaredIn, type RunOptions } from "./run.ts";

/** The server, or undefined after a message on stderr. */
export async function serverToDetachTo(options: RunOptions, terminal: Terminal): Promise<FoundServer | undefined> {
  if (options.dryRun) {
    const says = "--dry-run runs nothing, and --detach hands the run to the server.";
    terminal.problem(problem("conflicting-options", says, "Leave one of them out."));
    return undefined;
  }
  const server = await serverOf(homeOf(options, terminal));
  if (server !== undefined) return server;
  const says = "--detach hands the run to a running server, and none is running for this home.";
  terminal.problem(problem("no-server", says, 'Start one with "curlew serve", or leave --detach out to run it here.'));
  return undefined;
}

/** D2. Secrets by name, or undefined after a message on stderr. */
export function secretsIn(
  variables: Record<string, string>,
  { workflow, text, subflows }: Loaded,
  options: RunOptions,
  terminal: Terminal,
): Record<string, string> | undefined {
  const declared = declaredIn({ workflow, subflows });
  const secrets = Object.entries(variables).filter(([name]) => declared.includes(name));
  const words = new Set(
    [text, ...Object.values(subflows)].flatMap((one) => one.match(/[A-Za-z_][A-Za-z0-9_]*/g) ?? []),
  );
  const other = Object.keys(variables).find((name) => !declared.includes(name) && words.has(name));
  if (other === undefined) return Object.fromEntries(secrets);
  const says = `The workflow uses ${other} of ${options.envFile}, which is not one of its secrets: the server's commands have the server's environment.`;
  const help = `Make ${other} an input and give it with --input, declare it under "secrets", or start the server with it.`;
  terminal.problem(problem("env-not-handed-over", says, help));
  return undefined;
}

export async function detach(
  file: string,
  asked: StartRun,
  server: FoundServer,
  options: RunOptions,
  terminal: Terminal,
): Promise<Exit> {
  const info = (await server.call("GET", "/server"))?.body as ServerInfo | undefined;
  const path = info === undefined ? undefined : pathServed(realpathSync(file), info.folder);
  if (path === undefined)
    return refused(
      problem(
        "not-served",
        `${file} is not in the folder that the server serves${info === undefined ? "" : `: ${info.folder}`}.`,
        "Leave --detach out to run it here.",
      ),
      terminal,
    );
  const answer = await server.call("POST", `/workflows/${encodeURIComponent(path)}/runs`, asked);
  if (answer === undefined) return refused(problem("no-server", "The server does not answer any more."), terminal);
  if (answer.status !== 201) {
    const { code, title, detail, hint } = answer.body as ServerProblem;
    return refused(problem(code, `The server does not start it: ${detail ?? title}`, hint), terminal);
  }
  const { id } = answer.body as StartedRun;
  if (options.json) terminal.json(answer.body);
  else terminal.out(`${id}\n`);
  if (!options.quiet) terminal.err(`The server runs it. Follow it: curlew runs logs ${shortRunId(id)} -f\n`);
  return Exit.OK;
}
