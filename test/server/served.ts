// served: a real server in this process, with its own port, data directory and folder. Gone after the test.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { readServerFile } from "../../src/app/instance.ts";
import { openServer, type Running, type ServeOptions } from "../../src/server/serve.ts";
import { endRunners } from "../cli/curlew.ts";
import { clusterOpening } from "../setup/on-postgres.ts";
import { isDescribed } from "./described.ts";

/** For suites that run once more over another store (late.test.ts). */
export const OPENING: Pick<ServeOptions, "open"> = {};

export interface Served {
  url: string;
  token: string;
  home: string;
  folder: string;
  running: Running;
  /**
   * A call below /api/v1 with the server's token. A body is sent as JSON, and the answer is checked against the OpenAPI
   * document.
   */
  api(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  write(name: string, text: string): void;
  /** Closes it; another one may then serve the same home with `servedIn`. */
  close(): Promise<void>;
}

/** `files`: of the served folder. */
export async function served(files: Record<string, string> = {}, more: Partial<ServeOptions> = {}): Promise<Served> {
  const place = mkdtempSync(join(tmpdir(), "curlew-server-"));
  const folder = join(place, "flows");
  mkdirSync(folder);
  onTestFinished(async () => {
    await endRunners(join(place, "home"), "SIGTERM");
    rmSync(place, { recursive: true, force: true });
  });
  for (const [name, text] of Object.entries(files)) writeIn(folder, name, text);
  return servedIn(join(place, "home"), folder, more);
}

/** The same with an existing data directory and folder. */
export async function servedIn(home: string, folder: string, more: Partial<ServeOptions> = {}): Promise<Served> {
  const { PATH, HOME, LANG, TMPDIR } = process.env;
  const opened = await openServer({
    version: "0.0.0-test",
    home,
    folder,
    env: { PATH, HOME, LANG, TMPDIR, CURLEW_HOME: home, CURLEW_KEYRING: "off" } as NodeJS.ProcessEnv,
    port: 0,
    hooksPort: 0,
    logLevel: "debug",
    onWarning: () => {},
    ...clusterOpening(home),
    ...OPENING,
    ...more,
  });
  if (!opened.ok) throw new Error(`${opened.error.code}: ${opened.error.message}`);
  const running = opened.value;
  onTestFinished(() => running.close());
  const token = readServerFile(home)!.token;
  return {
    ...{ url: running.url, token, home, folder, running },
    api: async (method, path, body, headers) => {
      const answer = await fetch(`${running.url}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      await isDescribed(method, path, answer);
      return answer;
    },
    write: (name, text) => writeIn(folder, name, text),
    close: () => running.close(),
  };
}

function writeIn(folder: string, name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}
