// Lists, reads, writes, and removes the workflow files of the served folder (spec 2.7, 4.3 S12).
//   F1. Nothing outside the folder is read or written, whatever the path, even if a folder is swapped for a link during
//       the call. Each part of a path is opened inside the one before, and links are never followed (inside.ts).
//   F2. After kill -9 or a power cut, a file has either its old or its new text. The text is written to a new file,
//       flushed, and renamed, and then the folder is flushed.
//   F3. No edit is lost: a write names the version it replaces and fails with the current one if that
//       differs. Of concurrent writes in this server one wins. For other programs, the file is checked
//       again just before the rename (ADR 58).
//   F4. A listing is bounded in depth, folders, entries, and files, and says if it left something out.
// Links that stay inside the folder are not followed either. Telling them apart from others invites races (ADR 58).

import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  type Stats,
  unlinkSync,
} from "node:fs";
import { join } from "node:path";
import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { syncFolder, writeNew } from "../../secrets/files.ts";
import { type Inside, insideOf } from "./inside.ts";
import { isPlainFolder, isWorkflowName, segmentsOf } from "./path.ts";
import { readTextFile } from "./read-file.ts";

export interface StoredDocument {
  /** Relative to the folder, with `/`. */
  path: string;
  text: string;
  /** Includes its quotes. */
  etag: string;
  modifiedAt: string;
  bytes: number;
}

/** A file of the listing. Its content has not been read. */
export interface Listed {
  path: string;
  bytes: number;
  modifiedMs: number;
  /** Changes whenever the file does. */
  stamp: string;
}

/** The condition for a write: one of these tags must match, anything goes, or the file must not exist. */
export type Condition = { tags: readonly string[] } | "any" | "none";

export type FolderProblem =
  | { kind: "bad-path"; why: string }
  | { kind: "missing" }
  /** A file has the new name already. */
  | { kind: "exists" }
  /** A link, a pipe, or a folder has that name. */
  | { kind: "not-a-file"; why: string }
  | { kind: "too-large" }
  | { kind: "not-text"; why: string }
  /** `current`: the file as it is now, absent if it was removed. */
  | { kind: "changed"; current?: StoredDocument }
  | { kind: "denied"; why: string }
  | { kind: "full" };

// Windows lacks some of these flags. They are undefined there and count as 0 below.
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

export function etagOf(text: string): string {
  return `"${createHash("sha256").update(text).digest("base64url").slice(0, 32)}"`;
}

export class ServedFolder {
  /** Absolute, with links resolved. */
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  /** F4. Sorted by path, in code unit order. */
  list(): { files: Listed[]; cut: boolean } {
    const files: Listed[] = [];
    const open: string[][] = [[]];
    let entries = 0;
    let cut = false;
    // Breadth first, so that the deepest files are the ones left out.
    for (let at = 0; at < open.length; at++) {
      const folders = open[at]!;
      for (const entry of namesIn(this.root, folders)) {
        if (++entries > limits.servedEntriesMax) return { files: sorted(files), cut: true };
        if (entry.isDirectory() && isPlainFolder(entry.name)) {
          const isLookedInto = folders.length < limits.servedDepthMax && open.length < limits.servedFoldersMax;
          if (isLookedInto) open.push([...folders, entry.name]);
          else cut = true;
        } else if (entry.isFile() && isWorkflowName(entry.name)) {
          const listed = this.#listed([...folders, entry.name]);
          if (listed === undefined) continue;
          if (files.length >= limits.servedFilesMax) cut = true;
          else files.push(listed);
        }
      }
    }
    return { files: sorted(files), cut };
  }

