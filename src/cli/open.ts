// open: the start of every command about runs: the data directory, and its store or engine.

import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Now } from "../base/now.ts";
import type { Result } from "../base/result.ts";
import { outermostOf } from "../engine/pending.ts";
import type { LocalStore, RunRow, Store } from "../store/index.ts";
import { type ClusterOption, clusterFor } from "./cluster.ts";
import { Exit } from "./exit.ts";
import { homeFolder, userHome } from "./home.ts";
import type { Problem } from "./problem.ts";
import type { Terminal } from "./terminal.ts";

export interface HomeOption extends ClusterOption {
  home?: string;
}

export function homeOf(options: HomeOption, terminal: Terminal): string {
  return homeFolder({
    flag: options.home,
    env: terminal.env,
    cwd: terminal.cwd,
    platform: process.platform,
    userHome: userHome(),
  });
}

/**
 * Calls `work` with the store of the data directory. If the store cannot be opened or the run does not exist, the exit
 * code is 2. Without a data directory, `work` gets an empty store and nothing is created, because the wrong environment
 * may be set: a message names the folder. `creates`: for commands that write something new. On a cluster, commands that
 * write (`writes`, `creates`) need its key.
 */
export async function withStore(
  options: HomeOption & { creates?: true; writes?: true },
  terminal: Terminal,
  work: (store: Store) => Exit | Promise<Exit>,
): Promise<Exit> {
  const home = homeOf(options, terminal);
  const cluster = await clusterFor(options, home, terminal, options.writes ?? options.creates);
  if (!cluster.ok) return refused(cluster.error, terminal);
  if (cluster.value === undefined) return withLocalStore(options, terminal, work);
  const { openClusterStore } = await import("../app/cluster.ts");
  const place = placeFor(home, options.creates ?? options.writes);
  return using(place, () => openClusterStore(cluster.value!, place.path), terminal, work);
}

/** The same for commands about the files of a data directory. */
export async function withLocalStore(
  options: HomeOption & { creates?: true },
  terminal: Terminal,
  work: (store: LocalStore) => Exit | Promise<Exit>,
): Promise<Exit> {
  const { openStore } = await import("../store/index.ts");
  const home = homeOf(options, terminal);
  const place = placeFor(home, options.creates);
  if (place.path !== home) terminal.err(noHome(home));
  return using(place, () => openStore(place.path), terminal, work);
}

async function using<S extends { close(): unknown }>(
  place: { remove(): void },
  open: () => Now<Result<S, Problem>>,
  terminal: Terminal,
  work: (store: S) => Exit | Promise<Exit>,
): Promise<Exit> {
  try {
    const opened = await open();
    if (!opened.ok) return refused(opened.error, terminal);
    try {
      return await work(opened.value);
    } finally {
      await opened.value.close();
    }
  } finally {
    place.remove();
  }
}

/** The data directory. If it does not exist and the command only reads, an empty folder to be removed. */
export function placeFor(home: string, creates = false): { path: string; remove(): void } {
  return creates || !isNowhere(home) ? { path: home, remove: () => {} } : emptyPlace();
}

/** An empty folder to be removed. */
export function emptyPlace(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "curlew-none-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** False for a file in its place, which is a different error. */
function isNowhere(home: string): boolean {
  return statSync(home, { throwIfNoEntry: false }) === undefined;
}

function noHome(home: string): string {
  return `There is no data directory ${home} yet. Choose another one with --home or CURLEW_HOME.\n`;
}

/**
 * Does the work, and records it in the audit log if it was done. The log is opened first: without it nothing changes.
 */
export function logged(
  type: string,
  name: string,
  options: HomeOption,
  terminal: Terminal,
  work: () => Exit | Promise<Exit>,
): Promise<Exit> {
  return withStore({ ...options, creates: true }, terminal, async (store) => {
    const exit = await work();
    if (exit !== Exit.OK) return exit;
    const written = await store.audit.append({ type, name, door: "cli" });
    return written.ok ? Exit.OK : refused(written.error, terminal);
  });
}

/** The named run, or undefined after a message on stderr. */
export async function findRun(name: string, store: Store, terminal: Terminal): Promise<RunRow | undefined> {
  const found = await store.journal.findRun(name);
  if (found.ok) return found.value;
  return terminal.problem(found.error);
}

/**
 * The outermost run, because a subflow's run ends or continues only with the run it belongs to. `prefix` starts its
 * paths there.
 */
export async function findOutermost(
  name: string,
  store: Store,
  terminal: Terminal,
): Promise<{ run: RunRow; prefix: string } | undefined> {
  const row = await findRun(name, store, terminal);
  return row === undefined ? undefined : ((await outermostOf(row, store)) ?? { run: row, prefix: "" });
}

/** Prints a failure or a problem, and returns the exit code for it. */
export function refused(given: Problem, terminal: Terminal): Exit {
  terminal.problem(given);
  return Exit.USAGE;
}

export function refuse(terminal: Terminal, code: string, message: string, hint?: string): Exit {
  return refused({ code, message, hint }, terminal);
}
