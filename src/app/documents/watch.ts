// Reports when a workflow file of the served folder is written, created, or removed by any program (spec 2.3).
//   W1. Each state is reported once: a write by this server is reported by the write
//       itself, and not again from the disk.
//   W2. A file is read once it has been stable for `limits.watchSettleMs`, so that an editor that
//       writes in pieces causes one report.
//   W3. Links, hidden folders, and node_modules are ignored, and the number of folders is bounded.
//       Errors of watching affect nothing else.
//   W4. Changes between the first scan and the time when everything is watched are reported too.
//   W5. If the served folder itself is replaced, its files are compared every limits.servedLookMs from then on, because
//       the system keeps watching the old folder. (chokidar notices replaced folders below it.)

import { lstatSync, type Stats } from "node:fs";
import { basename, join } from "node:path";
import { limits } from "../../base/limits.ts";
import type { ServedFolder } from "./folder.ts";
import { isPlainFolder, isWorkflowName } from "./path.ts";
import { relativePath } from "./relative-path.ts";

export interface WatchOptions {
  folder: ServedFolder;
  /** `etag` is absent if the file was removed. */
  onChange(path: string, etag: string | undefined): void;
  onTrouble(error: unknown): void;
}

export interface FolderWatch {
  /** Marks the state as reported: W1. */
  known(path: string, etag: string | undefined): void;
  /** W5. To be called at regular intervals. */
  look(): void;
  close(): Promise<void>;
}

/** Resolves when every existing folder is watched. */
export async function watchFolder({ folder, onChange, onTrouble }: WatchOptions): Promise<FolderWatch> {
  const { watch } = await import("chokidar");
  /** The last reported state per path. Undefined: removed. */
  const states = new Map<string, string | undefined>();
  const resting = new Map<string, NodeJS.Timeout>();
  const folders = new Set<string>();
  let isCut = false;

  const ignored = (path: string, stats?: Stats): boolean => {
    if (path === folder.root) return false;
    const name = basename(path);
    if (stats === undefined) return !isPlainFolder(name);
    if (!stats.isDirectory()) return !stats.isFile() || !isWorkflowName(name);
    if (!isPlainFolder(name)) return true;
    if (folders.has(path)) return false;
    if (folders.size < limits.servedFoldersMax) folders.add(path);
    else if (!isCut) {
      isCut = true;
      onTrouble(
        new Error(`there are more than ${limits.servedFoldersMax} folders; changes in the others are not told`),
      );
    }
    return !folders.has(path);
  };
  const look = (path: string): void => {
    resting.delete(path);
    try {
      const read = folder.read(path);
      const etag = read.ok ? read.value.etag : undefined;
      const isNew = !states.has(path) || states.get(path) !== etag;
      states.set(path, etag);
      if (isNew) onChange(path, etag);
    } catch (reason) {
      onTrouble(reason);
    }
  };
  const touched = (file: string): void => {
    const path = relativePath(folder.root, file);
    if (!isWorkflowName(basename(file))) return;
    clearTimeout(resting.get(path));
    resting.set(path, setTimeout(look, limits.watchSettleMs, path).unref());
  };

  const stamps = () => new Map(folder.list().files.map(({ path, stamp }) => [path, stamp] as const));
  let before = stamps();
  /** Reports what has changed since the last report. */
  const compare = (): void => {
    const now = stamps();
    for (const path of new Set([...before.keys(), ...now.keys()]))
      if (before.get(path) !== now.get(path)) touched(join(folder.root, path));
    before = now;
  };
  const standing = () => lstatSync(folder.root, { throwIfNoEntry: false })?.ino;
  const stand = standing();
  let isReplaced = false;
  const watcher = watch(folder.root, {
    ignored,
    ignoreInitial: true,
    followSymlinks: false,
    atomic: false,
    depth: limits.servedDepthMax,
  });
  watcher.on("add", touched).on("change", touched).on("unlink", touched).on("error", onTrouble);
  await new Promise<void>((resolve) => watcher.once("ready", resolve));
  // W4.
  compare();
  const again = (): void => {
    try {
      isReplaced ||= standing() !== stand;
      if (isReplaced) compare();
    } catch (reason) {
      onTrouble(reason);
    }
  };
  const looking = setInterval(again, limits.servedLookMs).unref();
  return {
    known: (path, etag) => void states.set(path, etag),
    look: again,
    close: async () => {
      clearInterval(looking);
      for (const timer of resting.values()) clearTimeout(timer);
      await watcher.close();
    },
  };
}
