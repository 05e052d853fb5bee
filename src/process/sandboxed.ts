// sandboxed: runs one command in a sandbox: sets up its descriptors, and determines how it ended (sandbox.ts B2, B4).

import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { constants as system } from "node:os";
import { EGRESS_DOOR_FAILED, type SandboxSpec, sandboxArguments, sandboxedArgv } from "./sandbox.ts";
import { isRunning, TAG_NAME } from "./tree.ts";

type Stderr = number | "pipe" | "ipc";

export interface StartedAs {
  argv: readonly string[];
  env: Record<string, string>;
  /** Descriptor 2 and the following ones, for spawn. */
  stderr(own: Stderr): Stderr[];
  sandbox?: Sandboxed;
}

export interface Sandboxed {
  /** Descriptors 2, 3, 4, 5 for spawn. `stderr` is the command's own. */
  stdio(stderr: Stderr): Stderr[];
  /** Call after spawn: closes our copies that only bubblewrap reads. */
  begin(): void;
  /** After bubblewrap's exit: how the command ended, or why it never started. */
  end(exitCode: number | null, signal: string | null): SandboxedEnd;
  /** Settles when no process of the sandbox is left. The kernel kills them all once bubblewrap is gone. */
  gone(): Promise<void>;
  close(): void;
}

type SandboxedEnd = { exitCode: number | null; signal: string | null } | { notStarted: string };

/** The process to spawn: the command itself, or bubblewrap with it. */
export function startedAs(spec: {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  runTag: string;
  stdoutFile: string;
  sandbox?: SandboxSpec;
}): StartedAs {
  const env = tagged(spec.env, spec.runTag);
  if (spec.sandbox === undefined) return { argv: spec.argv, env, stderr: (own) => [own] };
  const sandbox = openSandboxed(sandboxArguments(spec.sandbox, spec.cwd, env), `${spec.stdoutFile}.sandbox`);
  return { argv: sandboxedArgv(spec.sandbox, spec.argv), env: {}, stderr: withDoor(spec.sandbox, sandbox), sandbox };
}

function withDoor({ door }: SandboxSpec, sandbox: Sandboxed): (own: Stderr) => Stderr[] {
  return (own) => covered(door === undefined ? sandbox.stdio(own) : [...sandbox.stdio(own), "ipc"]);
}

/**
 * Replaces inherited open descriptors by /dev/null. Otherwise they would be open in the sandbox, and a folder among
 * them leads out of it.
 */
function covered(ends: Stderr[]): Stderr[] {
  inherited ??= leftOpen();
  const all: (Stderr | "ignore")[] = [...ends];
  for (const number of inherited) {
    if (number - 2 < ends.length) continue;
    nothing ??= openSync("/dev/null", constants.O_RDWR);
    while (all.length < number - 2) all.push("ignore");
    all[number - 2] = nothing;
  }
  return all as Stderr[];
}
let inherited: readonly number[] | undefined;
let nothing: number | undefined;

/** Descriptors that a command would inherit. Node.js opens none without close-on-exec, so they exist from the start. */
function leftOpen(): number[] {
  return readdirSync("/proc/self/fd").flatMap((name) => {
    try {
      const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${name}`, "utf8"))?.[1];
      return Number(name) > 2 && (Number.parseInt(flags ?? "0", 8) & CLOSED_BY_EXEC) === 0 ? [Number(name)] : [];
    } catch {
      return []; // The descriptor used to read the folder.
    }
  });
}
const CLOSED_BY_EXEC = 0o2000000;

/** The command's environment with the tag. If Curlew itself runs in a command of Curlew, outer tags are kept. */
function tagged(given: Readonly<Record<string, string>>, tag: string): Record<string, string> {
  const env: Record<string, string> = Object.assign(Object.create(null), given);
  const outer = process.env[TAG_NAME];
  env[TAG_NAME] = outer === undefined ? tag : `${outer} ${tag}`;
  return env;
}

/** `scratch`: an unused path in a private folder; nothing stays there. `args`: from `sandboxArguments`. */
function openSandboxed(args: readonly string[], scratch: string): Sandboxed {
  const argsFd = laidDown(`${args.join("\0")}\0`, `${scratch}.args`);
  let report: number | undefined = temporary(`${scratch}.report`, constants.O_RDWR | constants.O_APPEND);
  let open: number | undefined = argsFd;
  const read = (): string => (report === undefined ? "" : readAll(report));
  return {
    stdio: (stderr) => [report!, argsFd, stderr, report!],
    begin: () => {
      if (open !== undefined) closeSync(open);
      open = undefined;
    },
    end: (exitCode, signal) => {
      const told = read();
      if (signal !== null || exitCode === null) return { exitCode, signal };
      const lines = told.split("\n").filter((line) => /^[^{]/.test(line) && !line.includes("ld.so: "));
      if (!/"exit-code"/.test(told)) {
        const said = lines.findLast((line) => line.startsWith("bwrap: "))?.slice("bwrap: ".length);
        return { notStarted: `its sandbox could not be made: ${said ?? `bubblewrap ended with code ${exitCode}`}` };
      }
      if (lines.includes(EGRESS_DOOR_FAILED))
        return { notStarted: `its egress proxy could not be opened: ${lines[0]}` };
      // The shell in between prints something only if a signal ended the command.
      const name = lines.length === 0 ? undefined : signalName(exitCode - 128);
      return name === undefined ? { exitCode, signal: null } : { exitCode: null, signal: name };
    },
    gone: async () => {
      const first = Number(/"child-pid": (\d+)/.exec(read())?.[1] ?? 0);
      for (let waited = 0; first > 1 && waited < 5_000 && isRunning(first); waited += 1)
        await new Promise((resolve) => setTimeout(resolve, 1));
    },
    close: () => {
      if (open !== undefined) closeSync(open);
      if (report !== undefined) closeSync(report);
      open = undefined;
      report = undefined;
    },
  };
}

function signalName(number: number): string | undefined {
  return Object.entries(system.signals).find(([, each]) => each === number)?.[0];
}

function laidDown(text: string, file: string): number {
  const fd = temporary(file, constants.O_RDWR);
  const bytes = Buffer.from(text);
  // Written by position, so that the descriptor's offset stays at the start for its reader.
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, done);
  return fd;
}

/** A file that is already unlinked. */
function temporary(file: string, flags: number): number {
  const fd = openSync(file, flags | constants.O_CREAT | constants.O_EXCL, 0o600);
  unlinkSync(file);
  return fd;
}

function readAll(fd: number): string {
  const bytes = Buffer.alloc(Math.min(fstatSync(fd).size, 65_536));
  const length = readSync(fd, bytes, 0, bytes.length, 0);
  return bytes.toString("utf8", 0, length);
}
