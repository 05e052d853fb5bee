// calls: a command's HTTP calls are seen: the curl in front of the real one, and where clients report (spec 3.6).
//   A1. Nothing is written for an attempt: our curl stands in the home, once, and reports in a 0700 folder of the run. They are gone when the
//       attempt's end is told, or else when its run is taken up again.
//   A2. In a sandbox an attempt reports in a folder of its own, the one place beside its work folder that it may write: what it puts there
//       goes no further than its own record.
//   A3. Where the machine has no curl, none is put in front: the command fails as it would.
//   A4. A command that may call curl past PATH has what leads to the front as well (calls-by-path.ts).
//   A5. What counts the tries of an old curl lies beside the front, which uses it.
// Deliberately absent: Windows, whose curl is not started by a shell.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { curlByPath } from "../process/curl-by-path.ts";
import { CURL_FRONT } from "../process/curl-front.ts";
import { curlTries } from "../process/curl-tries.ts";
import { findProgram } from "../process/dialect.ts";
import { type Catching, catchByPath } from "./calls-by-path.ts";
import type { RunFiles } from "./values.ts";

/** curl-front.ts knows it by this name, and never takes one of these for the real curl. */
const FRONT = "http-front";
/** In the folder of a run. */
const REPORTS = "http-calls";
const withCurl = new Set<string>();
const fronts = new Map<string, Front | undefined>();

/** `folder` stands first on PATH; `catching`: where this machine's programs can be led to it. */
interface Front {
  folder: string;
  catching: Catching | undefined;
  /** All that the curl in front needs: itself, and what counts tries. */
  files: string[];
}

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
  given: {
    files: RunFiles;
    stem: string;
    home: string;
    path: string | undefined;
    isBoxed: boolean;
    content: string;
    cwd: string;
  },
): SeenCalls | undefined {
  if (process.platform === "win32" || !isThere(given.files, REPORTS)) return undefined;
  const box = `${REPORTS}/${given.stem}.box`;
  if (given.isBoxed && !isThere(given.files, box)) return undefined;
  const prefix = given.files.path(given.isBoxed ? `${box}/calls` : `${REPORTS}/${given.stem}`);
  const { PATH } = env;
  const front = frontOf(given.home);
  const isFirst = front !== undefined && PATH !== undefined && hasCurl(PATH);
  const caught = front?.catching === undefined ? undefined : catchByPath(front.catching, { ...given, env });
  return {
    variables: {
      CURLEW_HTTP: prefix,
      ...(isFirst ? { PATH: `${front.folder}${delimiter}${given.path ?? PATH}` } : {}),
      ...caught,
    },
    prefix,
    ...(given.isBoxed ? { folder: given.files.path(box) } : {}),
    files: [
      ...(isFirst || caught !== undefined ? front!.files : []),
      ...(caught === undefined ? [] : [front!.catching!.object]),
    ],
  };
}

/** What leads a curl past PATH to the one in front; undefined where nothing does. */
export function catchingOf(home: string): Catching | undefined {
  return process.platform === "win32" ? undefined : frontOf(home)?.catching;
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

/** Made once a home and named by its content: another version of Curlew has another. */
function frontOf(home: string): Front | undefined {
  const known = fronts.get(home);
  if (known !== undefined || fronts.has(home)) return known;
  const code = curlByPath();
  const tries = curlTries();
  const digest = createHash("sha256")
    .update(CURL_FRONT)
    .update(code ?? "")
    .update(tries ?? "")
    .digest("hex")
    .slice(0, 12);
  const tools = join(home, "tools", digest);
  const folder = join(tools, FRONT);
  const object = join(tools, "curl-by-path.so");
  const file = join(folder, "curl");
  const isMade = !folder.includes(delimiter) && isWritten(folder, file, CURL_FRONT);
  const leads = isMade && code !== undefined && isWritten(tools, object, code);
  const counter = join(tools, "curl-tries.so");
  const counts = isMade && tries !== undefined && isWritten(tools, counter, tries);
  const files = counts ? [file, counter] : [file];
  const made = isMade ? { folder, catching: leads ? { front: file, object } : undefined, files } : undefined;
  fronts.set(home, made);
  return made;
}

function isWritten(folder: string, file: string, content: string | Uint8Array): boolean {
  if (existsSync(file)) return true;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(`${file}.${process.pid}`, content, { mode: 0o700 });
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