  #listed(segments: readonly string[]): Listed | undefined {
    const stat = lstatSync(join(this.root, ...segments), { throwIfNoEntry: false });
    return stat?.isFile() ? { path: segments.join("/"), ...fileMarkOf(stat) } : undefined;
  }

  read(path: string): Result<StoredDocument, FolderProblem> {
    return this.#at(path, false, (inside, name) => {
      const found = readIn(inside, name);
      return found.ok ? ok({ path, ...found.value }) : found;
    });
  }

  /** Calls `read` with the folder of a file, which stays open until it returns (F1). */
  inFolderOf<T>(path: string, read: (folder: string, name: string) => T): Result<T, FolderProblem> {
    return this.#at(path, false, (inside, name) => ok(read(inside.path, name)));
  }

  /** F2, F3. Creates missing folders. Returns the new state; `made` says whether the file is new. */
  write(path: string, text: string, condition: Condition): Result<StoredDocument & { made: boolean }, FolderProblem> {
    if (Buffer.byteLength(text) > limits.documentBytesMax) return err({ kind: "too-large" });
    if (!text.isWellFormed()) return err({ kind: "not-text", why: "it holds half a character" });
    // Do not create a folder for a write that will be rejected.
    const make = condition === "none";
    return this.#at(path, make, (inside, name) => {
      const before = readIn(inside, name);
      const refused = refusal(path, before, condition);
      if (refused !== undefined) return err(refused);
      removeLeft(inside, name);
      const beside = writeBeside(inside, name, text, modeIn(inside, name));
      try {
        inside.still();
        if (!before.ok) linkNew(beside, join(inside.path, name));
        else {
          // F3: this read is the last step before the file is replaced.
          const now = readIn(inside, name);
          if (!now.ok || now.value.etag !== before.value.etag) return err(changed(path, now));
          renameSync(beside, join(inside.path, name));
        }
      } catch (reason) {
        if ((reason as NodeJS.ErrnoException).code === "EEXIST") return err(changed(path, readIn(inside, name)));
        throw reason;
      } finally {
        rmSync(beside, { force: true });
      }
      syncFolder(inside.path);
      const stat = lstatSync(join(inside.path, name), { throwIfNoEntry: false });
      const { bytes, modifiedMs } =
        stat === undefined ? { bytes: Buffer.byteLength(text), modifiedMs: Date.now() } : fileMarkOf(stat);
      const modifiedAt = new Date(modifiedMs).toISOString();
      return ok({ path, text, etag: etagOf(text), modifiedAt, bytes, made: !before.ok });
    });
  }

  remove(path: string, condition: Condition): Result<void, FolderProblem> {
    return this.#at(path, false, (inside, name) => {
      const before = readIn(inside, name);
      if (!before.ok && before.error.kind === "missing") return before;
      const refused = refusal(path, before, condition);
      if (refused !== undefined) return err(refused);
      unlinkSync(join(inside.path, name));
      syncFolder(inside.path);
      return ok(undefined);
    });
  }

  /** Gives the file another path, never that of an existing file. F3. */
  rename(path: string, to: string, condition: Condition): Result<StoredDocument, FolderProblem> {
    return this.#at(path, false, (inside, name) => {
      const before = readIn(inside, name);
      if (!before.ok) return before;
      const refused = refusal(path, before, condition);
      if (refused !== undefined) return err(refused);
      return this.#at(to, true, (target, newName) => {
        const [file, newFile] = [join(inside.path, name), join(target.path, newName)];
        if (lstatSync(newFile, { throwIfNoEntry: false }) !== undefined) return err({ kind: "exists" });
        target.still();
        linkNew(file, newFile);
        if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) {
          const now = readIn(inside, name);
          if (!now.ok || now.value.etag !== before.value.etag) {
            unlinkSync(newFile);
            return err(changed(path, now));
          }
          unlinkSync(file);
        }
        syncFolder(target.path);
        syncFolder(inside.path);
        return ok({ path: to, ...before.value });
      });
    });
  }

  #at<T>(
    path: string,
    make: boolean,
    work: (inside: Inside, name: string) => Result<T, FolderProblem>,
  ): Result<T, FolderProblem> {
    const segments = segmentsOf(path);
    if (!segments.ok) return err({ kind: "bad-path", why: segments.error });
    try {
      return insideOf(this.root, segments.value.slice(0, -1), make, (inside) => work(inside, segments.value.at(-1)!));
    } catch (reason) {
      return err(problemOf(reason as NodeJS.ErrnoException));
    }
  }
}

function namesIn(root: string, folders: readonly string[]) {
  try {
    return insideOf(root, folders, false, ({ path }) => readdirSync(path, { withFileTypes: true }));
  } catch {
    // Removed since, or not readable: leave it out of the listing.
    return [];
  }
}

