// runner-dir: the records that a runner keeps on disk, so that another engine can tell what became of its commands (spec
// 3.4, 4.4).
//   P1. HOME/runners/NAME/begun has one line per command, written before its process exists. If the runner is dead or
//       does not know a command, a missing line means that it was never started. After a reboot lines may be lost, so a
//       missing line means nothing.
//   P2. STEM.end in the run's folder says how a command ended without a connected engine. It is complete or absent, and
//       durable, after the output that it describes.
// The records have no secrets. The output of a secret command is sealed (process/runner/secret-output.ts).

import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { limits } from "../../base/limits.ts";
import { stateOf } from "../identity.ts";
import type { CommandEnd } from "./orders.ts";
import { writeFileWhole } from "./whole-file.ts";

export function runnerFolder(home: string, name: string): string {
  return join(home, "runners", name);
}

/**
 * The socket of a runner. `reach` is short enough for every system: a long path goes through an open descriptor of the
 * folder.
 */
export function openRunnerFolder(folder: string): { reach: string; close(): void } {
  const plain = join(folder, "s");
  if (Buffer.byteLength(plain) <= limits.socketPathBytesMax) return { reach: plain, close: () => {} };
  const fd = openSync(folder, "r");
  return { reach: `/proc/self/fd/${fd}/s`, close: () => closeSync(fd) };
}

export interface StartLog {
  /** Throws the system's error. */
  add(tag: string): void;
}

/**
 * Opens the record in a runner's folder, which it creates. It does not create a missing data directory: its engine is
 * gone, too.
 */
export function openStartLog(folder: string): StartLog {
  makeFolder(dirname(folder));
  makeFolder(folder);
  const fd = openSync(join(folder, "begun"), "a", 0o600);
  return { add: (tag) => void writeSync(fd, `${tag}\n`) };
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (reason) {
    if ((reason as NodeJS.ErrnoException).code !== "EEXIST") throw reason;
  }
}

/** P1. Undefined: unknown. */
export function hasStarted(folder: string, tag: string): boolean | undefined {
  return begunIn(folder)?.includes(tag);
}

/** Whether it has certainly started a command. */
export function hasStartedAny(folder: string): boolean {
  return begunIn(folder)?.some((tag) => tag !== "") ?? false;
}

function begunIn(folder: string): string[] | undefined {
  try {
    return readFileSync(join(folder, "begun"), "latin1").split("\n");
  } catch {
    return undefined;
  }
}

/** Removes folders of dead runners that are old or from another boot, because their records no longer count. */
export function sweepRunners(home: string, nowMs: number): void {
  const all = join(home, "runners");
  for (const name of existsSync(all) ? readdirSync(all) : []) {
    const { state } = stateOf(name);
    if (state === "alive") continue;
    try {
      const old = nowMs - statSync(join(all, name)).mtimeMs > limits.deadRunnerKeptMs;
      if (state === "other-boot" || old) rmSync(join(all, name), { recursive: true, force: true });
    } catch {
      // Another process has removed it.
    }
  }
}

export function endFile(folder: string, stem: string): string {
  return join(folder, `${stem}.end`);
}

/** P2. Throws the system's error. */
export function writeEnd(folder: string, stem: string, end: CommandEnd): void {
  for (const suffix of ["out", "err", "ord"]) syncFile(join(folder, `${stem}.${suffix}`));
  writeFileWhole(endFile(folder, stem), Buffer.from(JSON.stringify(end)));
}

export function readEnd(folder: string, stem: string): CommandEnd | undefined {
  try {
    return JSON.parse(readFileSync(endFile(folder, stem), "utf8"));
  } catch {
    return undefined;
  }
}

function syncFile(path: string): void {
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch {
    return;
  }
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
