// Runs a server from its options to its end: the lock, the engine, the app on its
// sockets, and the parts (spec 2.2, 2.7).
//   V1. Anything that prevents a start is found before a part starts. On failure,
//       everything opened is closed in reverse order.
//   V2. server.json is written only when the server accepts requests.
//   V3. All problems of config.yaml are reported at the start. Only features that use an invalid part fail.
//   V4. Closing waits a moment for responses in progress on both listeners, then closes parts, engine, and store.
//       Running commands continue (spec 3.4), and the next server resumes their runs.

import { accessSync, constants, realpathSync, statSync } from "node:fs";
import type { RequestListener } from "node:http";
import { hostname, networkInterfaces } from "node:os";
import { getRequestListener } from "@hono/node-server";
import { Documents } from "../app/documents/documents.ts";
import { takeInstance } from "../app/instance.ts";
import { type LogLevel, openLog } from "../app/log.ts";
import { type Failure, failureOf } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import { systemClock } from "../engine/clock.ts";
import type { EngineOptions, RunHandle } from "../engine/contract.ts";
import { type Engine, openEngine } from "../engine/index.ts";
import { fieldProblem } from "../kinds/auth.ts";
import { configProblems } from "../secrets/config.ts";
import type { ServerStore } from "../store/index.ts";
import { serverStore } from "../store/server-store.ts";
import { createApp } from "./app.ts";
import type { ServerContext, ServerPart } from "./context.ts";
import { tellModel } from "./demo.ts";
import { docsFolder, openDocs } from "./docs-site.ts";
import { EventBus } from "./events/event-bus.ts";
import { handlers } from "./handlers.ts";
import { listen } from "./listen.ts";
import { Metrics } from "./metrics.ts";
import { plainProblem } from "./problem.ts";
import { loginLink } from "./routes/server.ts";
import { RunHost } from "./run-host.ts";
import { accessProblem, namesOf } from "./security/access.ts";
import { forwardedBy } from "./security/forwarded.ts";
import { type Names, refusalOf } from "./security/gate.ts";
import { secureHeaders } from "./security/headers.ts";
import { closeHome } from "./security/home-modes.ts";
import { Sessions } from "./security/sessions.ts";
import { openPages, webFolder } from "./static.ts";
import { tracesPart } from "./traces/part.ts";
import { triggersPart } from "./triggers/part.ts";
import { type PlainResponse, turnAway, type Unreadable } from "./unreadable.ts";

export interface ServeOptions {
  version: string;
  home: string;
  /** The folder with the workflow files. */
  folder: string;
  env: NodeJS.ProcessEnv;
  port?: number;
  host?: string;
  hooksPort?: number;
  auth?: "token";
  tls?: { cert: Buffer; key: Buffer };
  /** The public URL of a reverse proxy: `https://curlew.example.com`. */
  publicUrl?: string;
  demoUrl?: string;
  logLevel: LogLevel;
  /** Opens the engine on another store than that of the data directory. */
  open?(options: EngineOptions, onTaken: (handle: RunHandle) => void): Promise<Result<Opening, Failure>>;
  /** Reports a problem that does not stop the server. */
  onWarning(warning: Failure): void;
}

/** Watches the served folder. The server does not wait for the watch to be ready. */
const folderWatch: ServerPart = {
  name: "folder-watch",
  start: async ({ documents }) => documents.startWatching(),
};

/** They run beside the routes, in start order. */
const PARTS = [tracesPart, folderWatch, triggersPart];

export interface Running {
  url: string;
  hooksUrl: string;
  /** Creates a login link. */
  link(): string;
  close(): Promise<void>;
}

/** Failures: those of `accessProblem`, `server-running`, `port-taken`, `cannot-listen`, `cannot-serve`, the store's. */
export async function openServer(options: ServeOptions): Promise<Result<Running, Failure>> {
  const refused = accessProblem(options);
  if (refused !== undefined) return err(refused);
  const folder = folderToServe(options.folder);
  if (!folder.ok) return folder;
  const undo: Undo = [];
  const closing = new AbortController();
  try {
    const opened = await openContext(options, folder.value, closing.signal, undo);
    const running = opened.ok ? await serve(options, opened.value, closing, undo) : opened;
    if (!running.ok) await undone(undo);
    return running;
  } catch (reason) {
    await undone(undo);
    throw reason;
  }
}

