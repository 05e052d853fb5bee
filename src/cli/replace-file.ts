// replace-file: replaces the text of a file that was read, and keeps everything else (spec 2.7 "fmt").
//   R1. The file is never half-written, even after a power cut: the text is written beside it, flushed and renamed.
//   R2. No one's edit is lost: the file is compared again right before it is replaced (like app/documents/folder.ts
//       F3).
//   R3. Symbolic links are kept: their target is replaced. The permissions stay the same.

import { randomBytes } from "node:crypto";
import { realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { problemOf, readTextFile } from "../app/documents/read-file.ts";
import { limits } from "../base/limits.ts";
import { writeNew } from "../secrets/files.ts";

/** The reason the file was not changed, or undefined if it now holds `text`. `before`: the text that was read. */
export function replaceFile(path: string, before: string, text: string): string | undefined {
  let beside: string | undefined;
  try {
    const file = realpathSync(path);
    beside = `${file}.${randomBytes(6).toString("hex")}.new`;
    writeNew(beside, Buffer.from(text), statSync(file).mode & 0o777);
    const now = readTextFile(file, limits.documentBytesMax, { pipes: false });
    if (!now.ok) return now.error.why;
    if (now.value !== before) return "another program changed it in between";
    renameSync(beside, file);
    return undefined;
  } catch (reason) {
    return problemOf(reason as NodeJS.ErrnoException).why;
  } finally {
    if (beside !== undefined) rmSync(beside, { force: true });
  }
}
