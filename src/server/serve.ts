// Runs a server from its options to its end: the lock, the engine, the app on its
// sockets, and the parts (spec 2.2, 2.7).
//   V1. Anything that prevents a start is found before a part starts. On failure,
//       everything opened is closed in reverse order.
//   V2. server.json is written only when the server accepts requests.
//   V3. All problems of config.yaml are reported at the start. Only features that use an invalid part fail.
//   V4. Closing waits a moment for responses in progress on both listeners, then closes parts, engine, and store.
//       Running commands continue (spec 3.4), and the next server resumes their runs.

import { realpathSync } from "node:fs";
import type { RequestListener } from "node:http";
import { hostname, networkInterfaces } from "node:os";
import { getRequestListener } from "@hono/node-server";
import { Documents } from "../app/documents/documents.ts";
import { takeInstance } from "../app/instance.ts";
import { type LogLevel, openLog } from "../app/log.ts";
import type { Failure } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import { systemClock } from "../engine/clock.ts";
import { openEngine } from "../engine/index.ts";
import { fieldProblem } from "../kinds/auth.ts";
import { configProblems } from "../secrets/whole-config.ts";
import { serverStore } from "../store/server-store.ts";
import { createApp } from "./app.ts";
import type { ServerContext } from "./context.ts";
import { tellModel } from "./demo.ts";
import { docsFolder, openDocs } from "./docs-site.ts";
import { EventBus } from "./events/event-bus.ts";
import { handlers } from "./handlers.ts";
import { listen } from "./listen.ts";
import { Metrics } from "./metrics.ts";
import { PARTS } from "./parts.ts";
import { saidProblem } from "./problem.ts";
import { loginLink } from "./routes/server.ts";
import { RunHost } from "./run-host.ts";
import { accessProblem } from "./security/access.ts";
import { forwardedBy } from "./security/forwarded.ts";
import { type Names, refusalOf } from "./security/gate.ts";
import { secureHeaders } from "./security/headers.ts";
import { closeHome } from "./security/home-modes.ts";
import { namesOf } from "./security/names.ts";
import { Sessions } from "./security/sessions.ts";
import { openPages, webFolder } from "./static.ts";
import { type Said, turnAway, type Unreadable } from "./unreadable.ts";

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
  /** Reports a problem that does not stop the server. */
  onWarning(warning: Failure): void;
}

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
  const folder = folderOf(options.folder);
  if (folder === undefined)
    return err({
      code: "cannot-serve",
      message: `There is no folder ${options.folder}.`,
      hint: "Name one that is there.",
    });
  const undo: Undo = [];
  const closing = new AbortController();
  try {
    const opened = await openContext(options, folder, closing.signal, undo);
    const running = opened.ok ? await serve(options, opened.value, closing, undo) : opened;
    if (!running.ok) await undone(undo);
    return running;
  } catch (reason) {
    await undone(undo);
    throw reason;
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
  if (instance === undefined) return err({ code: "server-running", message: "A server runs for this home already." });
  undo.push(() => instance.release());
  const log = await openLog(home, options.logLevel);
  undo.push(() => log.close());
  for (const wrong of await configProblems(home, fieldProblem)) {
    log.warn({ code: wrong.code }, wrong.message);
    options.onWarning(wrong);
  }
  const bus = new EventBus();
  const opened = openEngine({
    home,
    env,
    onWarning: options.onWarning,
    onEvent: () => bus.notify(),
    onOutput: (output) => bus.output(output),
    outlived: true,
  });
  if (!opened.ok) return opened;
  const engine = opened.value;
  undo.push(() => engine.leave());
  bus.follow(engine.store.journal, {
    onFault: ({ code }) => log.error({ code }, "events could not be read"),
    log: engine.store.log,
  });
  undo.push(() => bus.close());
  const clock = systemClock;
  const runs = new RunHost({ engine, bus, log, clock });
  undo.push(() => runs.close());
  const onChange = (path: string, etag: string | undefined) => bus.publish({ kind: "document", path, etag });
  const context: ServerContext = {
    ...{ version, home, folder, env, engine, store: serverStore(engine.store), clock, log, bus, runs },
    sessions: new Sessions(() => performance.now()),
    metrics: new Metrics({ store: engine.store, clock, bus }),
    documents: new Documents({ home, root: folder, env, store: engine.store, log, onChange }),
    startedAt: new Date(clock.nowMs()).toISOString(),
    ...{ url: "", shownUrl: "", hooksUrl: "", hooksPort, demoUrl, closing },
  };
  return ok({ context, instance });
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

function folderOf(path: string): string | undefined {
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
    log.warn({ code: refusal.code }, "a request was turned away");
    return turnAway(outgoing, saidProblem(refusal.code, { detail: refusal.detail }, headers));
  };
}

function wasOpen(name: string): Failure {
  return { code: "home-open", message: `${name} could be read by others on this machine; now it is yours alone.` };
}

function exposed(header: string): Failure {
  return {
    code: "forwarded-request",
    message: `A request came through a proxy or tunnel (it carries "${header}"): the editor's port seems to be exposed.`,
    hint: "A tunnel is for the port of hooks, which serves nothing else. For your own proxy, name its address with --public-url.",
  };
}

/** Responds to unparsable requests with the API's problems. */
function unreadable({ tls }: Pick<ServeOptions, "tls">): (why: Unreadable) => Said {
  const headers = secureHeaders(tls !== undefined);
  return (why) => saidProblem(why, {}, headers);
}
