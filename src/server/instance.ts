// instance: one server a home, and where it is found: server.json (spec 2.7, 4.3 S14).
//   I1. The lock is the system's: it goes when its holder dies, however it dies. server.json is only ever read as what its holder wrote.
//   I2. server.json is 0600 from its first byte, is put in place whole, and is gone when the server has ended in order.

import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface ServerFile {
  url: string;
  hooksUrl: string;
  token: string;
  pid: number;
}

export interface Instance {
  announce(file: ServerFile): void;
  release(): void;
}

const SERVER_FILE = "server.json";
const SQLITE_BUSY = 5;

/** Undefined when another process serves this home. Throws what the system says. */
export async function takeInstance(home: string): Promise<Instance | undefined> {
  const { DatabaseSync } = await import("node:sqlite");
  const lockFile = join(home, "server.lock");
  closeSync(openSync(lockFile, "a", 0o600));
  const lock = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    lock.exec("PRAGMA journal_mode = memory; BEGIN EXCLUSIVE");
  } catch (reason) {
    lock.close();
    if ((reason as { errcode?: number }).errcode === SQLITE_BUSY) return undefined;
    throw reason;
  }
  const file = join(home, SERVER_FILE);
  return {
    announce: (content) => {
      const made = `${file}.${process.pid}`;
      rmSync(made, { force: true });
      writeFileSync(made, `${JSON.stringify(content)}\n`, { mode: 0o600, flag: "wx" });
      renameSync(made, file);
    },
    release: () => {
      rmSync(file, { force: true });
      lock.close();
    },
  };
}

/** What the server of a home wrote; whether it still lives is not known by it. */
export function readServerFile(home: string): ServerFile | undefined {
  try {
    const read = JSON.parse(readFileSync(join(home, SERVER_FILE), "utf8")) as Partial<ServerFile>;
    const { url, hooksUrl, token, pid } = read;
    return typeof url === "string" &&
      typeof hooksUrl === "string" &&
      typeof token === "string" &&
      typeof pid === "number"
      ? { url, hooksUrl, token, pid }
      : undefined;
  } catch {
    return undefined;
  }
}
