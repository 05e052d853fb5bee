// cluster: finds the database and the key of a cluster, and loads what drives its runs (spec 6.2).
//   C1. Without a database nothing of PostgreSQL and DBOS is loaded. This is the only place that loads it.
//   C2. The key is never in an environment variable, a command line, or a message: only the name of its file is.

import { createHash, hkdfSync, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { homedir, hostname } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Failure, failureOf } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { ClusterEngine, ClusterState, Machine } from "../engine/cluster/index.ts";
import type { EngineOptions, RunHandle } from "../engine/index.ts";
import { readSetting } from "../secrets/config.ts";
import { movedTo } from "../store/index.ts";
import type { ClusterStore } from "../store/postgres/index.ts";

export interface ClusterGiven {
  /** `--db` */
  db?: string | undefined;
  /** `--key-file` */
  keyFile?: string | undefined;
}

interface Place {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  /** Where file names begin. Absent: the working directory. */
  cwd?: string;
}

const KEY_BYTES = 32;

export const machineAlive = failureOf("machine-alive", (name: string) => [
  `Machine ${name} holds a valid lease, so it can't be forgotten.`,
  `Stop it, or take it out with "curlew machines drain ${name} --wait".`,
]);

/** C1. */
export const loadCluster = () => import("../engine/cluster/index.ts");

export interface Cluster {
  url: string;
  /** Undefined: none is given, so only reading works. */
  key: Buffer | undefined;
}

/** Undefined: no database is given. Failures: `config-*`, `cluster-key-unreadable`, `cluster-key-damaged`. */
export async function clusterOf(given: ClusterGiven & Place): Promise<Result<Cluster | undefined, Failure>> {
  const url = await databaseOf(given);
  if (!url.ok || url.value === undefined) return url.ok ? ok(undefined) : url;
  const key = clusterKey(given);
  if (!key.ok && key.error.code !== "cluster-key-missing") return key;
  return ok({ url: url.value, key: key.ok ? key.value : undefined });
}

/** For commands that work only on a cluster. Failures: those of `clusterOf`, `cluster-database-missing`, `cluster-key-missing`. */
export async function neededCluster(given: ClusterGiven & Place): Promise<Result<Cluster & { key: Buffer }, Failure>> {
  const url = await neededDatabase(given);
  if (!url.ok) return url;
  const key = clusterKey(given);
  return key.ok ? ok({ url: url.value, key: key.value }) : key;
}

/** Failures: `config-*`, `cluster-database-missing`. */
export async function neededDatabase(given: ClusterGiven & Place): Promise<Result<string, Failure>> {
  const url = await databaseOf(given);
  if (!url.ok) return url;
  if (url.value !== undefined) return ok(url.value);
  return err({
    code: "cluster-database-missing",
    message: "This command works on a cluster, and no database is given.",
    hint: "Give its URL with --db or CURLEW_DB, for example postgres://curlew@db.internal/curlew.",
  });
}

async function databaseOf({ db, env, home }: ClusterGiven & Place): Promise<Result<string | undefined, Failure>> {
  const given = db ?? env.CURLEW_DB;
  if (given !== undefined && given !== "") return ok(given);
  const configured = await readSetting(home, "db");
  // A history that was moved is used where it is.
  return configured.ok && configured.value === undefined ? ok(movedTo(home)) : configured;
}

/** The store of the cluster, for reading, and for runs that no machine drives. */
export async function openClusterStore({ url, key }: Cluster, home: string): Promise<Result<ClusterStore, Failure>> {
  const { openReader } = await loadCluster();
  const auditKey = () => (key === undefined ? keyMissing() : ok(keyForPurpose(key, "audit")));
  return openReader({ url, home, auditKey, key: key === undefined ? undefined : keyForPurpose(key, "runs") });
}

/** For doctor. Failures: those of the store. */
export async function lookAtCluster({ url, key }: Cluster): Promise<Result<ClusterState, Failure>> {
  const { stateOf } = await loadCluster();
  return stateOf(url, key && keyDigest(key));
}

/** Leaves a recorded run to a machine with a free slot. `seq`: its last event, so that asking twice changes nothing. */
export async function leaveRun({ url }: Cluster, run: string, seq: number): Promise<void> {
  const { openSender, ANY } = await loadCluster();
  const sender = await openSender(url);
  await sender.add({ id: `${run}#${seq}`, run, queue: ANY }).finally(() => sender.close());
}

