// The key of a data directory, from which all other keys are derived (spec 4.2).
//   H1. `key` contains 32 random bytes and has mode 0600. If two processes create it at the same moment, both use the
//       first one. It is durable on disk before anything is encrypted with it.
//   H2. A derived key has one purpose. The key itself is never used directly.
// It has no password. Anyone who can read the data directory can read the key (docs/explanation/security.md).

import { hkdfSync, randomBytes } from "node:crypto";
import { chmodSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Failure } from "../base/failure.ts";
import { err, ok, type Result } from "../base/result.ts";
import { makeHome, syncFolder } from "./files.ts";

const KEY_BYTES = 32;

export type Purpose = "approvals" | "sealed-values" | "audit" | "tokens";

/**
 * Derives a 32-byte key. `only-look`: does not create the main key or correct its file mode.
 * Failures: `home-key-unreadable`, `home-key-damaged`.
 */
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
      message: `Curlew can't read or create the key of the data directory, ${file}: ${(reason as NodeJS.ErrnoException).code ?? "unknown reason"}.`,
      hint: "Check that you own the folder, and that the disk is not full.",
    });
  }
  return err({
    code: "home-key-damaged",
    message: `The key of the data directory, ${file}, is damaged. It must be ${KEY_BYTES} bytes long.`,
    hint: "Restore it from a backup. Without it, Curlew can't decrypt stored values.",
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

/** H1: writes a temporary file and links it to its name, which fails if another process was faster. */
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
