// cli: one call of `curlew`, from its arguments to the end of the process.

import { Exit } from "./exit.ts";
import { notWritten, type Problem } from "./problem.ts";
import { runProgram } from "./program.ts";
import { flushed, processTerminal, type Surroundings, type Terminal, terminalOf } from "./terminal.ts";
import { version } from "./version.ts";

export async function cli(args: string[]): Promise<void> {
  const terminal = processTerminal();
  const broken = (reason: unknown): void =>
    void written(terminal, fault(terminal, reason)).then((code) => process.exit(code));
  process.on("uncaughtException", broken);
  process.on("unhandledRejection", broken);
  process.exit(await called(args, terminal));
}

/** One call in these surroundings. Returns the exit code. */
export function call(args: string[], surroundings: Surroundings): Promise<number> {
  return called(args, terminalOf(surroundings));
}

async function called(args: string[], terminal: Terminal): Promise<number> {
  if (terminal.cwd === "") return written(terminal, folderGone(terminal));
  try {
    return await written(terminal, await runProgram(args, terminal));
  } catch (reason) {
    return written(terminal, fault(terminal, reason));
  }
}

/** The exit code, as soon as all output has been written. */
async function written(terminal: Terminal, code: number): Promise<number> {
  if (!terminal.outGone()) await flushed(terminal);
  const lost = terminal.outLost();
  if (lost !== undefined) terminal.problem(notWritten(lost));
  return lost !== undefined && code === Exit.OK ? Exit.FAULT : code;
}

function folderGone(terminal: Terminal): Exit {
  terminal.problem({
    code: "no-folder",
    message: "The current folder no longer exists.",
    hint: "Change into another folder: cd.",
  });
  return Exit.USAGE;
}

function fault(terminal: Terminal, reason: unknown): Exit {
  terminal.problem(faultProblem(reason));
  if (terminal.env.CURLEW_DEBUG === "1") terminal.err(`${reason instanceof Error ? reason.stack : String(reason)}\n`);
  return Exit.FAULT;
}

/** Help for each error code that means a system resource has run out. */
const USED_UP: Record<string, string> = {
  EMFILE: "Raise the limit of open files (ulimit -n), or run fewer nodes at a time.",
  ENFILE: "Close other programs. The whole machine has too many open files.",
  ENOSPC: "Free some space.",
  EDQUOT: "Free some space.",
  EAGAIN: "Raise the limit of processes (ulimit -u), or run fewer nodes at a time.",
  ENOMEM: "Close other programs, or run fewer nodes at a time.",
};

/** The system's error code, such as `ENOENT`, even if Node.js has wrapped it (`ERR_SYSTEM_ERROR`). */
function systemCodeOf(reason: Error): string {
  const { info, code } = reason as { info?: { code?: string }; code?: unknown };
  return String(info?.code ?? code ?? "");
}

function faultProblem(reason: unknown): Problem {
  const code = reason instanceof Error ? systemCodeOf(reason) : "";
  if (reason instanceof Error && reason.name === "StoreFault") return { code, message: reason.message };
  if (reason instanceof Error && Object.hasOwn(USED_UP, code))
    return {
      code: "out-of-resources",
      message: `The system ran out of a resource: ${reason.message}. Everything recorded before is safe.`,
      hint: `${USED_UP[code]} Then resume the run: curlew runs resume.`,
    };
  const what = reason instanceof Error ? `${reason.name}: ${reason.message}` : String(reason);
  return {
    code: "internal",
    message: `Curlew failed because of a bug in it. ${what}`,
    hint:
      `Please report this with the command you gave and: Curlew ${knownVersion()}, Node.js ${process.versions.node}, ${process.platform}.\n` +
      "CURLEW_DEBUG=1 shows where it happened.",
  };
}

/** Reading package.json may fail when no more files can be opened. */
function knownVersion(): string {
  try {
    return version();
  } catch {
    return "of this folder";
  }
}
