// backup: copies the data directory to another folder (spec 3.4). docs/reference/data-directory.md explains how to
// restore it.

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { bytes, count } from "../../base/text.ts";
import { Exit } from "../exit.ts";
import { type HomeOption, homeOf, refused, withLocalStore } from "../open.ts";
import type { Terminal } from "../terminal.ts";

export interface BackupOptions extends HomeOption {
  json?: boolean;
}

export async function backup(folder: string, options: BackupOptions, terminal: Terminal): Promise<Exit> {
  const home = homeOf(options, terminal);
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