export interface Driving extends Partial<Machine> {
  /** Takes runs of others, as a worker does. Otherwise this process drives only the runs that it starts or resumes. */
  takes: boolean;
  /** It shows the history, also with a damaged config.yaml. */
  isServer?: boolean;
  version: string;
  patienceMs?: number;
  /** It has worked before. So it waits for a database that is away. */
  again?: boolean;
  onTaken?(handle: RunHandle): void;
  onFenced?(): void;
}

/** Failures: `cluster-key-missing`, `cluster-key-wrong`, `machine-name-taken`, `config-*`, and those of the store. */
export async function openClusterEngineFor(
  { url, key }: Cluster,
  options: EngineOptions,
  { takes, version, patienceMs = PATIENCE_MS, again = false, isServer = false, onTaken, onFenced, ...given }: Driving,
): Promise<Result<ClusterEngine, Failure>> {
  if (key === undefined) return keyMissing();
  const configured = await readSetting(options.home, "labels");
  // A server starts, and says what is damaged.
  if (!configured.ok && !isServer) return configured;
  const labels = [...new Set([...((configured.ok && configured.value) || []), ...(given.labels ?? [])])];
  // A process that takes nothing needs no name that others know.
  const name = given.name ?? (takes ? hostname() : `${hostname()}-${process.pid}-${randomBytes(3).toString("hex")}`);
  const machine = { slots: SLOTS, leaseMs: LEASE_MS, version, ...given, name, labels };
  const { openClusterEngine } = await loadCluster();
  for (;;) {
    const opened = await openClusterEngine({
      ...options,
      approvalKey: () => ok(keyForPurpose(key, "approvals")),
      ...{ url, machine, takes, patienceMs, onTaken, onFenced },
      ...{
        key: keyForPurpose(key, "runs"),
        keyDigest: keyDigest(key),
        auditKey: () => ok(keyForPurpose(key, "audit")),
      },
    });
    if (opened.ok || !again || opened.error.code !== "store-unreachable") return opened;
    options.onWarning?.(opened.error);
    await sleep(limits.queueAgainMs);
  }
}

export const SLOTS = 4;
export const LEASE_MS = 20_000;
export const PATIENCE_MS = 600_000;

function keyMissing(): Result<never, Failure> {
  return err({
    code: "cluster-key-missing",
    message: "Starting, answering, and driving runs of a cluster needs its key. Without it you can only read.",
    hint: "Name the file with --key-file or CURLEW_KEY_FILE. `curlew db init` made it.",
  });
}

/** C2. Failures: `cluster-key-missing`, `cluster-key-unreadable`, `cluster-key-damaged`. */
export function clusterKey({ keyFile, env, cwd = "" }: ClusterGiven & Place): Result<Buffer, Failure> {
  const credentials = env.CREDENTIALS_DIRECTORY === undefined ? [] : [join(env.CREDENTIALS_DIRECTORY, "curlew-key")];
  const [file] = [keyFile, env.CURLEW_KEY_FILE, ...credentials].filter((name) => name !== undefined && name !== "");
  if (file === undefined) return keyMissing();
  const path = resolve(cwd, file.replace(/^~(?=\/)/, homedir()));
  let text: string;
  try {
    text = readFileSync(path, "utf8").trim();
  } catch (reason) {
    const code = (reason as NodeJS.ErrnoException).code ?? "unknown reason";
    return err({ code: "cluster-key-unreadable", message: `Curlew can't read the key file ${path}: ${code}.` });
  }
  const key = Buffer.from(text, "base64url");
  if (key.length === KEY_BYTES && /^[\w-]{43}$/.test(text)) return ok(key);
  return err({
    code: "cluster-key-damaged",
    message: `The key file ${path} is damaged. It must have one line with 43 letters, digits, "-", and "_".`,
    hint: "Copy the file again from a machine of the cluster.",
  });
}

/** The part of the key that the database may know. */
export function keyDigest(key: Buffer): string {
  return createHash("sha256").update(key).digest("hex");
}

/** A key for one purpose, so that the cluster's key is never used directly. */
export function keyForPurpose(key: Buffer, purpose: "approvals" | "audit" | "runs"): Buffer {
  return Buffer.from(hkdfSync("sha256", key, "", `curlew cluster ${purpose}`, KEY_BYTES));
}