/** A folder that can't be read would look like an empty one. */
function folderToServe(path: string): Result<string, Failure> {
  const refuse = (message: string, hint: string) => err({ code: "cannot-serve", message, hint });
  try {
    const folder = realpathSync(path);
    if (!statSync(folder).isDirectory())
      return refuse(`${path} is not a folder.`, "Choose the folder of your workflows.");
    accessSync(folder, constants.R_OK | constants.X_OK);
    return ok(folder);
  } catch (reason) {
    const { code } = reason as NodeJS.ErrnoException;
    if (code === "EACCES")
      return refuse(`You may not read the folder ${path}.`, "Check who owns it, and its permissions.");
    if (code === "ELOOP")
      return refuse(`The symbolic links of ${path} lead in a circle.`, "Choose the folder of your workflows.");
    return refuse(`The folder ${path} does not exist.`, "Choose an existing folder.");
  }
}

/** The steps that close what is open, in the order of opening. */
type Undo = (() => unknown)[];

async function undone(undo: Undo): Promise<void> {
  for (const one of undo.splice(0).toReversed()) await one();
}

/** Takes the home and opens log, engine, and event bus. */
async function openContext(
  options: ServeOptions,
  folder: string,
  closing: AbortSignal,
  undo: Undo,
): Promise<Result<Opened, Failure>> {
  const { home, version, hooksPort, demoUrl } = options;
  const env = { ...options.env };
  if (demoUrl !== undefined) tellModel(env, demoUrl);
  const wereOpen = closeHome(home);
  if (!wereOpen.ok) return wereOpen;
  for (const name of wereOpen.value) options.onWarning(wasOpen(name));
  const instance = await takeInstance(home);
  if (instance === undefined)
    return err({
      code: "server-running",
      message: "A server for this data directory is already running, and it does not respond.",
      hint: "It may be starting or closing. Try again in a moment.",
    });
  undo.push(() => instance.release());
  const log = await openLog(home, options.logLevel);
  undo.push(() => log.close());
  for (const wrong of await configProblems(home, fieldProblem)) {
    log.warn({ code: wrong.code }, wrong.message);
    options.onWarning(wrong);
  }
  const bus = new EventBus();
  // An engine may continue a run before there is an address.
  let context: ServerContext | undefined;
  const given: EngineOptions = {
    home,
    env,
    onWarning: options.onWarning,
    runUrl: (run) => (context?.shownUrl ? `${context.shownUrl}/runs/${run}` : undefined),
    onEvent: () => bus.notify(),
    onOutput: (output) => bus.output(output),
    outlived: true,
  };
  const early: RunHandle[] = [];
  let take = (handle: RunHandle): void => void early.push(handle);
  const opened = await (options.open ?? openHere)(given, (handle) => take(handle));
  if (!opened.ok) return opened;
  const { engine, store, isShared, onWritten } = opened.value;
  undo.push(() => engine.leave());
  const everyMs = isShared ? limits.followOthersEveryMs : limits.followEveryMs;
  await bus.follow(store.journal, ({ code }) => log.error({ code }, "events could not be read"), everyMs);
  const unlook = onWritten?.(() => void bus.look());
  undo.push(() => unlook?.());
  undo.push(() => bus.close());
  const clock = systemClock;
  const runs = new RunHost({ engine, bus, log, clock, isShared });
  take = (handle) => runs.adopt(handle);
  for (const handle of early) runs.adopt(handle);
  undo.push(() => runs.close());
  const onChange = (path: string, etag: string | undefined) => bus.publish({ kind: "document", path, etag });
  context = {
    ...{ version, home, folder, env, engine, store, clock, log, bus, runs },
    sessions: new Sessions(() => performance.now()),
    metrics: new Metrics({ store, clock, bus }),
    documents: new Documents({ home, root: folder, env, store, log, onChange }),
    startedAt: new Date(clock.nowMs()).toISOString(),
    ...{ url: "", shownUrl: "", hooksUrl: "", hooksPort, demoUrl, closing },
  };
  return ok({ context, instance });
}

/** `store`: of the engine, with the server's parts. */
interface Opening {
  engine: Engine;
  store: ServerStore;
  /** Several machines share the runs, and the engine takes them up. */
  isShared?: boolean;
  /** Calls `look` soon after another process has written. Returns a function that ends it. */
  onWritten?(look: () => void): () => unknown;
}

