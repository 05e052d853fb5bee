// on-postgres: with CHECK_POSTGRES=1, each data directory of the command-line and server tests has its own database.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { onTestFinished, test } from "vitest";
import { keyDigest, openClusterEngineFor, openClusterStore } from "../../src/app/cluster.ts";
import { ok } from "../../src/base/result.ts";
import { initCluster } from "../../src/engine/cluster/index.ts";
import type { ServeOptions } from "../../src/server/serve.ts";
import { openStore, type ServerStore } from "../../src/store/index.ts";
import { connect } from "../../src/store/postgres/index.ts";
import { serverStore } from "../../src/store/server-store.ts";
import { postgresPrograms, startPostgres } from "./postgres.ts";

const KEY = Buffer.alloc(32, 7);
export const isOnPostgres = process.env.CHECK_POSTGRES === "1";
const databases = new Map<string, string>();

/** Before any test: one server, with a database that is ready and copied for each data directory. */
export default async function startForAll(): Promise<(() => Promise<void>) | undefined> {
  if (!isOnPostgres) return undefined;
  const postgres = await startPostgres({ settings: ["max_connections=300"] });
  const url = (database: string): string => postgres.url(database);
  program("createdb", ["--maintenance-db", url("postgres"), "ready"]);
  const made = await initCluster(url("ready"), keyDigest(KEY));
  if (!made.ok) throw new Error(made.error.message);
  process.env.CHECK_POSTGRES_URL = url("");
  process.env.CHECK_POSTGRES_KEY = postgres.write("key", `${KEY.toString("base64url")}\n`);
  return () => postgres.remove();
}

/** The variables of a cluster for this data directory. Without CHECK_POSTGRES: nothing. */
export function clusterEnv(home: string): Record<string, string> {
  const { CHECK_POSTGRES_URL: server, CHECK_POSTGRES_KEY: CURLEW_KEY_FILE } = process.env;
  if (server === undefined || CURLEW_KEY_FILE === undefined) return {};
  return { CURLEW_DB: `${server}${databases.get(home) ?? create(server, home)}`, CURLEW_KEY_FILE };
}

/** `test`, for what a history in PostgreSQL does not have: files to damage, for example. Over it, the output says why. */
export function onOneMachine(why: string) {
  if (isOnPostgres) console.log(`Left out over PostgreSQL: ${why}`);
  return test.skipIf(isOnPostgres);
}

/** For tests that look into the store beside the program. The caller closes it. */
export async function storeOf(home: string): Promise<ServerStore> {
  const { CURLEW_DB: url } = clusterEnv(home);
  if (url === undefined) {
    const opened = openStore(home);
    if (!opened.ok) throw new Error(opened.error.message);
    return serverStore(opened.value);
  }
  const opened = await openClusterStore({ url, key: KEY }, home);
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}

/** The rows of one statement, as someone with access to the database but not through Curlew. */
export async function asked(home: string, statement: string): Promise<Record<string, unknown>[]> {
  const { CURLEW_DB: url } = clusterEnv(home);
  if (url === undefined) {
    using sqlite = new DatabaseSync(join(home, "curlew.db"), { timeout: 5_000 });
    return sqlite.prepare(statement).all();
  }
  const connected = connect(url);
  if (!connected.ok) throw new Error(connected.error.message);
  const client = connected.value.client();
  await client.connect();
  try {
    await client.query("SET search_path = curlew");
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

/** For a server in the test's process. */
export function clusterOpening(home: string): Pick<ServeOptions, "open"> {
  const { CURLEW_DB: url } = clusterEnv(home);
  if (url === undefined) return {};
  return {
    open: async (given) => {
      const opened = await openClusterEngineFor({ url, key: KEY }, given, { takes: false, version: "0.0.0-test" });
      if (!opened.ok) return opened;
      const { store } = opened.value;
      return ok({ engine: opened.value, store, onWritten: store.onWritten });
    },
  };
}

function create(server: string, home: string): string {
  const name = `h${process.pid}_${databases.size}`;
  databases.set(home, name);
  const at = ["--maintenance-db", `${server}postgres`];
  program("createdb", [...at, "--template", "ready", name]);
  onTestFinished(() => program("dropdb", [...at, "--force", name]));
  return name;
}

function program(name: string, args: string[]): void {
  const beside = join(postgresPrograms()!, name);
  execFileSync(existsSync(beside) ? beside : name, args);
}
