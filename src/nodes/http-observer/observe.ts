// observe: a command's HTTP calls are recorded: the curl in front of the real one, and where clients report (spec 3.6).
//   - The curl in front is in the data directory, once; its reports are in a 0700 folder of the run. They are removed before the attempt's
//     end is reported, or when its run is resumed.
//   - In a sandbox an attempt reports in its own folder, the only place beside its work folder that it may write.
//   - Where the machine has no curl, none is put in front: the command fails as it would.
// Windows has no such front, because its curl is not started by a shell.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { findProgram } from "../../process/dialect.ts";
import type { RunFiles } from "../values.ts";
import { CURL_FRONT } from "./curl-front.ts";

/** The front skips folders of this name when it looks for the real curl. */
const FRONT = "http-front";
/** In the folder of a run. */
const REPORTS = "http-calls";
const fronts = new Map<string, string | undefined>();

export interface ObservedCalls {
  variables: Record<string, string>;
  /** Where the clients of the attempt report: the start of a path. */
  prefix: string;
  /** In a sandbox: the folder of the reports. */
  folder?: string;
  /** What a sandbox must let it read. */
  files: string[];
}

/** For the environment of one command. `path`: its PATH with other fronts; `userCurlrc`: the file that its curl reads. */
export function observeCalls(
  env: Readonly<Record<string, string>>,
  given: {
    files: RunFiles;
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
  if (given.userCurlrc !== undefined && formats(given.userCurlrc)) {
    writeFileSync(`${prefix}.curlrc`, "\u001eA\u001fthe user's .curlrc sets write-out, dump-header or next\u001e", {
      mode: 0o600,
    });
    return observed;
  }
  const front = frontOf(given.home);
  if (front === undefined) return observed;
  observed.variables.PATH = `${front}${delimiter}${given.path ?? PATH}`;
  observed.files.push(join(front, "curl"));
  return observed;
}

/** Our options would take the place of the user's. */
function formats(curlrc: string): boolean {
  try {
    return /^\s*-{0,2}(?:w|write-out|D|dump-header|next|:)(?![\w-])/m.test(readFileSync(curlrc, "utf8"));
  } catch {
    return false;
  }
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

/** The folder for PATH. It is named by its content, because another version of Curlew has another. */
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
