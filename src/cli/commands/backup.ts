// backup: copies the data directory to another folder (spec 3.4). docs/reference/data-directory.md explains how to
// restore it.

import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { bytes, count } from "../../base/text.ts";
import { clusterFor } from "../cluster.ts";
import { Exit } from "../exit.ts";
import { type HomeOption, homeOf, refused, withLocalStore } from "../open.ts";
import type { Terminal } from "../terminal.ts";

export interface BackupOptions extends HomeOption {
  json?: boolean;
}

export async function backup(folder: string, options: BackupOptions, terminal: Terminal): Promise<Exit> {
  const home = homeOf(options, terminal);
  const cluster = await clusterFor({}, home, terminal);
  if (!cluster.ok) return refused(cluster.error, terminal);
  if (cluster.value !== undefined)
    return refused(
      {
        code: "history-in-cluster",
        message: "The history is in PostgreSQL. This command copies the history of a data directory.",
        hint: `Back up the database with pg_dump, and the data directory ${home} with any program that copies files.`,
      },
      terminal,
    );
  const parent = dirname(resolve(terminal.cwd, folder));
  if (!existsSync(parent))
    return refused({ code: "cannot-write", message: `The folder ${parent} does not exist.` }, terminal);
  if (!existsSync(join(home, "curlew.db")))
    return refused({ code: "no-history", message: `There is no history in ${home} to back up.` }, terminal);
  return withLocalStore(options, terminal, (store) => {
    const made = store.backup(resolve(terminal.cwd, folder));
    if (!made.ok) return refused(made.error, terminal);
    const { folder: place, runs, events, bytes: size } = made.value;
    if (options.json) terminal.json(made.value, true);
    else terminal.err(`${count(runs, "run")} with ${count(events, "event")}, ${bytes(size)}: ${place}\n`);
    return Exit.OK;
  });
}
