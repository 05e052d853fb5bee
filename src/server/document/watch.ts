// watch: tells when a workflow file of the served folder was written, made or removed by whomever (spec 2.3: nobody's edit is lost).
//   W1. Told is a state that was not told before: what this server wrote is told once, by its write, and its echo from the disk is not.
//   W2. A file is read when it has come to rest for `limits.watchSettleMs`: an editor that writes in pieces is told of once.
//   W3. Links, hidden folders and node_modules are not looked into; folders are bounded. Trouble with watching stops nothing else.
//   W4. What happens between the first look and the moment when everything is watched is told, too.
//   W5. A served folder that another one took the place of is compared with what was there, every limits.servedLookMs from then on: the
//       system goes on watching the old one. (Of folders below it, chokidar notices by itself.)

import { lstatSync, type Stats } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { limits } from "../../base/limits.ts";
import type { ServedFolder } from "./folder.ts";
import { isPlainFolder, isWorkflowName } from "./path.ts";

export interface WatchOptions {
  folder: ServedFolder;
  /** `etag` absent: it is gone. */
  onChange(path: string, etag: string | undefined): void;
  onTrouble(error: unknown): void;
}

export interface FolderWatch {
  /** The state is known already: W1. */
  known(path: string, etag: string | undefined): void;
  /** W5. Done from time to time. */
  look(): void;
  close(): Promise<void>;
}

/** Answers when everything that is there is watched. */
export async function watchFolder({ folder, onChange, onTrouble }: WatchOptions): Promise<FolderWatch> {
  const { watch } = await import("chokidar");
  /** Of those that were told; undefined: gone. */
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
    const path = relative(folder.root, file).split(sep).join("/");
    if (!isWorkflowName(basename(file))) return;
    clearTimeout(resting.get(path));
    resting.set(path, setTimeout(look, limits.watchSettleMs, path).unref());
  };

  const stamps = () => new Map(folder.list().files.map(({ path, stamp }) => [path, stamp] as const));
  let before = stamps();
  /** Is told what has changed since. */
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
