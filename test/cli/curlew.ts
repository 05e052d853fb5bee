// curlew: the whole program in a new folder with a new data directory, like a user at a shell.
//   `run` calls it in the process of the test. `start` starts a process: for signals, pipes, terminals, and kills.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { EventEmitter } from "node:events";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable, Writable } from "node:stream";
import { onTestFinished } from "vitest";
import type { Surroundings } from "../../src/cli/terminal.ts";
import { stateOf } from "../../src/process/identity.ts";
import { endsWithTest } from "../setup/ends.ts";
import { clusterEnv } from "../setup/on-postgres.ts";

/**
 * The program behind bin/curlew, which test/setup/build.ts built from the current sources. From the sources it would
 * start five times as slowly.
 */
export const MAIN = join(import.meta.dirname, "../../dist/cli.cjs");

interface App {
  call(args: string[], surroundings: Surroundings): Promise<number>;
}
/** The program without a process. The built one loads in a tenth of the time. */
const APP = join(import.meta.dirname, "../../dist/app.cjs");
const load = (): App => createRequire(import.meta.url)(APP);

export interface Ran {
  /** Exit code, or the signal that ended it. */
  code: number | string;
  stdout: string;
  stderr: string;
}

/** The output of --json: one object per line. */
// biome-ignore lint/suspicious/noExplicitAny: tests read any member.
export function eventsIn({ stdout }: Pick<Ran, "stdout">): any[] {
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

export interface Given {
  stdin?: string;
  env?: Record<string, string>;
  /** For typing while it runs. */
  keepStdin?: boolean;
}

export interface Folder {
  path: string;
  home: string;
  /** In the test's process. A string is split at spaces; an array is used unchanged. */
  run(args: string | string[], given?: Given): Promise<Ran>;
  /** Starts a process, which is still running. */
  start(args: string | string[], given?: Given): Started;
  write(name: string, text: string): void;
  read(name: string): string;
}

export interface Started {
  process: ChildProcessWithoutNullStreams;
  done: Promise<Ran>;
  /** Resolves when the text is on the stream, so many times. Fails if the program ends without it. */
  says(text: string, stream?: "stdout" | "stderr", times?: number): Promise<void>;
}

/** A folder with these files. It is removed after the test with everything in it. */
export function folder(files: Record<string, string> = {}): Folder {
  const path = mkdtempSync(join(tmpdir(), "curlew-cli-"));
  const home = join(path, ".home");
  onTestFinished(async () => {
    await endRunners(home, "SIGTERM");
    rmSync(path, { recursive: true, force: true });
  });
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  const start = (args: string | string[], given: Given = {}): Started =>
    started(process.execPath, ["--", MAIN, ...wordsOf(args)], path, given, home);
  return {
    path,
    home,
    write,
    read: (name) => readFileSync(join(path, name), "utf8"),
    start,
    run: (args, given = {}) => {
      const words = wordsOf(args);
      return needsProcess(words, given.env)
        ? start(words, given).done
        : cli(words, path, { ...given, env: envOf(home, given) });
    },
  };
}

function wordsOf(args: string | string[]): string[] {
  return typeof args === "string" ? args.split(" ").filter((word) => word !== "") : args;
}

/** These commands are in another bundle, signal a process, or print without the terminal. */
const PROCESSES = new Set(["serve", "http", "complete", "completion", "--version"]);

function needsProcess([command = "", second, ...rest]: string[], env: Given["env"] = {}): boolean {
  // Node.js itself reads these when it starts.
  if (Object.keys(env).some((name) => name.startsWith("NODE_"))) return true;
  const isHelp = second === "--help" || rest.includes("--help");
  return !isHelp && (PROCESSES.has(command) || second === "cancel");
}

function envOf(home: string, given: Given): Record<string, string> {
  const { PATH, HOME, LANG, TMPDIR } = process.env;
  // The keyring of the user who runs the tests stays untouched.
  const more = { ...clusterEnv(given.env?.CURLEW_HOME ?? home), ...given.env };
  const all = { PATH, HOME, LANG, TMPDIR, CURLEW_HOME: home, CURLEW_KEYRING: "off", ...more };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<string, string>;
}

/** One call in the test's process. Its streams are not terminals. */
export async function cli(args: string[], cwd: string, { stdin = "", env = {} }: Given): Promise<Ran> {
  const streams = streamsOf(stdin, env);
  const surroundings: Surroundings = {
    ...streams.given,
    cwd,
    signals: new EventEmitter(),
    exit: (code) => {
      throw new Error(`The program ended itself with exit code ${code}.`);
    },
  };
  const code = await load().call(args, surroundings).finally(streams.close);
  return { code, stdout: streams.stdout().toString(), stderr: streams.stderr().toString() };
}

/** Streams for a call in this process. */
function streamsOf(input: string, env: Record<string, string>) {
  const heard: Record<"stdout" | "stderr", Buffer[]> = { stdout: [], stderr: [] };
  const sink = (stream: "stdout" | "stderr") => {
    const write = (chunk: Buffer, _encoding: string, done: () => void): void => {
      heard[stream].push(chunk);
      done();
    };
    return new Writable({ write }) as unknown as NodeJS.WriteStream;
  };
  const place = mkdtempSync(join(tmpdir(), "curlew-stdin-"));
  const file = join(place, "stdin");
  writeFileSync(file, input);
  const stdinFd = openSync(file, "r");
  type Stdin = ReturnType<Surroundings["stdin"]>;
  return {
    given: {
      env,
      stdin: () => Readable.from([Buffer.from(input)]) as Stdin,
      stdinFd,
      stdout: sink("stdout"),
      stderr: sink("stderr"),
    },
    stdout: () => Buffer.concat(heard.stdout),
    stderr: () => Buffer.concat(heard.stderr),
    close: () => {
      closeSync(stdinFd);
      rmSync(place, { recursive: true });
    },
  };
}

export function started(program: string, args: string[], cwd: string, given: Given, home: string): Started {
  const child = endsWithTest(spawn(program, args, { cwd, env: envOf(home, given) }));
  const heard = { stdout: "", stderr: "" };
  type Said = { text: string; stream: "stdout" | "stderr"; times: number };
  const waiting: (Said & { resolve(): void; reject(reason: Error): void })[] = [];
  const isSaid = ({ text, stream, times }: Said) => heard[stream].split(text).length > times;
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      heard[stream] += text;
      for (const each of waiting) if (isSaid(each)) each.resolve();
    });
  child.stdin.on("error", () => {});
  if (given.keepStdin !== true) child.stdin.end(given.stdin ?? "");
  const done = new Promise<Ran>((resolve) => {
    child.on("close", (code, signal) => {
      for (const each of waiting)
        each.reject(
          new Error(
            `it ended (${code ?? signal}) without "${each.text}" on ${each.stream}:\n${heard.stdout}\n${heard.stderr}`,
          ),
        );
      resolve({ code: code ?? signal ?? "", ...heard });
    });
  });
  return {
    process: child,
    done,
    says: (text, stream = "stderr", times = 1) =>
      isSaid({ text, stream, times })
        ? Promise.resolve()
        : new Promise((resolve, reject) => waiting.push({ text, stream, times, resolve, reject })),
  };
}

