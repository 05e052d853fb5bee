// serve: runs the server and editor for a folder of workflow files until it is stopped (spec 2.2). A separate file in
// dist/.
//   S1. stdout stays empty: the URL and the sign-in link are printed on stderr.
//   S2. The first Ctrl-C or SIGTERM shuts down in order, the second at once. Running commands continue for the next
//       server.
//   S3. A data directory has one server. A second one does not start and prints the first one's URL with a new sign-in
//       link.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { readServerFile } from "../../app/instance.ts";
import type { LogLevel } from "../../app/log.ts";
import type { Failure } from "../../base/failure.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { type Demo, openDemo } from "../../server/demo.ts";
import { openServer, type Running, type ServeOptions } from "../../server/serve.ts";
import { openInBrowser } from "../browser.ts";
import { Exit } from "../exit.ts";
import { type HomeOption, homeOf } from "../open.ts";
import { problem } from "../problem.ts";
import type { Terminal } from "../terminal.ts";
import { version } from "../version.ts";

export interface ServeCommandOptions extends HomeOption {
  port?: number;
  host?: string;
  hooksPort?: number;
  open?: boolean;
  demo?: boolean;
  auth?: "token";
  tlsCert?: string;
  tlsKey?: string;
  publicUrl?: string;
  logLevel?: LogLevel;
}

export async function serve(dir: string | undefined, options: ServeCommandOptions, terminal: Terminal): Promise<Exit> {
  const home = homeOf(options, terminal);
  const tell = (failure: Failure, kind?: "warning"): void =>
    terminal.problem(problem(failure.code, failure.message, failure.hint), kind);
  const tls = certificateOf(options, terminal);
  if (!tls.ok) {
    tell(tls.error);
    return Exit.USAGE;
  }
  const demo = options.demo === true ? await openDemo(home) : undefined;
  if (demo?.ok === false) {
    tell(demo.error);
    return Exit.USAGE;
  }
  try {
    return await serveIn(home, dir, { tls: tls.value, demo: demo?.value }, options, terminal, tell);
  } finally {
    demo?.value.close();
  }
}

async function serveIn(
  home: string,
  dir: string | undefined,
  { tls, demo }: { tls: ServeOptions["tls"]; demo: Demo | undefined },
  options: ServeCommandOptions,
  terminal: Terminal,
  tell: (failure: Failure, kind?: "warning") => void,
): Promise<Exit> {
  const { port, host, hooksPort, auth, publicUrl } = options;
  const given = Object.entries({ port, host, hooksPort, auth, publicUrl, tls, demoUrl: demo?.url });
  const folder = resolve(terminal.cwd, dir ?? demo?.folder ?? ".");
  const opened = await openServer({
    ...{ version: version(), home, folder, env: terminal.env, logLevel: options.logLevel ?? "info" },
    ...(Object.fromEntries(given.filter(([, value]) => value !== undefined)) as Partial<ServeOptions>),
    onWarning: (warning) => tell(warning, "warning"),
  });
  if (!opened.ok) {
    tell(opened.error.code === "server-running" ? await whereItRuns(opened.error, home) : opened.error);
    return Exit.USAGE;
  }
  const server = opened.value;
  const asked = listenForEnd(terminal);
  const link = server.link();
  terminal.err(greeting(server, folder, link, demo?.url, terminal));
  if (options.open === true) openInBrowser(link, (failure) => tell(failure, "warning"));
  await asked;
  await server.close();
  return Exit.OK;
}

function certificateOf(
  { tlsCert, tlsKey }: ServeCommandOptions,
  terminal: Terminal,
): Result<{ cert: Buffer; key: Buffer } | undefined, Failure> {
  if (tlsCert === undefined && tlsKey === undefined) return ok(undefined);
  if (tlsCert === undefined || tlsKey === undefined)
    return err({ code: "bad-certificate", message: "--tls-cert and --tls-key go together: one of them is missing." });
  try {
    return ok({
      cert: readFileSync(resolve(terminal.cwd, tlsCert)),
      key: readFileSync(resolve(terminal.cwd, tlsKey)),
    });
  } catch (reason) {
    const { path, code } = reason as NodeJS.ErrnoException;
    return err({ code: "bad-certificate", message: `The file ${path} cannot be read: ${code}.` });
  }
}

function greeting(
  { url, hooksUrl }: Running,
  folder: string,
  link: string,
  demo: string | undefined,
  terminal: Terminal,
) {
  const label = (text: string): string => terminal.errStyle("label", text.padEnd(8));
  return [
    `Curlew serves ${folder}`,
    `  ${label("open")} ${link}`,
    `  ${label("api")} ${url}/api/v1`,
    ...(hooksUrl === "" ? [] : [`  ${label("hooks")} ${hooksUrl}/h/…`]),
    ...(demo === undefined ? [] : [`  ${label("sample")} ${demo}`]),
    "The link is good once, for ten minutes; `curlew serve` in another terminal prints a new one. Ctrl-C ends the server.\n",
  ].join("\n");
}

/** S3. */
async function whereItRuns(failure: Failure, home: string): Promise<Failure> {
  const file = readServerFile(home);
  if (file === undefined) return { ...failure, hint: "It is just starting or ending. Try again in a moment." };
  try {
    const headers = { authorization: `Bearer ${file.token}` };
    const made = await fetch(`${file.url}/api/v1/server/login`, { method: "POST", headers });
    const { url } = (await made.json()) as { url: string };
    return { ...failure, message: `A server runs for this home already, at ${file.url}.`, hint: `Open it: ${url}` };
  } catch {
    return { ...failure, hint: `It is to be found at ${file.url} (process ${file.pid}), and does not answer.` };
  }
}

/** S2. */
function listenForEnd(terminal: Terminal): Promise<void> {
  return new Promise((settle) => {
    let count = 0;
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      terminal.signals.on(signal, () => {
        count += 1;
        if (count > 1) terminal.exit(signal === "SIGINT" ? Exit.INTERRUPTED : Exit.CANCELLED);
        terminal.err("Closing: running commands continue, and the next server continues their runs.\n");
        settle();
      });
  });
}
