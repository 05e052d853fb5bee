// server: a real `curlew serve` process with its own data directory and folder. It can be killed and started again.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { endRunners } from "../cli/curlew.ts";

const root = join(import.meta.dirname, "../..");

export interface Server {
  url: string;
  folder: string;
  home: string;
  /** The link that was printed. It works once. */
  printed: string;
  /** The token of a new session of the web UI. */
  session(): Promise<string>;
  /** Another link, which works once. */
  link(): Promise<string>;
  /** A call below /api/v1 with the server's own token. */
  api(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  /** A file of the folder. */
  write(name: string, text: string): void;
  read(name: string): string;
  /** kill -9, as a crash would. */
  kill(): Promise<void>;
  /** After `kill`: the same home, folder and port. */
  startAgain(): Promise<void>;
  close(): Promise<void>;
}

/**
 * `files`: those of the served folder. `args`: more arguments of `curlew serve`. `before`: prepares the data directory.
 */
export async function serve(
  files: Record<string, string> = {},
  args: string[] = [],
  before: (home: string, folder: string) => void = () => {},
): Promise<Server> {
  const place = mkdtempSync(join(tmpdir(), "curlew-web-"));
  const home = join(place, "home");
  const folder = join(place, "flows");
  mkdirSync(folder);
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  before(home, folder);
  const port = await freePort();
  let child: ChildProcess;
  const start = async (): Promise<void> => {
    const begun = await begin(folder, home, port, args);
    child = begun.child;
    server.printed = begun.link;
  };
  const token = (): string => JSON.parse(readFileSync(join(home, "server.json"), "utf8")).token;
  const api: Server["api"] = (method, path, body, headers) =>
    fetch(`${server.url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token()}`,
        ...(method === "GET" ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(method === "GET" ? {} : { body: JSON.stringify(body ?? {}) }),
    });
  const server: Server = {
    ...{ url: `http://127.0.0.1:${port}`, folder, home, printed: "", api, write },
    read: (name) => readFileSync(join(folder, name), "utf8"),
    link: async () => ((await (await api("POST", "/server/login")).json()) as { url: string }).url,
    session: async () => {
      const code = new URL(await server.link()).hash.replace("#code=", "");
      return ((await (await api("POST", "/session", { code })).json()) as { token: string }).token;
    },
    kill: () => end(child, "SIGKILL"),
    startAgain: start,
    close: async () => {
      await end(child, "SIGTERM");
      await endRunners(home, "SIGTERM");
      rmSync(place, { recursive: true, force: true });
    },
  };
  await start();
  return server;
}

async function begin(folder: string, home: string, port: number, args: string[]) {
  const { PATH, HOME, LANG, TMPDIR } = process.env;
  const child = spawn(
    process.execPath,
    [join(root, "dist/cli.cjs"), "serve", folder, "--home", home, "--port", String(port), "--hooks-port", "0", ...args],
    {
      env: { PATH, HOME, LANG, TMPDIR, CURLEW_KEYRING: "off" } as NodeJS.ProcessEnv,
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stderr! })) {
    said.push(line);
    const link = /https?:\/\/\S+#code=\S+/.exec(line)?.[0];
    if (link === undefined) continue;
    child.stderr!.resume();
    return { child, link };
  }
  throw new Error(`curlew serve did not start:\n${said.join("\n")}`);
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

/**
 * Below the ports that a system gives to outgoing calls (from 32768 here): no program takes it while the server is
 * away.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const probe = createServer().listen(port, "127.0.0.1");
    const isFree = await once(probe, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, "close");
    return port;
  }
}
