// passfile: the password of a database from the file that PGPASSFILE names, or ~/.pgpass (PostgreSQL's own format).
//   F1. A file that other users can read is refused, as PostgreSQL's programs refuse it.

import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { err, ok, type Result } from "../../base/result.ts";
import { databaseUrl, type StoreError } from "../error.ts";

export interface Asked {
  host: string;
  port: number;
  database: string;
  user: string;
}

/** Undefined if the file does not exist or has no line for it. Errors: database-url. */
export function passwordFor(asked: Asked, env = process.env): Result<string | undefined, StoreError> {
  const file = env.PGPASSFILE || join(homedir(), ".pgpass");
  try {
    const { mode } = statSync(file);
    if (process.platform !== "win32" && (mode & 0o077) !== 0)
      return err(databaseUrl(`Other users can read its password file ${file}. Run: chmod 600 ${file}`));
    return ok(passwordIn(readFileSync(file, "utf8"), asked));
  } catch (reason) {
    const { code } = reason as NodeJS.ErrnoException;
    if (code === "ENOENT" && !env.PGPASSFILE) return ok(undefined);
    return err(databaseUrl(`Its password file ${file} can't be read: ${code}.`));
  }
}

/** The first line that fits counts: `host:port:database:user:password`, with `*` for any. */
export function passwordIn(text: string, { host, port, database, user }: Asked): string | undefined {
  const wanted = [host.startsWith("/") ? "localhost" : host, String(port), database, user];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith("#")) continue;
    const [, ...fields] =
      /^((?:\\.|[^:\\])*):((?:\\.|[^:\\])*):((?:\\.|[^:\\])*):((?:\\.|[^:\\])*):(.*)$/.exec(line) ?? [];
    const [password, ...names] = fields.map((field) => field.replaceAll(/\\(.)/g, "$1")).toReversed();
    const fits = names.length === 4 && names.toReversed().every((name, at) => name === "*" || name === wanted[at]);
    if (fits) return password;
  }
  return undefined;
}
