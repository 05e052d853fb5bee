// demo: `curlew serve --demo`: workflows to play with in the home's folder demo/, and the sample API that they call (spec 2.2).
// Nothing leaves this machine.
//   D1. A file that is there is never written over: what somebody made of the demo stays. One line is ours alone: the default address of the
//       sample API, which follows the port that it got.
//   D2. The sample API is a process of its own and ends with this one, however this one ends: its standard input does.
// Deliberately absent: examples that need files or programs beside them; examples/ has them all.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { Failure } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import { makeHome } from "../secrets/files.ts";

export interface Demo {
  folder: string;
  /** Of the sample API. */
  url: string;
  close(): void;
}

/** In examples/, what shows most in the shortest time. */
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

const NO_PORTS = `No two ports in a row from ${limits.sampleApiPortDefault} on are free for the sample API.`;

/** Failures: `demo-failed`: the sample API does not start, or the folder cannot be written. */
export async function openDemo(home: string): Promise<Result<Demo, Failure>> {
  const folder = join(home, "demo");
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
 * For a server that was started without `--demo` (`POST /demo`): the sample API alone, and the demo's text that calls it. It ends with `ended`.
 * Failures: `demo-failed`.
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

/** Whom the demo's `sample/…` model is asked of: its sample API, whatever port that got. What a person has set stays. */
export function tellModel(env: NodeJS.ProcessEnv, url: string): void {
  env.SAMPLE_BASE_URL ??= `${url}/v1`;
}

export function demoText(url: string): string {
  return readFileSync(join(examplesFolder(), "demo.flow.yaml"), "utf8").replaceAll(ADDRESS, `$1${url}$2`);
}

/** It calls the sample API by its input `api`, as the demo does. */
export function isDemo(text: string): boolean {
  return text.search(ADDRESS) >= 0;
}

function failed(why: string): Result<never, Failure> {
  return err({
    code: "demo-failed",
    message: `The demo cannot be started: ${why}`,
    hint: "Without --demo, curlew serve DIR serves the workflows of a folder.",
  });
}

interface SampleApi {
  url: string;
  child: ChildProcess;
}

/** The first pair of ports that is free; a taken one makes the sample API end at once. */
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
  // A group of its own: Ctrl-C ends the server first, in order.
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

/** Beside the bundle, or in a checkout. */
function sampleApiProgram(): string {
  const file = import.meta.filename;
  return file.endsWith(".cjs")
    ? join(dirname(file), "sample-api.js")
    : join(dirname(file), "../../examples/sample-api/main.ts");
}

function examplesFolder(): string {
  const file = import.meta.filename;
  return join(dirname(file), file.endsWith(".cjs") ? "../examples" : "../../examples");
}

/** D1. */
function copyWorkflows(folder: string): void {
  const examples = examplesFolder();
  for (const name of WORKFLOWS) {
    const target = join(folder, `${name}.flow.yaml`);
    if (!existsSync(target)) copyFileSync(join(examples, `${name}.flow.yaml`), target);
  }
}

/** D1: the input that every example has. */
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
