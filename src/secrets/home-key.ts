// home-key: the one key of a home, from which every other key of ours is derived (spec 4.2).
//   H1. 32 random bytes in `key`, 0600, made once: of two processes that make it at the same moment both use the one that came first.
//       It is on disk for good, with its name, before anything is sealed with it.
//   H2. A key is for one purpose; nobody uses the home's key itself.
// Deliberately absent: a password. Who reads the home as this user reads the key; docs/explanation/security.md says so.

import { hkdfSync, randomBytes } from "node:crypto";
import { chmodSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Failure } from "../base/failure.ts";
import { err, ok, type Result } from "../base/result.ts";
import { makeHome, syncFolder } from "./files.ts";

const KEY_BYTES = 32;

export type Purpose = "approvals" | "sealed-values" | "audit" | "tokens";

/** A key of 32 bytes for one purpose. `only-look`: none is made. Failures: `home-key-unreadable`, `home-key-damaged`. */
export function keyFor(purpose: Purpose, home: string, how?: "only-look"): Result<Buffer, Failure> {
  const key = homeKey(home, how === "only-look");
  if (!key.ok) return key;
  return ok(Buffer.from(hkdfSync("sha256", key.value, "", `curlew ${purpose}`, KEY_BYTES)));
}

function homeKey(home: string, onlyLook: boolean): Result<Buffer, Failure> {
  const file = join(home, "key");
  try {
    const known = onlyLook ? undefined : read(file);
    if (known === undefined && !onlyLook) make(home, file);
    const key = known ?? readFileSync(file);
    if (key.length === KEY_BYTES) return ok(key);
  } catch (reason) {
    return err({
      code: "home-key-unreadable",
      message: `The key of this home, ${file}, cannot be read or made: ${(reason as NodeJS.ErrnoException).code ?? "unknown reason"}.`,
      hint: "Check that the folder belongs to you and that the disk is not full.",
    });
  }
  return err({
    code: "home-key-damaged",
    message: `The key of this home, ${file}, is damaged: it must be ${KEY_BYTES} bytes long.`,
    hint: "Bring it back from a backup. Without it, what was sealed with it cannot be read again.",
  });
}

function read(file: string): Buffer | undefined {
  try {
    const key = readFileSync(file);
    if (process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
    return key;
  } catch (reason) {
    if ((reason as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw reason;
  }
}

/** H1: written beside it and linked into place, which fails when somebody was quicker. */
function make(home: string, file: string): void {
  makeHome(home);
  const beside = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(beside, randomBytes(KEY_BYTES), { mode: 0o600, flag: "wx", flush: true });
    linkSync(beside, file);
  } catch (reason) {
    if ((reason as NodeJS.ErrnoException).code !== "EEXIST") throw reason;
  } finally {
    rmSync(beside, { force: true });
  }
  syncFolder(home);
}
