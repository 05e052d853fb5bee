// db: prepares the database of a cluster (spec 6.2).
//   D1. The key is written before the database knows its digest, and never printed if a file is named.

import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { type ClusterGiven, clusterKey, keyDigest, loadCluster, neededDatabase } from "../../app/cluster.ts";
import type { Failure } from "../../base/failure.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { Exit } from "../exit.ts";
import { type HomeOption, homeOf, refused } from "../open.ts";
import type { Terminal } from "../terminal.ts";

type InitOptions = ClusterGiven & HomeOption;

/** Makes the tables and the key. With an existing key it brings the tables to this version. */
export async function init(options: InitOptions, terminal: Terminal): Promise<Exit> {
  const place = { ...options, env: terminal.env, home: homeOf(options, terminal), cwd: terminal.cwd };
  const url = await neededDatabase(place);
  if (!url.ok) return refused(url.error, terminal);
  const cluster = await loadCluster();
  const known = await cluster.hasKey(url.value);
  if (!known.ok) return refused(known.error, terminal);
  const key = known.value ? clusterKey(place) : newKey(options, terminal);
  if (!key.ok) return refused(key.error, terminal);
  const made = await cluster.initCluster(url.value, keyDigest(key.value));
  if (!made.ok) return refused(made.error, terminal);
  terminal.err(made.value.created ? "The database is ready for a cluster.\n" : "The database is up to date.\n");
  if (known.value) return Exit.OK;
  if (options.keyFile !== undefined) terminal.err(`The key is in ${options.keyFile}. Copy it to each machine.\n`);
  else {
    terminal.out(`${key.value.toString("base64url")}\n`);
    terminal.err("This is the key of the cluster. Store it in a file on each machine: it is not shown again.\n");
  }
  return Exit.OK;
}

/** D1. Failures: `cluster-key-unwritable`. */
function newKey({ keyFile }: InitOptions, { cwd }: Terminal): Result<Buffer, Failure> {
  const key = randomBytes(32);
  if (keyFile === undefined) return ok(key);
  const path = resolve(cwd, keyFile);
  try {
    writeFileSync(path, `${key.toString("base64url")}\n`, { mode: 0o600, flag: "wx", flush: true });
    return ok(key);
  } catch (reason) {
    const { code } = reason as NodeJS.ErrnoException;
    const message = `Curlew can't write the key file ${path}: ${code === "EEXIST" ? "it exists already" : code}.`;
    return err({ code: "cluster-key-unwritable", message, hint: "Name another file with --key-file." });
  }
}
