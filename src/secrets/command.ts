// Runs a user's program that prints a secret (`op read …`, `pass show …`), as configured in config.yaml (spec 4.2).
//   P1. Its stdout is used only as the value. Its stderr is shown only if it fails,
//       cut, and with known secrets removed.
//   P2. It is killed at its time limit: with a terminal, only the process itself, otherwise everything it started.
//   P3. Its stdin is a terminal or nothing. A tool can ask for a password there, but never reads the run's data.

import { type ChildProcess, spawn } from "node:child_process";
import type { Failure } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import { createMasker } from "./masker.ts";

export interface SecretCommand {
  /** The secret's name, for messages. */
  name: string;
  /** Where the command is configured, for messages. */
  at: string;
  argv: readonly string[];
  /** `argv` is one string for the shell. */
  shell: boolean;
  timeoutMs: number;
  /** The working directory. */
  folder: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** Secrets known so far, by name. They are removed from the output that is shown. */
  known: ReadonlyMap<string, string>;
}

type Ending =
  | { how: "exited"; code: number; stdout: Buffer; stderr: string }
  | { how: "signalled"; signal: string; stdout: Buffer; stderr: string }
  | { how: "late" | "too-much"; stdout: Buffer; stderr: string }
  | { how: "not-started"; why: string };

/** The program's stdout. Failures: `secret-source-failed`. */
export async function runSecretCommand(command: SecretCommand): Promise<Result<Buffer, Failure>> {
  const ending = await run(command);
  if (ending.how === "exited" && ending.code === 0) return ok(ending.stdout);
  const stderr = "stderr" in ending ? shownStderr(ending, command) : "";
  return err({
    code: "secret-source-failed",
    message: `Curlew could not get the secret ${command.name}: its command ${programOf(command)}${describeEnding(ending, command)}.`,
    hint: `${stderr === "" ? "" : `It said: ${stderr}\n`}The command is at ${command.at}. Try it in your shell.`,
  });
}

function run({ argv, shell, timeoutMs, folder, environment }: SecretCommand): Promise<Ending> {
  const onTerminal = process.stdin.isTTY === true;
  const [program, ...args] = shell ? shellFor(argv[0]!) : argv;
  return new Promise((resolve) => {
    const stdout: Buffer[] = [];
    let bytes = 0;
    let stderr = "";
    let cut: "late" | "too-much" | undefined;
    let child: ChildProcess;
    const finish = (ending: Ending): void => {
      clearTimeout(timer);
      for (const signal of SIGNALS) process.removeListener(signal, onSignal);
      child?.stdout?.destroy();
      child?.stderr?.destroy();
      resolve(ending);
    };
    const stop = (why: "late" | "too-much"): void => {
      cut = why;
      kill(child, onTerminal);
      // Processes it left behind may keep its output open.
      child.stdout?.destroy();
      child.stderr?.destroy();
    };
    const onSignal = (signal: NodeJS.Signals): void => {
      kill(child, onTerminal);
      for (const each of SIGNALS) process.removeListener(each, onSignal);
      process.kill(process.pid, signal);
    };
    const timer = setTimeout(() => stop("late"), timeoutMs);
    try {
      child = spawn(program!, args, {
        cwd: folder,
        env: environment as NodeJS.ProcessEnv,
        stdio: [onTerminal ? "inherit" : "ignore", "pipe", "pipe"],
        detached: !onTerminal,
      });
    } catch (reason) {
      return finish({ how: "not-started", why: (reason as NodeJS.ErrnoException).code ?? "it is not valid" });
    }
    for (const signal of SIGNALS) process.on(signal, onSignal);
    child.on("error", (reason: NodeJS.ErrnoException) =>
      finish({
        how: "not-started",
        why: reason.code === "ENOENT" ? "there is no such program" : (reason.code ?? "unknown reason"),
      }),
    );
    child.stdout!.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      stdout.push(chunk);
      if (bytes > limits.secretBytesMax + 2) stop("too-much");
    });
    child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      stderr = (stderr + text).slice(-STDERR_KEPT);
    });
    child.on("close", (code, signal) => {
      const said = { stdout: Buffer.concat(stdout), stderr };
      if (cut !== undefined) return finish({ how: cut, ...said });
      finish(
        code === null ? { how: "signalled", signal: signal ?? "a signal", ...said } : { how: "exited", code, ...said },
      );
    });
  });
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** More than is shown, so that a secret at the cut is complete when it is searched for. */
const STDERR_KEPT = limits.secretBytesMax * 2;

function shellFor(text: string): string[] {
  return process.platform === "win32" ? ["cmd.exe", "/d", "/s", "/c", text] : ["/bin/sh", "-c", text];
}

/** P2. Kills the process group if there is one. */
function kill(child: ChildProcess, onTerminal: boolean): void {
  if (child.pid === undefined) return;
  try {
    if (onTerminal || process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // The process has already ended.
  }
}

function describeEnding(ending: Ending, { timeoutMs }: SecretCommand): string {
  switch (ending.how) {
    case "exited":
      return `ended with exit code ${ending.code}`;
    case "signalled":
      return `was ended by ${ending.signal}`;
    case "late":
      return `did not end within ${timeoutMs / 1000} s`;
    case "too-much":
      return `printed more than ${limits.secretBytesMax} bytes, the limit of a secret`;
    case "not-started":
      return `could not be started: ${ending.why}`;
  }
}

/**
 * Without its arguments, which may say where a secret is, and without variables set
 * before the program in a shell command.
 */
function programOf({ argv, shell }: SecretCommand): string {
  const program = shell ? /^\s*([\w./~+-]+)(?=\s|$)/.exec(argv[0]!)?.[1] : argv[0]!;
  return program === undefined ? "" : `${JSON.stringify(program)} `;
}

/** P1. Also removes what the program wrote to stdout, as a whole and line by line. */
function shownStderr(ending: { stdout: Buffer; stderr: string }, { known }: SecretCommand): string {
  const printed = ending.stdout.toString().trim();
  const secrets = new Map([...known, ["", printed]]);
  const text = createMasker(secrets).mask(ending.stderr).trim();
  const { secretCommandStderrChars: most } = limits;
  return text.length > most ? `… ${text.slice(-most)}` : text;
}
