// Copies a data directory while it is in use. The copy is a data directory itself (spec 3.4).
//   B1. The journals are copied at one moment, and all outputs they name are in the copy. Later records are not, and
//       neither are outputs of commands started later (outputs-check.ts F3).
//   B2. The copy is written to a temporary folder and renamed once it is complete and on disk.
//   B3. Nothing is overwritten. Folders have mode 0700, files 0600.
//   B4. Files from which running commands read their secrets are left out. Sealed values and the keys are included, so
//       a backup needs the same protection as the data directory.
//   B5. OAuth tokens are not copied, because a single-use refresh token cannot be in two places. Claims are kept: a run
//       that a process works on must not be resumed in two places.

import fs from "node:fs";
import path from "node:path";
import { err, ok, type Result } from "../base/result.ts";
import { type Database, explainErrno } from "./database.ts";
import { backupExists, type StoreError, storeDamaged } from "./error.ts";
import { OUTPUT_FILE, RUN_FOLDER } from "./outputs.ts";

export interface BackupReport {
  /** Absolute path. */
  folder: string;
  runs: number;
  events: number;
  files: number;
  /** Disk usage of the whole copy. */
  bytes: number;
}

/** Files of the data directory besides the database and the runs: keys, secrets, configuration. */
const OF_HOME = /^(?:key|config\.yaml|secrets\.age|secrets\.key)$/;
const OF_CACHE = /^[0-9a-f]{32,128}$/;
/** Whether a file is named after an event up to the last one in the copy. */
const isOfRun = (name: string, last: number) =>
  (OUTPUT_FILE.test(name) || name.endsWith(".sealed")) && Number.parseInt(name, 10) <= last;

/** Synchronous, for a program that does nothing else. Errors: backup-exists, store-*. */
export function backupHome(home: string, database: Database, target: string): Result<BackupReport, StoreError> {
  const folder = path.resolve(target);
  const inside = path.relative(fs.realpathSync(home), realParent(folder));
  if (fs.existsSync(folder) || inside === "" || (!inside.startsWith("..") && !path.isAbsolute(inside)))
    return err(backupExists(folder));
  const part = `${folder}.part-${process.pid}`;
  try {
    fs.mkdirSync(part, { mode: 0o700 });
    const copied = database.guard(() => copyHome(home, database, part));
    if (!copied.ok) return copied;
    fs.renameSync(part, folder);
    sync(path.dirname(folder));
    return ok({ folder, ...copied.value });
  } catch (error) {
    return err(explainErrno(error, folder, "choose another folder for the backup."));
  } finally {
    fs.rmSync(part, { recursive: true, force: true });
  }
}

function realParent(folder: string): string {
  const parent = path.dirname(folder);
  return fs.existsSync(parent) ? path.join(fs.realpathSync(parent), path.basename(folder)) : folder;
}

function copyHome(home: string, database: Database, part: string): Result<Omit<BackupReport, "folder">, StoreError> {
  const file = path.join(part, "curlew.db");
  // Create the file first, so that other users never have access.
  fs.closeSync(fs.openSync(file, "wx", 0o600));
  database.run("VACUUM INTO ?", file);
  sync(file);
  const copy = new Copy();
  copy.folder(home, part, (name) => OF_HOME.test(name));
  copy.folder(path.join(home, "cache"), path.join(part, "cache"), (name) => OF_CACHE.test(name));
  return database.guard(() => {
    database.run("ATTACH ? AS backup", file);
    try {
      const runs = path.join(part, "runs");
      fs.mkdirSync(runs, { mode: 0o700 });
      for (const { id, last } of database.all(LAST_EVENTS)) {
        const run = String(id);
        if (!RUN_FOLDER.test(run)) continue;
        copy.folder(path.join(home, "runs", run), path.join(runs, run), (name) => isOfRun(name, Number(last)));
      }
      sync(runs);
      sync(part);
      // Runs that were removed while their outputs were copied.
      const gone = "SELECT key FROM backup.runs WHERE id NOT IN (SELECT id FROM main.runs)";
      database.run(`DELETE FROM backup.events WHERE run IN (${gone})`);
      database.run(`DELETE FROM backup.runs WHERE key IN (${gone})`);
      const [whole] = database.all("PRAGMA backup.quick_check(1)");
      if (whole?.quick_check !== "ok") return err(storeDamaged(file, String(whole?.quick_check)));
      const { runs: kept, events } = database.get(
        "SELECT (SELECT count(*) FROM backup.runs) AS runs, (SELECT count(*) FROM backup.events) AS events",
      )!;
      const { files, bytes } = copy;
      return ok({ runs: Number(kept), events: Number(events), files, bytes: bytes + fs.statSync(file).size });
    } finally {
      database.run("DETACH backup");
    }
  });
}

/** The last event of each run in the copy. */
const LAST_EVENTS =
  "SELECT id, max(last_seq, (SELECT coalesce(max(seq), 0) FROM backup.events WHERE run = key)) AS last FROM backup.runs";

class Copy {
  files = 0;
  bytes = 0;
  /** Hard-linked files are written once and linked in the copy. */
  private readonly linked = new Map<string, string>();

  /** The files of a folder, if it exists. A file that disappears belongs to a run that is being removed. */
  folder(from: string, to: string, wanted: (name: string) => boolean): void {
    const entries = fs.existsSync(from) ? fs.readdirSync(from, { withFileTypes: true }) : [];
    const names = entries.filter((entry) => entry.isFile() && wanted(entry.name)).map((entry) => entry.name);
    if (names.length > 0) fs.mkdirSync(to, { recursive: true, mode: 0o700 });
    for (const name of names) this.file(path.join(from, name), path.join(to, name));
    if (names.length > 0) sync(to);
  }

  private file(from: string, to: string): void {
    const stat = fs.statSync(from, { throwIfNoEntry: false });
    if (stat === undefined) return;
    const known = stat.nlink > 1 ? this.linked.get(`${stat.dev} ${stat.ino}`) : undefined;
    this.files += 1;
    if (known !== undefined) {
      fs.linkSync(known, to);
      return;
    }
    if (stat.nlink > 1) this.linked.set(`${stat.dev} ${stat.ino}`, to);
    fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL | fs.constants.COPYFILE_FICLONE);
    fs.chmodSync(to, 0o600);
    sync(to);
    this.bytes += fs.statSync(to).size;
  }
}

function sync(at: string): void {
  const fd = fs.openSync(at, "r");
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}
