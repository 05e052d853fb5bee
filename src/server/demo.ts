// `curlew serve --demo`: sample workflows in the folder demo/ of the data directory, and the sample API they call (spec
// 2.2). The demo makes no calls beyond this machine.
//   D1. Existing files are never overwritten, so the user's changes stay. The exception is the default URL of the
//       sample API, which is updated to the current port.
//   D2. The sample API is a separate process. It ends when its standard input closes, so it ends with
//       the server, however the server ends.
// Examples that need other files or programs are not in it. The folder examples/ has all of them.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { examplesFolder } from "../app/examples.ts";
import type { Failure } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import { makeHome } from "../secrets/files.ts";

export interface Demo {
  folder: string;
  /** The URL of the sample API. */
  url: string;
  close(): void;
}

/** The files of examples/ that show the most features in the shortest time. */
const WORKFLOWS = [
  "demo",
  "hello",
  "fetch",
  "pagination",
  "conditional",
  "parallel",
  "retry",
  "error-branch",
  "status-branch",
  "approvals-one",
  "fetch-analyse-send",
];

const NO_PORTS = `There are no two free ports in a row from ${limits.sampleApiPortDefault} for the sample API.`;

export function demoFolder(home: string): string {
  return join(home, "demo");
}

/** Failure `demo-failed`: the sample API does not start, or the folder cannot be written. */
export async function openDemo(home: string): Promise<Result<Demo, Failure>> {
  const folder = demoFolder(home);
  try {
    makeHome(folder);
    const api = await startSampleApi();
    if (api === undefined) return failed(NO_PORTS);
    copyWorkflows(folder);
    followAddress(folder, api.url);
    return ok({ folder, url: api.url, close: () => void api.child.stdin?.end() });
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Starts only the sample API, for a server that was started without `--demo` (`POST /demo`), and returns its URL.
 * The sample API stops when `ended` is aborted. Failure: `demo-failed`.
 */
export async function openSampleApi(ended: AbortSignal): Promise<Result<string, Failure>> {
  try {
    const api = await startSampleApi();
    if (api === undefined) return failed(NO_PORTS);
    ended.addEventListener("abort", () => api.child.stdin?.end());
    return ok(api.url);
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

/** Points the demo's `sample/…` model to the sample API, unless the user has set another URL. */
export function tellModel(env: NodeJS.ProcessEnv, url: string): void {
  env.SAMPLE_BASE_URL ??= `${url}/v1`;
}

export function demoText(url: string): string {
  return readFileSync(join(examplesFolder(), "demo.flow.yaml"), "utf8").replaceAll(ADDRESS, `$1${url}$2`);
}

/** Whether the workflow calls the sample API through its input `api`, as the demo does. */
export function isDemo(text: string): boolean {
  return text.search(ADDRESS) >= 0;
}

function failed(why: string): Result<never, Failure> {
  return err({
    code: "demo-failed",
    message: `Curlew can't start the demo: ${why}`,
    hint: "To serve a folder without the demo, run: curlew serve DIR",
  });
}

interface SampleApi {
  url: string;
  child: ChildProcess;
}

/** Uses the first free pair of ports. If a port is taken, the sample API exits at once. */
async function startSampleApi(): Promise<SampleApi | undefined> {
  const first = limits.sampleApiPortDefault;
  for (let port = first; port < first + 2 * limits.serverPortsTried; port += 2) {
    const api = await startAt(port);
    if (api !== undefined) return api;
  }
  return undefined;
}

async function startAt(port: number): Promise<SampleApi | undefined> {
  const args = ["--json", "--stdin", "--port", String(port), "--https-port", String(port + 1)];
  // In its own process group, so that Ctrl-C reaches the server first and the server closes in order.
  const child = spawn(process.execPath, [sampleApiProgram(), ...args], {
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
  });
  const line = once(createInterface({ input: child.stdout }), "line").then(
    ([text]) => JSON.parse(text) as { url: string },
  );
  const answer = await Promise.race([line, once(child, "exit").then(() => undefined)]);
  if (answer === undefined) return undefined;
  child.unref();
  return { url: answer.url, child };
}

/** The path of the program, beside the bundle or in a checkout. */
function sampleApiProgram(): string {
  const file = import.meta.filename;
  return file.endsWith(".cjs")
    ? join(dirname(file), "sample-api.js")
    : join(dirname(file), "../../examples/sample-api/main.ts");
}

/** D1. */
function copyWorkflows(folder: string): void {
  const examples = examplesFolder();
  for (const name of WORKFLOWS) {
    const target = join(folder, `${name}.flow.yaml`);
    if (!existsSync(target)) copyFileSync(join(examples, `${name}.flow.yaml`), target);
  }
}

/** D1: the default of the input that every example has. */
const ADDRESS = /(default: "?)http:\/\/127\.0\.0\.1:\d+("?, description: (?:URL|Address) of the sample API)/g;

function followAddress(folder: string, url: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.endsWith(".flow.yaml")) continue;
    const path = join(folder, name);
    const text = readFileSync(path, "utf8");
    const changed = text.replaceAll(ADDRESS, `$1${url}$2`);
    if (changed !== text) writeFileSync(path, changed);
  }
}
