// Inspects a store without changing a byte of it, whatever its version (spec 3.4 "checks itself").
//   K1. Nothing is created, migrated, or repaired. An older store is checked in a migrated copy.
//   K2. If another process writes during the check, the result may mix two states, so the check runs once more.

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { type AtOnce, atOnce } from "../base/now.ts";
import { err, ok, type Result } from "../base/result.ts";
import { keyFor } from "../secrets/home-key.ts";
import { sqlOf } from "./ask.ts";
import { type Audit, openAudit } from "./audit.ts";
import { emptiedHome, explainErrno, inspectDatabase } from "./database.ts";
import type { StoreError } from "./error.ts";
import type { Journal } from "./journal.ts";
import { type Maintenance, maintenanceOf } from "./maintenance.ts";
import { Outputs } from "./outputs.ts";
import { sqliteJournal } from "./sqlite.ts";

export type ReadOnlyStore = Pick<Maintenance, "check" | "counts"> &
  AtOnce<Pick<Audit, "verify"> & Pick<Journal, "listRuns">>;

/** The result of `look` for the existing store in `home`. Errors: those of `openStore`. */
export function openReadOnly<T>(home: string, look: (store: ReadOnlyStore) => T): Result<T, StoreError> {
  const file = path.join(home, "curlew.db");
  const before = stampOf(file);
  const looked = lookOnce(home, file, look);
  return stampOf(file) === before ? looked : lookOnce(home, file, look);
}

function stampOf(file: string): string {
  const { mtimeMs, size } = fs.statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: 0, size: 0 };
  return `${mtimeMs} ${size} ${fs.existsSync(`${file}-wal`)}`;
}

function lookOnce<T>(home: string, file: string, look: (store: ReadOnlyStore) => T): Result<T, StoreError> {
  let folder: string | undefined;
  const gone = emptiedHome(home);
  if (gone !== undefined) return err(gone);
  try {
    const opened = inspectDatabase(file, () => {
      folder = fs.mkdtempSync(path.join(os.tmpdir(), "curlew-look-"));
      return folder;
    });
    if (!opened.ok) return opened;
    const database = opened.value;
    const audit = openAudit(sqlOf(database), () => keyFor("audit", home, "only-look"));
    const journal = sqliteJournal(database);
    const outputs = new Outputs(path.join(home, "runs"));
    const { check, counts } = maintenanceOf({ home, database, journal, outputs });
    try {
      return ok(
        look({ check, counts, verify: atOnce<Audit>(audit).verify, listRuns: (query) => journal.listRuns(query) }),
      );
    } finally {
      database.close();
    }
  } catch (error) {
    return err(explainErrno(error, home));
  } finally {
    if (folder !== undefined) fs.rmSync(folder, { recursive: true, force: true });
  }
}