async function openHere(options: EngineOptions): Promise<Result<Opening, Failure>> {
  const engine = await openEngine(options);
  return engine.ok ? ok({ engine: engine.value, store: serverStore(engine.value.store) }) : engine;
}

interface Opened {
  context: ServerContext;
  instance: NonNullable<Awaited<ReturnType<typeof takeInstance>>>;
}

/** Listens, starts the parts, and announces the server. */
async function serve(
  options: ServeOptions,
  { context, instance }: Opened,
  closing: AbortController,
  undo: Undo,
): Promise<Result<Running, Failure>> {
  const app = createApp({
    context,
    handlers,
    pages: openPages(webFolder()),
    docs: openDocs(docsFolder()),
    tls: options.tls !== undefined,
  });
  const names: Names = { hosts: new Set(), origins: new Set() };
  const listening = await listen(
    gated(getRequestListener(app.fetch, { overrideGlobalObjects: false }), names, context, options),
    {
      ...{ host: options.host, port: options.port, tls: options.tls },
      first: limits.serverPortDefault,
      unreadable: unreadable(options),
    },
  );
  if (!listening.ok) return listening;
  const { url, shown, ...known } = namesOf({ ...options, port: listening.value.port, machine: thisMachine() });
  Object.assign(names, known);
  context.url = url;
  context.shownUrl = shown;
  let silent: Promise<void> | undefined;
  const fallSilent = (): Promise<void> => {
    closing.abort();
    silent ??= listening.value.close(limits.serverCloseMs);
    return silent;
  };
  undo.push(fallSilent);
  const { runs, log, sessions } = context;
  context.documents.stuckRuns = () => runs.stuckRuns();
  void runs.open();
  for (const part of PARTS) {
    const started = await part.start(context);
    undo.push(() => started.close());
  }
  const { hooksUrl } = context;
  instance.announce({ url, hooksUrl, token: sessions.token, pid: process.pid });
  log.info({ url, hooksUrl, version: options.version }, "the server listens");
  let closed: Promise<void> | undefined;
  return ok({
    url,
    hooksUrl,
    link: () => loginLink(context),
    close: () => {
      // V4. In parallel with the webhook listener, which waits as long.
      void fallSilent();
      closed ??= undone(undo);
      return closed;
    },
  });
}

export function realFolder(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function thisMachine(): { name: string; addresses: string[] } {
  const found = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  return { name: hostname(), addresses: found.map(({ address }) => address) };
}

/**
 * Runs before Hono: checks whether one of Curlew's own clients, or its page in a browser, could have sent the request.
 */
function gated(
  inner: RequestListener,
  names: Names,
  { log }: ServerContext,
  { tls, publicUrl, onWarning }: Pick<ServeOptions, "tls" | "publicUrl" | "onWarning">,
): RequestListener {
  const headers = secureHeaders(tls !== undefined);
  let isTold = publicUrl !== undefined;
  return (incoming, outgoing) => {
    const by = isTold ? undefined : forwardedBy(incoming.rawHeaders);
    if (by !== undefined) {
      isTold = true;
      log.warn({ header: by }, "a request came through a proxy or tunnel");
      onWarning(exposed(by));
    }
    const asked = { method: incoming.method ?? "", target: incoming.url ?? "", rawHeaders: incoming.rawHeaders };
    const refusal = refusalOf(asked, names);
    if (refusal === undefined) return inner(incoming, outgoing);
    log.warn({ code: refusal.code }, "a request was rejected");
    return turnAway(outgoing, plainProblem(refusal.code, { detail: refusal.detail }, headers));
  };
}

const wasOpen = failureOf("home-not-private", (name: string) => [
  `${name} was readable by others on this machine. Curlew has changed that.`,
]);

const exposed = failureOf("forwarded-request", (header: string) => [
  `A request came through a proxy or tunnel (it has the header "${header}"). The editor's port seems to be exposed.`,
  "Use tunnels only for the webhook port, which serves nothing else. For your own proxy, set --public-url.",
]);

/** Responds to unparsable requests with the API's problems. */
function unreadable({ tls }: Pick<ServeOptions, "tls">): (why: Unreadable) => PlainResponse {
  const headers = secureHeaders(tls !== undefined);
  return (why) => plainProblem(why, {}, headers);
}
