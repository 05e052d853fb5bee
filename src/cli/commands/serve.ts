// serve: runs the server and editor for a folder of workflow files until it is stopped (spec 2.2). A separate file in
// dist/.
//   S1. stdout stays empty: the URL and the sign-in link are printed on stderr.
//   S2. The first Ctrl-C or SIGTERM shuts down in order, the second at once. Running commands continue for the next
//       server.
//   S3. A data directory has one server. A second call for the same folder prints a new sign-in link and ends. For
//       another folder it fails. Neither changes anything for the running server.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { resolve } from "node:path";
import type { ServerInfo } from "../../api/shapes.ts";
import type { Cluster } from "../../app/cluster.ts";
import type { LogLevel } from "../../app/log.ts";
import type { Failure } from "../../base/failure.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { type Demo, demoFolder, openDemo } from "../../server/demo.ts";
import { openServer, realFolder, type ServeOptions } from "../../server/serve.ts";
import { clusterFor } from "../cluster.ts";
import { Exit } from "../exit.ts";
import { type HomeOption, homeOf, refuse, refused } from "../open.ts";
import { callServer, type FoundServer, serverOf } from "../server-call.ts";
import { listenForEnd } from "../signals.ts";
import type { Terminal } from "../terminal.ts";
import { version } from "../version.ts";

export interface ServeCommandOptions extends HomeOption {
  /** Of this machine in a cluster. */
  name?: string;
  lease: number;
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
  const tls = certificateOf(options, terminal);
  if (!tls.ok) return refused(tls.error, terminal);
  const running = await serverOf(home);
  if (running !== undefined) return serveAlongside(running, folderOf(dir, options, home, terminal), options, terminal);
  const demo = options.demo === true ? await openDemo(home) : undefined;
  if (demo?.ok === false) return refused(demo.error, terminal);
  let asked: Promise<"asked"> | undefined;
  const untilEnd = () => (asked ??= listenForEnd(terminal, () => terminal.err(CLOSING)));
  try {
    for (let again = false; ; again = true) {
      const started = { tls: tls.value, demo: demo?.value, again };
      const ended = await serveIn(home, dir, started, options, untilEnd, terminal);
      if (ended !== "fenced") return ended;
    }
  } finally {
    demo?.value.close();
  }
}

const CLOSING = "Closing: running commands continue, and the next server continues their runs.\n";

/** Until it is stopped, or its machine was declared dead. */
async function serveIn(
  home: string,
  dir: string | undefined,
  { tls, demo, again }: { tls: ServeOptions["tls"]; demo: Demo | undefined; again: boolean },
  options: ServeCommandOptions,
  untilEnd: () => Promise<"asked">,
  terminal: Terminal,
): Promise<Exit | "fenced"> {
  const { port, host, hooksPort, auth, publicUrl } = options;
  const given = Object.entries({ port, host, hooksPort, auth, publicUrl, tls, demoUrl: demo?.url });
  const folder = folderOf(dir, options, home, terminal);
  const cluster = await clusterFor(options, home, terminal, true);
  if (!cluster.ok) return refused(cluster.error, terminal);
  const { promise: fenced, resolve: fence } = Promise.withResolvers<"fenced">();
  const opened = await openServer({
    ...(cluster.value === undefined
      ? {}
      : { open: serving(cluster.value, { ...options, again }, () => fence("fenced")) }),
    ...{ version: version(), home, folder, env: terminal.env, logLevel: options.logLevel ?? "info" },
    ...(Object.fromEntries(given.filter(([, value]) => value !== undefined)) as Partial<ServeOptions>),
    onWarning: (warning) => terminal.problem(warning, "warning"),
  });
  if (!opened.ok) return refused(opened.error, terminal);
  const server = opened.value;
  const asked = untilEnd();
  const link = server.link();
  terminal.err(greeting({ url: server.url, hooksUrl: server.hooksUrl, folder, demoUrl: demo?.url }, link, terminal));
  terminal.err(`${LINK_LASTS} Ctrl-C ends the server.\n`);
  if (options.open === true) openInBrowser(link, terminal);
  const ended = await Promise.race([asked, fenced]);
  await server.close();
  if (ended !== "fenced") return Exit.OK;
  const message = `Machine ${options.name ?? hostname()} was declared dead. Curlew ended its commands and starts it again.`;
  terminal.problem({ code: "machine-dead", message }, "warning");
  return "fenced";
}

