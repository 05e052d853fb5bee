// Checks the data directory and its disk (spec 2.2, 3.4). Creates nothing.
//   M1. If other users can read or write the data directory, the check says so and shows the command that fixes it.

import { accessSync, constants, existsSync, readdirSync, type Stats, statfsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { limits } from "../../base/limits.ts";
import { bytes } from "../../base/text.ts";
import { type Check, finding, passed } from "./check.ts";

/** Files that no other user may read. */
const OWN = ["key", "secrets.age", "secrets.key", "curlew.db", "curlew.db-wal", "server.json", "tokens", "runs"];

export function homeChecks(home: string): Check[] {
  const what = "home";
  const stats = statSync(home, { throwIfNoEntry: false });
  if (stats === undefined) return [placeFor(home)];
  if (!stats.isDirectory())
    return [
      {
        ...{ what, status: "wrong", code: "home-not-a-folder", message: `${home} is not a folder.` },
        help: "Move it away, or choose another data directory with --home or CURLEW_HOME.",
      },
    ];
  const found = [...writableCheck(home), ...ownerChecks(home, stats), ...modeChecks(home, stats)];
  return found.length > 0 ? found : [{ what, status: "ok", message: `${home}, not readable by others.` }];
}

function placeFor(home: string): Check {
  const parent = above(home);
  const why = refusal(parent);
  if (why === undefined) return passed("home", `The first run creates ${home}.`);
  return finding("wrong", "home", "home-unavailable", [
    `Curlew can't create ${home}: ${parent} ${why}.`,
    "Choose another data directory with --home or CURLEW_HOME.",
  ]);
}

/** The nearest ancestor folder that exists. */
function above(path: string): string {
  let folder = path;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

function refusal(folder: string): string | undefined {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const readOnly = (error as NodeJS.ErrnoException).code === "EROFS";
    return readOnly ? "is on a read-only disk" : "is not writable for you";
  }
}

function writableCheck(home: string): Check[] {
  const why = refusal(home);
  if (why === undefined) return [];
  const help = "Make it writable (chmod u+rwx), or choose another data directory with --home or CURLEW_HOME.";
  return [finding("wrong", "home", "home-read-only", [`${home} ${why}.`, help])];
}

/** Files of another owner are most often left by a run under sudo. */
function ownerChecks(home: string, stats: Stats): Check[] {
  const me = process.getuid?.();
  if (me === undefined) return [];
  const foreign = [
    ...(stats.uid === me ? [] : [home]),
    ...namesIn(home).filter((file) => (statSync(file, { throwIfNoEntry: false })?.uid ?? me) !== me),
  ];
  if (foreign.length === 0) return [];
  const more = foreign.length === 1 ? "" : ` and ${foreign.length - 1} more`;
  return [
    finding("wrong", "home", "home-not-owned", [
      `${foreign[0]}${more} belong${foreign.length === 1 ? "s" : ""} to another user. Perhaps Curlew ran with sudo.`,
      `sudo chown -R "$(id -un)" '${home}'`,
    ]),
  ];
}

function namesIn(home: string): string[] {
  try {
    return readdirSync(home).map((name) => join(home, name));
  } catch {
    return [];
  }
}

/** M1. If other users cannot enter the data directory, only the modes of the keys matter. */
function modeChecks(home: string, stats: Stats): Check[] {
  if (process.platform === "win32") return [];
  const closed = (stats.mode & 0o011) === 0;
  const keys = new Set(["key", "secrets.age", "secrets.key"]);
  return ["", "config.yaml", ...OWN].flatMap((name): Check[] => {
    const file = join(home, name);
    const mode = (name === "" ? stats : statSync(file, { throwIfNoEntry: false }))?.mode ?? 0;
    const writable = (mode & 0o022) !== 0;
    const readable = (mode & (name === "" ? 0o055 : 0o044)) !== 0;
    const wrong = writable || (readable && keys.has(name));
    const noted = readable && name !== "config.yaml" && (name === "" || !closed);
    if (!wrong && !noted) return [];
    const shown = (mode & 0o777).toString(8);
    return [
      finding(wrong ? "wrong" : "note", "home", "home-not-private", [
        `Other users may ${writable ? "write to" : "read"} ${name === "" ? home : file} (mode ${shown}).`,
        `chmod ${name === "config.yaml" ? "go-w" : "go-rwx"} '${name === "" ? home : file}'`,
      ]),
    ];
  });
}

export function diskChecks(home: string): Check[] {
  const folder = above(home);
  const { bavail, bsize, files, ffree } = statfsSync(folder);
  const free = bavail * bsize;
  const noFiles = files > 0 && ffree < limits.doctorFilesFreeLow;
  if (free >= limits.doctorDiskFreeLow && !noFiles)
    return [passed("disk", `${bytes(free)} free on the disk of the data directory.`)];
  const help =
    "First remove something else from this disk, because removing runs needs space, too. " +
    "Then remove old runs and their output: curlew runs rm --older-than 30d";
  const left = noFiles ? `room for ${ffree} more files` : `${bytes(free)} free`;
  const status = noFiles || free < limits.doctorDiskFreeWrong ? "wrong" : "note";
  return [finding(status, "disk", "disk-full", [`The disk of ${folder} has only ${left} left.`, help])];
}