/** Runner processes of this data directory. */
export function runnersOf(home: string): number[] {
  const folder = join(home, "runners");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => stateOf(name).state === "alive").map((name) => stateOf(name).pid);
}

const runnersEndMs = 20_000;

/** It may have ended since it was found. */
export function killIfThere(pid: number, signal: string): void {
  try {
    process.kill(pid, signal);
  } catch (reason) {
    if ((reason as NodeJS.ErrnoException).code !== "ESRCH") throw reason;
  }
}

/**
 * Ends them, even if they are stopped, and waits until they are gone. SIGTERM also ends their commands, SIGKILL does not.
 */
export async function endRunners(home: string, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  for (const pid of runnersOf(home)) for (const each of [signal, "SIGCONT"]) killIfThere(pid, each);
  const since = performance.now();
  while (runnersOf(home).length > 0) {
    if (performance.now() - since > runnersEndMs) for (const pid of runnersOf(home)) process.kill(pid, "SIGKILL");
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Resolves when a command has made the file. */
export async function made(file: string): Promise<void> {
  while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 2));
}

/**
 * A workflow of CLI nodes in a chain: `{ greet: "echo hi", count: "wc -m" }`. More of the document can be given as
 * text.
 */
export function inARow(commands: Record<string, string>, more = ""): string {
  const nodes = Object.entries(commands).map(
    ([id, content]) =>
      `  - { id: ${id}, type: cli, data: { title: Title of ${id}, content: ${JSON.stringify(content)} } }\n`,
  );
  const ids = Object.keys(commands);
  return `curlew: 1\nname: Test\n${more}nodes:\n${nodes.join("")}${ids.length > 1 ? `edges: [ ${ids.join(" -> ")} ]\n` : ""}`;
}
