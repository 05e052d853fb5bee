// Lists the files that a watch matches, as they are on disk now (spec 2.5).
//   W1. Nothing outside the document's folder is seen: links to files and folders are not followed.
//   W2. Only folders that a pattern can match are read.

import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { limits } from "../../base/limits.ts";
import { globBase, globDepth, globMatcher } from "../../workflow/glob.ts";

export type Marks = Map<string, string>;

/**
 * By path relative to `folder`, with `/`. A mark changes when its file does. `cut`:
 * there are more files than the limit.
 */
export function filesOf(folder: string, patterns: readonly string[]): { marks: Marks; cut: boolean } {
  const marks: Marks = new Map();
  let cut = false;
  for (const pattern of patterns) {
    const base = globBase(pattern);
    if (!isFolder(folder, base)) continue;
    const walk = { folder, matches: globMatcher(pattern), marks, left: limits.watchedFilesMax };
    cut = !look(base, globDepth(pattern), walk) || cut;
  }
  return { marks, cut };
}

/** The absolute paths to watch for changes. */
export function watchedRoots(folder: string, patterns: readonly string[]): string[] {
  return [...new Set(patterns.map((pattern) => join(folder, globBase(pattern))))];
}

/** Changes when the folder, or a folder on the way to the files, is replaced. */
export function snapshotOf(folder: string, patterns: readonly string[]): string {
  const parts = patterns.flatMap((pattern) => {
    const base = globBase(pattern);
    const names = base === "" ? [] : base.split("/");
    return ["", ...names].map(
      (_, at) => lstatSync(join(folder, ...names.slice(0, at)), { throwIfNoEntry: false })?.ino ?? 0,
    );
  });
  return parts.join(" ");
}

/** W1: checks every part of the path, starting with the folder. */
function isFolder(folder: string, below: string): boolean {
  let at = folder;
  for (const part of below === "" ? [] : below.split("/")) {
    at = join(at, part);
    if (!(lstatSync(at, { throwIfNoEntry: false })?.isDirectory() ?? false)) return false;
  }
  return true;
}

interface Walk {
  folder: string;
  matches(path: string): boolean;
  marks: Marks;
  left: number;
}

function look(below: string, depth: number, walk: Walk): boolean {
  for (const entry of entriesOf(join(walk.folder, below))) {
    if (--walk.left < 0) return false;
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      if (depth > 0 && entry.name !== "node_modules" && entry.name !== ".git" && !look(path, depth - 1, walk))
        return false;
    } else if (entry.isFile() && walk.matches(path)) {
      const stat = lstatSync(join(walk.folder, path), { throwIfNoEntry: false, bigint: true });
      if (stat?.isFile()) walk.marks.set(path, `${stat.ino}:${stat.size}:${stat.mtimeNs}`);
    }
  }
  return true;
}

function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    // Removed since, or not readable.
    return [];
  }
}
