// observe: records a command's HTTP calls: sets up the curl front and the folder where clients report (spec 3.6).
//   O1. The curl front is in the data directory, once. Its reports are in a 0700 folder of the run. They are removed
//       before the attempt's end is reported, or when its run is resumed.
//   O2. In a sandbox an attempt has its own report folder, the only place besides its working directory that it may
//       write to.
//   O3. On a machine without curl there is no front, so the command fails as it would otherwise.
// There is no front on Windows, because a shell does not start its curl there.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { findProgram } from "../dialect.ts";
import { CURL_FRONT } from "./curl-front.ts";

/** The front skips folders of this name when it looks for the real curl. */
const FRONT = "http-front";
/** In the folder of a run. */
const REPORTS = "http-calls";
const fronts = new Map<string, string | undefined>();

export interface ObservedCalls {
  variables: Record<string, string>;
  /** Path prefix of the files in which the attempt's clients report. */
  prefix: string;
  /** In a sandbox: the folder of the reports. */
  folder?: string;
  /** Files that a sandbox must let it read. */
  files: string[];
}

/** The files of a run: `path` is absolute, `has` says whether a name is taken. */
interface Files {
  path(name: string): string;
  has(name: string): boolean;
}

/**
 * For the environment of one command. `path`: its PATH with other fronts. `userCurlrc`: the file that its curl reads.
 */
export function observeCalls(
  env: Readonly<Record<string, string>>,
  given: {
    files: Files;
    stem: string;
    home: string;
    path: string | undefined;
    userCurlrc: string | undefined;
    isBoxed: boolean;
  },
): ObservedCalls | undefined {
  if (process.platform === "win32" || !isThere(given.files, REPORTS)) return undefined;
  const box = `${REPORTS}/${given.stem}.box`;
  if (given.isBoxed && !isThere(given.files, box)) return undefined;
  const prefix = given.files.path(given.isBoxed ? `${box}/calls` : `${REPORTS}/${given.stem}`);
  const observed: ObservedCalls = { variables: { CURLEW_HTTP: prefix }, prefix, files: [] };
  if (given.isBoxed) observed.folder = given.files.path(box);
  const { PATH } = env;
  if (PATH === undefined || findProgram("curl", PATH) === undefined) return observed;
  if (given.userCurlrc !== undefined && formats(given.userCurlrc))
    observed.variables.CURLEW_HTTP_WHY = "the user's .curlrc sets write-out, dump-header or next";
  const front = frontOf(given.home);
  if (front === undefined) return observed;
  observed.variables.PATH = `${front}${delimiter}${given.path ?? PATH}`;
  observed.files.push(join(front, "curl"));
  return observed;
}

/** Whether the .curlrc has options that ours would replace. */
function formats(curlrc: string): boolean {
  try {
    return /^\s*-{0,2}(?:w|write-out|D|dump-header|next|:)(?![\w-])/m.test(readFileSync(curlrc, "utf8"));
  } catch {
    return false;
  }
}

/** Reports in the folder of a run, by the stem of their attempt. Absolute paths. */
export function reportsIn(folder: string): { stem: string; path: string }[] {
  const reports = join(folder, REPORTS);
  if (!existsSync(reports)) return [];
  return readdirSync(reports).flatMap((name) => {
    const dot = name.indexOf(".");
    return dot === -1 ? [] : [{ stem: name.slice(0, dot), path: join(reports, name) }];
  });
}

/** A full disk does not fail the command. */
function isThere(files: Files, folder: string): boolean {
  if (files.has(folder)) return true;
  try {
    mkdirSync(files.path(folder), { recursive: true, mode: 0o700 });
    return true;
  } catch {
    return false;
  }
}

/**
 * The folder for PATH. Its name contains a hash of its content, because other versions of Curlew have a different
 * front.
 */
function frontOf(home: string): string | undefined {
  if (fronts.has(home)) return fronts.get(home);
  const hash = createHash("sha256").update(CURL_FRONT).digest("hex").slice(0, 12);
  const folder = join(home, "tools", hash, FRONT);
  const made = !folder.includes(delimiter) && isWritten(folder) ? folder : undefined;
  fronts.set(home, made);
  return made;
}

function isWritten(folder: string): boolean {
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
