// open: the start of every command about runs: the data directory, and its store or engine.

import { homedir } from "node:os";
import { outermostOf } from "../engine/pending.ts";
import type { RunRow, Store } from "../store/index.ts";
import { Exit } from "./exit.ts";
import { homeFolder } from "./home.ts";
import { problem } from "./problem.ts";
import type { Terminal } from "./terminal.ts";

export interface HomeOption {
  home?: string;
}

export function homeOf(options: HomeOption, terminal: Terminal): string {
  return homeFolder({
    flag: options.home,
    env: terminal.env,
    cwd: terminal.cwd,
    platform: process.platform,
    userHome: homedir(),
  });
}

/**
 * Calls `work` with the store of the data directory. If the store cannot be opened or the run does not exist, the exit
 * code is 2.
 */
export async function withStore(
  options: HomeOption,
  terminal: Terminal,
  work: (store: Store) => Exit | Promise<Exit>,
): Promise<Exit> {
  const { openStore } = await import("../store/index.ts");
  const opened = openStore(homeOf(options, terminal));
  if (!opened.ok) return refused(opened.error, terminal);
  try {
    return await work(opened.value);
  } finally {
    opened.value.close();
  }
}

/** Records in the audit log what this command has done. */
export function logged(type: string, name: string, options: HomeOption, terminal: Terminal): Promise<Exit> {
  return withStore(options, terminal, (store) => {
    const written = store.audit.append({ type, name, door: "cli" });
    return written.ok ? Exit.OK : refused(written.error, terminal);
  });
}

/** The named run, or undefined after a message on stderr. */
export function findRun(name: string, store: Store, terminal: Terminal): RunRow | undefined {
  const found = store.journal.findRun(name);
  if (found.ok) return found.value;
  refused(found.error, terminal);
  return undefined;
}

/**
 * The outermost run, because a subflow's run ends or continues only with the run it belongs to. `prefix` starts its
 * paths there.
 */
export function findOutermost(
  name: string,
  store: Store,
  terminal: Terminal,
): { run: RunRow; prefix: string } | undefined {
  const row = findRun(name, store, terminal);
  return row === undefined ? undefined : (outermostOf(row, store) ?? { run: row, prefix: "" });
}

/** Prints a failure or a problem, and returns the exit code for it. */
export function refused({ code, message, hint, help = hint }: Refusal, terminal: Terminal): Exit {
  terminal.problem(problem(code, message, help));
  return Exit.USAGE;
}

interface Refusal {
  code: string;
  message: string;
  hint?: string;
  help?: string;
}
