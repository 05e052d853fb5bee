// calls: a command's HTTP calls are seen: the curl in front of the real one, and where clients report (spec 3.6).
//   A1. Nothing is written for an attempt: our curl stands in the home, once, and reports in a 0700 folder of the run. They are gone when the
//       attempt's end is told, or else when its run is taken up again.
//   A2. In a sandbox an attempt reports in a folder of its own, the one place beside its work folder that it may write: what it puts there
//       goes no further than its own record.
//   A3. Where the machine has no curl, none is put in front: the command fails as it would.
// Deliberately absent: Windows, whose curl is not started by a shell.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { CURL_FRONT } from "../process/curl-front.ts";
import { findProgram } from "../process/dialect.ts";
import type { RunFiles } from "./values.ts";

/** curl-front.ts knows it by this name, and never takes one of these for the real curl. */
const FRONT = "http-front";
/** In the folder of a run. */
const REPORTS = "http-calls";
const withCurl = new Set<string>();
const fronts = new Map<string, string | undefined>();

export interface SeenCalls {
  variables: Record<string, string>;
  /** Where the clients of the attempt report: the begin of a path. */
  prefix: string;
  /** In a sandbox: the folder that the reports are in, and what it must be able to read. */
  folder?: string;
  files: string[];
}

/** For the environment of one command. `path`: its PATH, with what else stands in front. Undefined: nothing of it is seen. */
export function seeCalls(
  env: Readonly<Record<string, string>>,
  given: { files: RunFiles; stem: string; home: string; path: string | undefined; isBoxed: boolean },
): SeenCalls | undefined {
  if (process.platform === "win32" || !isThere(given.files, REPORTS)) return undefined;
  const box = `${REPORTS}/${given.stem}.box`;
  if (given.isBoxed && !isThere(given.files, box)) return undefined;
  const prefix = given.files.path(given.isBoxed ? `${box}/calls` : `${REPORTS}/${given.stem}`);
  const { PATH } = env;
  const front = PATH !== undefined && hasCurl(PATH) ? frontOf(given.home) : undefined;
  const path = front === undefined ? {} : { PATH: `${front}${delimiter}${given.path ?? PATH}` };
  return {
    variables: { CURLEW_HTTP: prefix, ...path },
    prefix,
    ...(given.isBoxed ? { folder: given.files.path(box) } : {}),
    files: front === undefined ? [] : [join(front, "curl")],
  };
}

/** Reports in the folder of a run, by the stem of their attempt. Absolute paths. */
export function leftReports(folder: string): { stem: string; path: string }[] {
  const reports = join(folder, REPORTS);
  if (!existsSync(reports)) return [];
  return readdirSync(reports).flatMap((name) => {
    const dot = name.indexOf(".");
    return dot === -1 ? [] : [{ stem: name.slice(0, dot), path: join(reports, name) }];
  });
}

/** A disk that is full makes no command fail. */
function isThere(files: RunFiles, folder: string): boolean {
  if (files.has(folder)) return true;
  try {
    mkdirSync(files.path(folder), { recursive: true, mode: 0o700 });
    return true;
  } catch {
    return false;
  }
}

/** The folder that stands first on PATH, made once a home and named by its content: another version of Curlew has another. */
function frontOf(home: string): string | undefined {
  const known = fronts.get(home);
  if (known !== undefined || fronts.has(home)) return known;
  const digest = createHash("sha256").update(CURL_FRONT).digest("hex").slice(0, 12);
  const folder = join(home, "tools", digest, FRONT);
  const made = folder.includes(delimiter) || !isMade(folder) ? undefined : folder;
  fronts.set(home, made);
  return made;
}

function isMade(folder: string): boolean {
  const file = join(folder, "curl");
  if (existsSync(file)) return true;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(`${file}.${process.pid}`, CURL_FRONT, { mode: 0o700 });
    renameSync(`${file}.${process.pid}`, file);
    return true;
  } catch {
    return false;
  }
}

function hasCurl(path: string): boolean {
  if (withCurl.has(path)) return true;
  const found = findProgram("curl", path) !== undefined;
  if (found) withCurl.add(path);
  return found;
}
