// Reads the `.env` file beside a workflow (spec 4.2). Only declared secrets are looked up in it.

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { type Failure, failureOf } from "../base/failure.ts";
import { limits } from "../base/limits.ts";

/** Empty if it does not exist. If it cannot be read, that is only a warning, because the secret may be elsewhere. */
export function readDotEnv(folder: string, warn: (warning: Failure) => void): Map<string, string> {
  const file = join(folder, ".env");
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat === undefined || !stat.isFile()) return new Map();
    if (stat.size > limits.secretFileBytesMax) {
      warn(notRead(file, `it has more than ${limits.secretFileBytesMax} bytes`));
      return new Map();
    }
    if (process.platform !== "win32" && (stat.mode & 0o044) !== 0)
      warn({
        code: "dotenv-open",
        message: `${file} contains secrets, but others may read it (mode ${(stat.mode & 0o777).toString(8)}).`,
        hint: `Run: chmod 600 '${file}'`,
      });
    return new Map(Object.entries(parseEnv(readFileSync(file, "utf8").replace(/^\uFEFF/, ""))) as [string, string][]);
  } catch (reason) {
    const { code } = reason as NodeJS.ErrnoException;
    if (code !== "ENOENT") warn(notRead(file, code === "EACCES" ? "permission denied" : (code ?? "unknown reason")));
    return new Map();
  }
}

const notRead = failureOf("dotenv-not-read", (file: string, why: string) => [`${file} was not read: ${why}.`]);