function sorted(files: Listed[]): Listed[] {
  return files.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

function fileMarkOf(stat: Stats): Omit<Listed, "path"> {
  return {
    bytes: stat.size,
    modifiedMs: stat.mtimeMs,
    stamp: `${stat.ino}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}`,
  };
}

type Found = Result<Omit<StoredDocument, "path">, FolderProblem>;

/** Opens the file without following a link or waiting for a pipe, and checks its type only then. */
function readIn(inside: Inside, name: string): Found {
  let fd: number;
  try {
    fd = openSync(join(inside.path, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (reason) {
    return err(problemOf(reason as NodeJS.ErrnoException));
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return err({ kind: "not-a-file", why: "it is not a regular file" });
    inside.still();
    const read = readTextFile(fd, limits.documentBytesMax, { pipes: false });
    if (!read.ok)
      return err(read.error.kind === "too-large" ? { kind: "too-large" } : { kind: "not-text", why: read.error.why });
    const { bytes, modifiedMs } = fileMarkOf(stat);
    return ok({ text: read.value, etag: etagOf(read.value), bytes, modifiedAt: new Date(modifiedMs).toISOString() });
  } catch (reason) {
    return err(problemOf(reason as NodeJS.ErrnoException));
  } finally {
    closeSync(fd);
  }
}

function refusal(path: string, found: Found, condition: Condition): FolderProblem | undefined {
  if (!found.ok && found.error.kind !== "missing") return found.error;
  const fits =
    condition === "none"
      ? !found.ok
      : condition === "any"
        ? found.ok
        : found.ok && condition.tags.includes(found.value.etag);
  return fits ? undefined : changed(path, found);
}

function changed(path: string, found: Found): FolderProblem {
  if (found.ok) return { kind: "changed", current: { path, ...found.value } };
  return found.error.kind === "missing" ? { kind: "changed" } : found.error;
}

/** The mode of the existing file. For a new file, undefined: the process's default applies. */
function modeIn(inside: Inside, name: string): number | undefined {
  const mode = lstatSync(join(inside.path, name), { throwIfNoEntry: false })?.mode;
  return mode === undefined ? undefined : mode & 0o777;
}

const LEFT = /^\.(.+)\.[0-9a-f]{12}\.new$/;

/** F2. Writes the text to a temporary file, flushes it, and returns its path. */
function writeBeside(inside: Inside, name: string, text: string, mode: number | undefined): string {
  // Cut a long name so that the temporary name is not too long.
  const beside = join(inside.path, `.${name.slice(-100)}.${randomBytes(6).toString("hex")}.new`);
  try {
    writeNew(beside, Buffer.from(text), mode);
    return beside;
  } catch (reason) {
    rmSync(beside, { force: true });
    throw reason;
  }
}

/** Throws EEXIST if the name is taken, even by a link. */
function linkNew(beside: string, file: string): void {
  try {
    linkSync(beside, file);
  } catch (reason) {
    // Some file systems do not support hard links.
    if (!["EPERM", "ENOTSUP", "ENOSYS", "EOPNOTSUPP"].includes((reason as NodeJS.ErrnoException).code ?? ""))
      throw reason;
    if (lstatSync(file, { throwIfNoEntry: false }) !== undefined)
      throw Object.assign(new Error("it is there already"), { code: "EEXIST" });
    renameSync(beside, file);
  }
}

/** Removes temporary files of killed writers. Files of active writers are too young to match. */
function removeLeft(inside: Inside, name: string): void {
  for (const other of readdirSync(inside.path)) {
    if (LEFT.exec(other)?.[1] !== name.slice(-100)) continue;
    const file = join(inside.path, other);
    const stat = lstatSync(file, { throwIfNoEntry: false });
    if (stat !== undefined && Date.now() - stat.mtimeMs > limits.writeLeftMs) rmSync(file, { force: true });
  }
}

const DENIED = { kind: "denied", why: "permission denied" } as const;
const NOT_A_FILE = { kind: "not-a-file", why: "it is a link, or not a regular file" } as const;

/** By the system's error code. All others are bugs. */
const PROBLEMS: Readonly<Record<string, FolderProblem>> = {
  ENOENT: { kind: "missing" },
  EEXIST: { kind: "exists" },
  ENOTDIR: NOT_A_FILE,
  ELOOP: NOT_A_FILE,
  EMLINK: NOT_A_FILE,
  EISDIR: NOT_A_FILE,
  ENXIO: NOT_A_FILE,
  EACCES: DENIED,
  EPERM: DENIED,
  EXDEV: { kind: "denied", why: "the new folder is on another disk" },
  EROFS: { kind: "denied", why: "the disk can only be read" },
  ENOSPC: { kind: "full" },
  EDQUOT: { kind: "full" },
  ENAMETOOLONG: { kind: "bad-path", why: "Its name is longer than the disk takes." },
};

function problemOf(reason: NodeJS.ErrnoException): FolderProblem {
  const problem = PROBLEMS[reason.code ?? ""];
  if (problem === undefined) throw reason;
  return problem;
}
