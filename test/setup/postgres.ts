// postgres: starts a PostgreSQL server for tests, with its own files.
//   P1. It listens on 127.0.0.1 and on a socket in its folder, and on nothing else. Everything of it is in a temporary folder.
//   P2. The programs are those of PATH, or the newest of Debian's. initdb refuses root, so root becomes the user of PostgreSQL, or one without rights.
//   P3. Without `durable`, it does not flush: most tests do not ask what survives a power cut.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { accessSync, chmodSync, chownSync, constants, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const DEBIAN = "/usr/lib/postgresql";

export interface Postgres {
  /** The URL of a database, which exists already for `postgres`. */
  url(database?: string): string;
  port: number;
  /** The folder with the socket and the data. */
  folder: string;
  pid(): number;
  /** `immediate`: without a checkpoint, as if it was killed. */
  stop(how?: "fast" | "immediate"): Promise<void>;
  /** `more`: settings for this start only. */
  start(more?: readonly string[]): Promise<void>;
  /** Writes a file that only the server may read, and returns its path. */
  write(name: string, text: string): string;
  /** Ends it, and removes its files. */
  remove(): Promise<void>;
}

/** The folder with initdb and postgres. */
export function postgresPrograms(): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), ...debian()];
  return folders.find((folder) => ["initdb", "postgres"].every((program) => isProgram(join(folder, program))));
}

function debian(): string[] {
  try {
    const versions = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a));
    return versions.map((version) => join(DEBIAN, version, "bin"));
  } catch {
    return [];
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** `settings`: of postgresql.conf. */
export async function startPostgres({ durable = false, settings = [] as string[] } = {}): Promise<Postgres> {
  const programs = postgresPrograms();
  if (programs === undefined) throw new Error("initdb and postgres are missing.");
  const folder = mkdtempSync(join(tmpdir(), "curlew-pg-"));
  const as = userOf(folder);
  const data = join(folder, "data");
  const made = ["-D", data, "-U", "curlew", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  execFileSync(join(programs, "initdb"), made, { ...as, stdio: "ignore" });
  const port = await freePort();
  const flags = [
    ...["listen_addresses=127.0.0.1", `port=${port}`, `unix_socket_directories=${folder}`, "max_connections=60"],
    ...["shared_buffers=16MB", `fsync=${durable ? "on" : "off"}`, "max_wal_size=256MB", ...settings],
  ].flatMap((setting) => ["-c", setting]);
  let server: ChildProcess | undefined;
  const url = (database = "postgres"): string => `postgres://curlew@127.0.0.1:${port}/${database}`;

  async function start(more: readonly string[] = []): Promise<void> {
    const given = more.flatMap((setting) => ["-c", setting]);
    const started = spawn(join(programs!, "postgres"), ["-D", data, ...flags, ...given], {
      ...as,
      stdio: ["ignore", "ignore", "pipe"],
    });
    server = started;
    process.once("exit", () => started.kill("SIGQUIT"));
    const said: string[] = [];
    await new Promise<void>((resolve, reject) => {
      started.stderr!.on("data", (chunk) => {
        said.push(String(chunk));
        if (String(chunk).includes("ready to accept connections")) resolve();
      });
      started.once("exit", () => reject(new Error(`postgres ended: ${said.join("").slice(-2_000)}`)));
    });
  }

  async function stop(how: "fast" | "immediate" = "fast"): Promise<void> {
    const running = server;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once("exit", resolve));
    running.kill(how === "fast" ? "SIGINT" : "SIGQUIT");
    await ended;
  }

  function write(name: string, text: string): string {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    if (as.uid !== undefined && as.gid !== undefined) chownSync(path, as.uid, as.gid);
    return path;
  }

  await start();
  const remove = async (): Promise<void> => {
    await stop("immediate");
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, port, folder, pid: () => server!.pid!, stop, start, write, remove };
}

/** P2. */
function userOf(folder: string): { uid?: number; gid?: number; cwd: string } {
  chmodSync(folder, 0o755);
  if (process.getuid?.() !== 0) return { cwd: folder };
  const [uid = 65_534, gid = 65_534] = ["postgres", "nobody"].flatMap(idsOf);
  chownSync(folder, uid, gid);
  return { uid, gid, cwd: folder };
}

function idsOf(name: string): number[] {
  try {
    return ["-u", "-g"].map((of) => Number(execFileSync("id", [of, name], { stdio: ["ignore", "pipe", "ignore"] })));
  } catch {
    return [];
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
