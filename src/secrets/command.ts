// command: a program of the user's that prints a secret (`op read …`, `pass show …`), named in config.yaml (spec 4.2).
//   P1. Its stdout goes nowhere but into the value; its stderr is shown only when it fails, cut, and without the secrets known by then.
//   P2. It is over when its time is: with a terminal its own process is killed, without one everything it started.
//   P3. Only a terminal is handed on as its stdin: a tool that asks for a password may ask there, and never reads the run's data.

import { type ChildProcess, spawn } from "node:child_process";
import type { Failure } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import { createMasker } from "./masker.ts";

export interface SecretCommand {
  /** For messages: the name of the secret. */
  name: string;
  /** For messages: where the command stands. */
  at: string;
  argv: readonly string[];
  /** `argv` is one text for the shell. */
  shell: boolean;
  timeoutMs: number;
  /** Its working folder. */
  folder: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** Values known by now, by name; they are taken out of what is shown. */
  known: ReadonlyMap<string, string>;
}

type Ending =
  | { how: "exited"; code: number; stdout: Buffer; stderr: string }
  | { how: "signalled"; signal: string; stdout: Buffer; stderr: string }
  | { how: "late" | "too-much"; stdout: Buffer; stderr: string }
  | { how: "not-started"; why: string };

/** What it printed. Failures: `secret-source-failed`. */
export async function runSecretCommand(command: SecretCommand): Promise<Result<Buffer, Failure>> {
  const ending = await run(command);
  if (ending.how === "exited" && ending.code === 0) return ok(ending.stdout);
  const stderr = "stderr" in ending ? shownStderr(ending, command) : "";
  return err({
    code: "secret-source-failed",
    message: `The secret ${command.name} could not be had: its command ${programOf(command)}${told(ending, command)}.`,
    hint: `${stderr === "" ? "" : `It said: ${stderr}\n`}The command stands at ${command.at}; try it in a shell of your own.`,
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
    const settle = (ending: Ending): void => {
      clearTimeout(timer);
      for (const signal of SIGNALS) process.removeListener(signal, onSignal);
      child?.stdout?.destroy();
      child?.stderr?.destroy();
      resolve(ending);
    };
    const stop = (why: "late" | "too-much"): void => {
      cut = why;
      kill(child, onTerminal);
      // What it left behind may hold its output open.
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
      return settle({ how: "not-started", why: (reason as NodeJS.ErrnoException).code ?? "it is not valid" });
    }
    for (const signal of SIGNALS) process.on(signal, onSignal);
    child.on("error", (reason: NodeJS.ErrnoException) =>
      settle({
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
      if (cut !== undefined) return settle({ how: cut, ...said });
      settle(
        code === null ? { how: "signalled", signal: signal ?? "a signal", ...said } : { how: "exited", code, ...said },
      );
    });
  });
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** More than is shown, so that a secret at the cut is still whole when it is looked for. */
const STDERR_KEPT = limits.secretBytesMax * 2;

function shellFor(text: string): string[] {
  return process.platform === "win32" ? ["cmd.exe", "/d", "/s", "/c", text] : ["/bin/sh", "-c", text];
}

/** P2. Its own group, where it has one. */
function kill(child: ChildProcess, onTerminal: boolean): void {
  if (child.pid === undefined) return;
  try {
    if (onTerminal || process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

function told(ending: Ending, { timeoutMs }: SecretCommand): string {
  switch (ending.how) {
    case "exited":
      return `ended with exit code ${ending.code}`;
    case "signalled":
      return `was ended by ${ending.signal}`;
    case "late":
      return `did not end within ${timeoutMs / 1000} s`;
    case "too-much":
      return `printed more than the ${limits.secretBytesMax} bytes that a secret can have`;
    case "not-started":
      return `could not be started: ${ending.why}`;
  }
}

/** Never its arguments, which may be references that say where a secret is, nor a variable that a text sets before its program. */
function programOf({ argv, shell }: SecretCommand): string {
  const program = shell ? /^\s*([\w./~+-]+)(?=\s|$)/.exec(argv[0]!)?.[1] : argv[0]!;
  return program === undefined ? "" : `${JSON.stringify(program)} `;
}

/** P1. Also what stands on its stdout, whole and line by line, is taken out. */
function shownStderr(ending: { stdout: Buffer; stderr: string }, { known }: SecretCommand): string {
  const printed = ending.stdout.toString().trim();
  const secrets = new Map([...known, ["", printed]]);
  const text = createMasker(secrets).mask(ending.stderr).trim();
  const { secretCommandStderrChars: most } = limits;
  return text.length > most ? `… ${text.slice(-most)}` : text;
}
