// replace-file: a file that was read gets another text, and keeps all else (spec 2.7 "fmt").
//   R1. Never half a file, also after a power cut: written beside, flushed, renamed.
//   R2. Nobody's edit is lost: what is there is looked at once more right before it is replaced (as server/document/folder.ts F3).
//   R3. A link stays one: the file that it leads to is replaced. Who may read and write it stays as it was.

import { randomBytes } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { limits } from "../base/limits.ts";
import { problemOf, readTextFile } from "../server/document/read-file.ts";

/** Why the file is as it was; nothing when it holds `text` now. `before`: what was read there. */
export function replaceFile(path: string, before: string, text: string): string | undefined {
  let beside: string | undefined;
  try {
    const file = realpathSync(path);
    beside = `${file}.${randomBytes(6).toString("hex")}.new`;
    writeBeside(beside, text, statSync(file).mode & 0o777);
    const now = readTextFile(file, limits.documentBytesMax, { pipes: false });
    if (!now.ok) return now.error.why;
    if (now.value !== before) return "somebody changed it meanwhile";
    renameSync(beside, file);
    return undefined;
  } catch (reason) {
    return problemOf(reason as NodeJS.ErrnoException).why;
  } finally {
    if (beside !== undefined) rmSync(beside, { force: true });
  }
}

function writeBeside(beside: string, text: string, mode: number): void {
  const fd = openSync(beside, "wx", 0o600);
  try {
    writeFileSync(fd, text);
    fchmodSync(fd, mode);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