/** On a cluster, a server is a worker too. */
function serving(
  cluster: Cluster,
  { name, lease, again }: ServeCommandOptions & { again: boolean },
  onFenced: () => void,
): NonNullable<ServeOptions["open"]> {
  return async (given, onTaken) => {
    const { openClusterEngineFor } = await import("../../app/cluster.ts");
    let isFenced = false;
    const opened = await openClusterEngineFor(cluster, given, {
      ...{ name, leaseMs: lease, takes: true, isServer: true, version: version(), again, onTaken },
      onFenced: () => {
        isFenced = true;
        onFenced();
      },
    });
    if (!opened.ok) return opened;
    const engine = opened.value;
    const leave = () => (isFenced ? engine.close() : engine.leaveFor(RESTART_LEASE_MS));
    return ok({ engine: { ...engine, leave }, store: engine.store, isShared: true, onWritten: engine.store.onWritten });
  };
}

/** The next start of this server adopts its commands. */
const RESTART_LEASE_MS = 60_000;

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
    return err({ code: "bad-certificate", message: `Curlew can't read the file ${path}: ${code}.` });
  }
}

type Shown = Pick<ServerInfo, "folder" | "hooksUrl" | "demoUrl"> & { url: string };

const LINK_LASTS = "The link works once, for ten minutes. For a new one, run `curlew serve` in another terminal.";

function greeting({ url, hooksUrl, folder, demoUrl }: Shown, link: string, terminal: Terminal): string {
  const label = (text: string): string => terminal.errStyle("label", text.padEnd(8));
  return [
    `Curlew serves ${folder}`,
    `  ${label("open")} ${link}`,
    `  ${label("api")} ${url}/api/v1`,
    ...(hooksUrl === "" ? [] : [`  ${label("hooks")} ${hooksUrl}/h/…`]),
    ...(demoUrl === undefined ? [] : [`  ${label("sample")} ${demoUrl}`]),
    "",
  ].join("\n");
}

/** S3. */
async function serveAlongside(
  server: FoundServer,
  wanted: string,
  { open }: ServeCommandOptions,
  terminal: Terminal,
): Promise<Exit> {
  const info = await callServer<ServerInfo>(server, "GET", "/server");
  if ("problem" in info) return refused(info.problem, terminal);
  const made = await callServer<{ url: string }>(server, "POST", "/server/login");
  if ("problem" in made) return refused(made.problem, terminal);
  const { folder } = info.body;
  const link = made.body.url;
  if (realFolder(wanted) !== folder)
    return refuse(
      terminal,
      "server-running",
      `The server of this data directory serves another folder, ${folder}, at ${server.url}.`,
      `For a second server, choose another data directory with --home DIR. To open this one: ${link}`,
    );
  terminal.err(greeting({ ...info.body, url: server.url }, link, terminal));
  terminal.err(`This server was already running (process ${server.pid}). The link works once, for ten minutes.\n`);
  if (open === true) openInBrowser(link, terminal);
  return Exit.OK;
}

function folderOf(
  dir: string | undefined,
  { demo }: ServeCommandOptions,
  home: string,
  { cwd }: Pick<Terminal, "cwd">,
): string {
  return dir === undefined && demo === true ? demoFolder(home) : resolve(cwd, dir ?? ".");
}

/** The URL never passes through a shell. If no browser opens, that is only a warning: the URL is printed too. */
function openInBrowser(url: string, terminal: Terminal): void {
  const [program, ...args] = openerOf(process.platform);
  const child = spawn(program, [...args, url], { stdio: "ignore", detached: true });
  const message = `Curlew could not open a browser: ${program} is missing or failed.`;
  const failed = () => terminal.problem({ code: "cannot-open", message, hint: "Open the link yourself." }, "warning");
  child.once("error", failed);
  child.once("exit", (code) => code !== 0 && failed());
  child.unref();
}

function openerOf(platform: NodeJS.Platform): [string, ...string[]] {
  if (platform === "darwin") return ["open"];
  return platform === "win32" ? ["rundll32", "url.dll,FileProtocolHandler"] : ["xdg-open"];
}
