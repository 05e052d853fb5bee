// The server's log, for finding the cause of problems: JSON lines in server.log in the data directory (spec 5.2 pino).
//   L1. Headers, bodies, queries, values, and tokens are never logged. A line has routes, ids, codes, and times.
//   L2. Control and bidi characters are escaped (spec 4.3 S8). The file has mode 0600. One older file is kept.

import { closeSync, fchmodSync, openSync, renameSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { limits } from "../base/limits.ts";

export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

interface Say {
  (fields: object, message: string): void;
  (message: string): void;
}

export interface Log {
  debug: Say;
  info: Say;
  warn: Say;
  error: Say;
}

const LOG_FILE = "server.log";

/** Appends to server.log in the data directory. Throws the system's error. */
export async function openLog(home: string, level: LogLevel): Promise<Log & { close(): void }> {
  const { pino } = await import("pino");
  const file = join(home, LOG_FILE);
  if (sizeOf(file) > limits.logBytesMax) renameSync(file, `${file}.1`);
  const descriptor = openSync(file, "a", 0o600);
  let isClosed = false;
  fchmodSync(descriptor, 0o600);
  const log = pino(
    { level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    // The number of a closed descriptor may belong to another file.
    { write: (line: string) => void (isClosed || writeSync(descriptor, harmless(line))) },
  );
  const close = (): void => {
    isClosed = true;
    closeSync(descriptor);
  };
  return Object.assign(log as Log, { close });
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function harmless(line: string): string {
  return line.replaceAll(
    /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
