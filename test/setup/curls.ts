// curls: the versions of curl for the tests: the one on PATH, those that tools/curls/bring.sh brought, and those in the
// folders that CHECK_CURLS names (separated like PATH).

import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

export interface Curl {
  version: string;
  /** Its folder, with which PATH begins. */
  folder: string;
}

/** Each version once, that of PATH first. Empty without curl. */
export function curls(): Curl[] {
  const onPath = (process.env.PATH ?? "").split(delimiter).filter(hasCurl).slice(0, 1);
  const brought = join(import.meta.dirname, "../../tools/curls");
  const folders = existsSync(brought) ? readdirSync(brought).map((suite) => join(brought, suite, "bin")) : [];
  const named = (process.env.CHECK_CURLS ?? "").split(delimiter);
  const found = [...onPath, ...folders.filter(hasCurl), ...named.filter(hasCurl)].map((folder) => ({
    version: versionOf(folder),
    folder,
  }));
  return found.filter((curl, index) => found.findIndex(({ version }) => version === curl.version) === index);
}

function hasCurl(folder: string): boolean {
  try {
    accessSync(join(folder, "curl"), constants.X_OK);
    return folder !== "";
  } catch {
    return false;
  }
}

function versionOf(folder: string): string {
  const said = execFileSync(join(folder, "curl"), ["-q", "--version"], { encoding: "utf8" });
  return /^curl ([0-9.]+)/.exec(said)?.[1] ?? "0";
}
