// cluster: the cluster that a command works on: --db, CURLEW_DB, `db:` in config.yaml, or the place
// that the history was moved to (spec 6.2).
//   L1. Without any of them, nothing of a cluster is loaded.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Cluster } from "../app/cluster.ts";
import type { Failure } from "../base/failure.ts";
import { ok, type Result } from "../base/result.ts";
import type { Engine, EngineOptions } from "../engine/contract.ts";
import { movedTo } from "../store/moved.ts";
import type { Terminal } from "./terminal.ts";
import { version } from "./version.ts";

export interface ClusterOption {
  db?: string;
  keyFile?: string;
}

/** Undefined: the data directory has its own store. `writes`: fails without the key. */
export async function clusterFor(
  { db, keyFile }: ClusterOption,
  home: string,
  { env, cwd }: Terminal,
  writes = false,
): Promise<Result<Cluster | undefined, Failure>> {
  if (db === undefined && !env.CURLEW_DB && !isConfigured(home) && movedTo(home) === undefined) return ok(undefined);
  const { clusterOf, neededCluster } = await import("../app/cluster.ts");
  const place = { db, keyFile, env, home, cwd };
  const found = await clusterOf(place);
  return found.ok && found.value !== undefined && writes ? neededCluster(place) : found;
}

/** L1. */
function isConfigured(home: string): boolean {
  try {
    return /^db\s*:/m.test(readFileSync(join(home, "config.yaml"), "utf8"));
  } catch {
    return false;
  }
}

/** The engine of a command that drives runs in the foreground. */
export async function engineFor(
  options: ClusterOption,
  given: EngineOptions,
  terminal: Terminal,
): Promise<Result<Engine, Failure>> {
  const cluster = await clusterFor(options, given.home, terminal);
  if (!cluster.ok) return cluster;
  if (cluster.value === undefined) {
    const { openEngine } = await import("../engine/index.ts");
    return openEngine(given);
  }
  const { openClusterEngineFor } = await import("../app/cluster.ts");
  return openClusterEngineFor(cluster.value, given, { takes: false, version: version() });
}
