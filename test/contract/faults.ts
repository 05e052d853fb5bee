// faults: runs the real program while the kernel makes the n-th call of one kind fail with one error (strace --inject).
// Only calls of the program's own main thread fail; its commands run normally. No product code knows that it is tested.

import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { type Folder, folder, MAIN } from "../cli/curlew.ts";

export interface Fault {
  /** Kernel calls, as strace names them. */
  call: string;
  error: string;
  /** One of them, or each from there on. */
  from: number;
  persists: boolean;
  /** Only calls on the data directory's database, its log and its index count, and fail. */
  ofStore?: boolean;
}

export interface Outcome {
  code: number | string;
  stdout: string;
  stderr: string;
  /** How often each command took effect. */
  effects: Record<string, number>;
  /** Commands that were alive two seconds after the program had ended. */
  left: string[];
}

export const STORE_FILES = ["curlew.db", "curlew.db-wal", "curlew.db-shm"];

/**
 * Three commands, the second of which takes the output of the first; each leaves one line in `effects`. One value is
 * sealed.
 */
const FLOW = `curlew: 1
name: Faulty
nodes:
  - { id: a, type: cli, data: { title: A, content: "echo a >> effects; echo one; echo err >&2" } }
  - { id: b, type: cli, data: { title: B, content: "cat; echo b >> effects; echo two", stdin: { source: parent-index } } }
  - { id: c, type: cli, data: { title: C, content: "echo c >> effects; cat; (sleep 77.5 &)", stdin: { source: parent-index } } }
  - { id: kept, type: variable, data: { title: Kept, variableName: kept, secret: true, content: "a secret of many letters" } }
edges: [a -> b, b -> c]
output: c
`;
export const RESULT = "onetwo\n";

export function place(): Folder {
  return folder({ "f.flow.yaml": FLOW });
}

/**
 * How many calls of a kind a whole run makes, and which is the first after the data directory was found; those before
 * it are Node.js's.
 */
export function callsOf(call: string, ofStore = false): { first: number; all: number } {
  const it = place();
  const trace = join(it.path, "trace");
  execFileSync(
    "strace",
    ["-o", trace, "-y", "-e", `trace=openat,${call}`, process.execPath, MAIN, "run", "f.flow.yaml"],
    {
      cwd: it.path,
      env: { PATH: process.env.PATH, CURLEW_HOME: it.home, CURLEW_KEYRING: "off" },
      stdio: "ignore",
    },
  );
  const lines = readFileSync(trace, "utf8").split("\n");
  const kinds = new Set(call.split(","));
  if (ofStore)
    return { first: 1, all: lines.filter((line) => line.startsWith(`${call}(`) && /curlew\.db/.test(line)).length };
  const ours = lines.findIndex((line) => line.includes(it.home));
  const counted = (some: readonly string[]) =>
    some.filter((line) => kinds.has(/^(\w+)\(/.exec(line)?.[1] ?? "")).length;
  return { first: counted(lines.slice(0, ours)) + 1, all: counted(lines) };
}

export function run(it: Folder, args: readonly string[], fault?: Fault): Promise<Outcome> {
  // Without a fault, no process is needed.
  if (fault === undefined)
    return it.run([...args]).then(async (ran) => ({ ...ran, effects: effectsIn(it), left: await leftIn(it) }));
  const inject = [
    "-o",
    "/dev/null",
    "-e",
    `inject=${fault.call}:error=${fault.error}:when=${fault.from}${fault.persists ? "+" : ""}`,
    ...(fault.ofStore === true ? STORE_FILES.flatMap((name) => ["-P", join(it.home, name)]) : []),
  ];
  const rest = [...inject, process.execPath, MAIN, ...args];
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH, CURLEW_HOME: it.home, CURLEW_KEYRING: "off" };
    execFile(
      "strace",
      rest,
      { cwd: it.path, env, timeout: 120_000, killSignal: "SIGKILL" },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : ((error.code as number | undefined) ?? error.signal ?? "killed");
        void leftIn(it).then((left) => resolve({ code, stdout, stderr, effects: effectsIn(it), left }));
      },
    );
  });
}

function effectsIn(it: Folder): Record<string, number> {
  const counted: Record<string, number> = {};
  if (!existsSync(join(it.path, "effects"))) return counted;
  for (const line of it.read("effects").trim().split("\n")) counted[line] = (counted[line] ?? 0) + 1;
  return counted;
}

/** Processes that live two seconds after the program: its runner may need a moment to end the commands. */
async function leftIn(it: Folder): Promise<string[]> {
  for (let tries = 0; tries < 100; tries++) {
    if (livingIn(it).length === 0) return [];
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return livingIn(it);
}

/** Processes that work in the folder, whoever their parent is. */
export function livingIn(it: Pick<Folder, "path">): string[] {
  const path = realpathSync(it.path);
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      if (!realpathSync(`/proc/${pid}/cwd`).startsWith(path)) return [];
      return [readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim()];
    } catch {
      return [];
    }
  });
}

/** Makes calls of a process's main thread fail from now on, until the returned function is called. */
export function attached(pid: number, options: readonly string[]): Promise<() => Promise<unknown>> {
  const strace = spawn("strace", ["-p", String(pid), ...options], { stdio: ["ignore", "ignore", "pipe"] });
  const gone = once(strace, "exit");
  const letGo = () => {
    strace.kill("SIGINT");
    return gone;
  };
  return new Promise((resolve, reject) => {
    strace.stderr.on("data", (said) => {
      if (String(said).includes("attached")) resolve(letGo);
    });
    strace.on("exit", (code) => reject(new Error(`strace ended with ${code}`)));
  });
}
