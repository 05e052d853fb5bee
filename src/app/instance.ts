// Allows one server per data directory, and publishes its URL in server.json (spec 2.7, 4.3 S14).
//   I1. The lock belongs to the operating system and ends with its process, however that ends. server.json alone does
//       not prove that a server is running.
//   I2. server.json has mode 0600 from the start, is replaced as a whole, and is
//       removed when the server closes normally.

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

/** Undefined if another process serves this data directory. Throws the system's error. */
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

/** The content that the server wrote. That server may have ended since. */
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
