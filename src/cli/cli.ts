// cli: one call of `curlew`, from its arguments to the end of the process.

import { Exit } from "./exit.ts";
import type { Problem } from "./problem.ts";
import { quickly } from "./quickly.ts";
import { flushed, processTerminal, type Terminal } from "./terminal.ts";
import { version } from "./version.ts";

export async function cli(args: string[]): Promise<void> {
  const terminal = processTerminal();
  process.on("uncaughtException", (reason) => void end(terminal, fault(terminal, reason)));
  process.on("unhandledRejection", (reason) => void end(terminal, fault(terminal, reason)));
  let code: number;
  try {
    code = (await quickly(args, terminal)) ?? (await (await import("./program.ts")).runProgram(args, terminal));
  } catch (reason) {
    code = fault(terminal, reason);
  }
  await end(terminal, code);
}

async function end(terminal: Terminal, code: number): Promise<void> {
  if (!terminal.outGone()) await flushed();
  process.exit(code);
}

function fault(terminal: Terminal, reason: unknown): Exit {
  terminal.problem(faultProblem(reason));
  if (terminal.env.CURLEW_DEBUG === "1") terminal.err(`${reason instanceof Error ? reason.stack : String(reason)}\n`);
  return Exit.FAULT;
}

function faultProblem(reason: unknown): Problem {
  const what = reason instanceof Error ? `${reason.name}: ${reason.message}` : String(reason);
  return {
    code: "internal",
    message: `Curlew failed, and it is not your doing. ${what}`,
    help:
      `Please report this with the command you gave and: Curlew ${version()}, Node.js ${process.versions.node}, ${process.platform}.\n` +
      "CURLEW_DEBUG=1 shows where it happened.",
  };
}
