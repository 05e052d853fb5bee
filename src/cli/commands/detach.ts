// detach: `run FILE --detach` starts the run on the server of this data directory and returns at once (spec 2.2).
//   D1. Problems are found here first, with the same messages as `run`. If the server still rejects the run, its
//       message is printed.
//   D2. The server's commands use the server's environment. Secrets from --env-file are passed for this start only and
//       never recorded. Any other variable from it that the workflow uses is rejected, because its value on the server
//       would differ.
//   D3. stdout gets the id of the run.
//   D4. On a cluster, any machine may take the run. It has that machine's environment and secrets.

import { realpathSync } from "node:fs";
import type { ServerInfo, Problem as ServerProblem, StartedRun, StartRun } from "../../api/shapes.ts";
import { type Cluster, openClusterEngineFor } from "../../app/cluster.ts";
import { pathIn } from "../../app/documents/relative-path.ts";
import { declaredSecrets } from "../../app/runs/declared-secrets.ts";
import { shortRunId } from "../../base/ids.ts";
import { startInputs } from "../../workflow/triggers/index.ts";
import { Exit } from "../exit.ts";
import { readInputs } from "../inputs.ts";
import { type Loaded, loadWorkflow } from "../load.ts";
import { homeOf, refuse, refused } from "../open.ts";
import { approvedInAdvance } from "../preapproval.ts";
import { problem } from "../problem.ts";
import { seenBy } from "../seen.ts";
import { type FoundServer, serverOf } from "../server-call.ts";
import type { Terminal } from "../terminal.ts";
import { version } from "../version.ts";
import type { RunOptions } from "./run.ts";

/** The server, or undefined after a message on stderr. */
export async function serverToDetachTo(options: RunOptions, terminal: Terminal): Promise<FoundServer | undefined> {
  if (options.dryRun) {
    const says = "--dry-run runs nothing, and --detach hands the run to the server.";
    return terminal.problem(problem("conflicting-options", says, "Remove one of them."));
  }
  const server = await serverOf(homeOf(options, terminal));
  if (server !== undefined) return server;
  const says = "--detach hands the run to a running server, and none is running for this data directory.";
  return terminal.problem(
    problem("no-server", says, 'Start one with "curlew serve", or leave --detach out to run it here.'),
  );
}

/** D2. Secrets by name, or undefined after a message on stderr. */
export function secretsIn(
  variables: Record<string, string>,
  { workflow, text, subflows }: Loaded,
  options: RunOptions,
  terminal: Terminal,
): Record<string, string> | undefined {
  const declared = declaredSecrets({ workflow, subflows });
  const secrets = Object.entries(variables).filter(([name]) => declared.includes(name));
  const words = new Set(
    [text, ...Object.values(subflows)].flatMap((one) => one.match(/[A-Za-z_][A-Za-z0-9_]*/g) ?? []),
  );
  const other = Object.keys(variables).find((name) => !declared.includes(name) && words.has(name));
  if (other === undefined) return Object.fromEntries(secrets);
  const says = `The workflow uses ${other} of ${options.envFile}, which is not one of its secrets. The server's commands have the server's environment.`;
  const help = `Make ${other} an input, add it to "secrets", or start the server with it.`;
  return terminal.problem(problem("env-not-forwarded", says, help));
}

/** D4. The run is recorded and left to a machine with a free slot. */
export async function leaveToCluster(
  file: string,
  options: RunOptions,
  cluster: Cluster,
  terminal: Terminal,
): Promise<Exit> {
  const { envFile, secret, from, dryRun } = options;
  const alone = { "--env-file": envFile, "--secret": secret, "--from": from, "--dry-run": dryRun };
  const [other] = Object.entries(alone).find(([, value]) => value !== undefined) ?? [];
  if (other !== undefined)
    return refuse(
      terminal,
      "conflicting-options",
      `${other} counts only on this machine, and --detach leaves the run to another one.`,
      "Remove one of them.",
    );
  const loaded = await loadWorkflow(file, terminal, {}, await seenBy(options, terminal), options.quiet);
  if (loaded === undefined) return Exit.USAGE;
  const inputs = await readInputs(startInputs(loaded.workflow), options, terminal);
  const approved = approvedInAdvance(loaded, options, terminal);
  if (inputs === undefined || approved === "unknown") return Exit.USAGE;
  const given = { home: homeOf(options, terminal), env: terminal.env };
  const engine = await openClusterEngineFor(cluster, given, { takes: false, version: version() });
  if (!engine.ok) return refused(engine.error, terminal);
  try {
    const trigger = { kind: "cli" as const };
    const begun = await engine.value.startElsewhere({ ...loaded, inputs, trigger, approvedInAdvance: approved });
    if (!begun.ok) return refused(begun.error, terminal);
    const { id } = begun.value;
    if (options.json) terminal.json({ id, status: "queued" });
    else terminal.out(`${id}\n`);
    if (!options.quiet)
      terminal.err(`A machine with a free slot takes it. Watch it: curlew runs show ${shortRunId(id)}\n`);
    return Exit.OK;
  } finally {
    await engine.value.close();
  }
}

export async function detach(
  file: string,
  asked: StartRun,
  server: FoundServer,
  options: RunOptions,
  terminal: Terminal,
): Promise<Exit> {
  const info = (await server.call("GET", "/server"))?.body as ServerInfo | undefined;
  const path = info === undefined ? undefined : pathIn(info.folder, realpathSync(file));
  if (path === undefined)
    return refuse(
      terminal,
      "not-served",
      `${file} is not in the folder that the server serves${info === undefined ? "" : `: ${info.folder}`}.`,
      "To run it here, remove --detach.",
    );
  const answer = await server.call("POST", `/workflows/${encodeURIComponent(path)}/runs`, asked);
  if (answer === undefined) return refuse(terminal, "no-server", "The server no longer responds.");
  if (answer.status !== 201) {
    const { code, title, detail, hint } = answer.body as ServerProblem;
    return refuse(terminal, code, `The server did not start it: ${detail ?? title}`, hint);
  }
  const { id } = answer.body as StartedRun;
  if (options.json) terminal.json(answer.body);
  else terminal.out(`${id}\n`);
  if (!options.quiet) terminal.err(`The server runs it. Follow it: curlew runs logs ${shortRunId(id)} -f\n`);
  return Exit.OK;
}
