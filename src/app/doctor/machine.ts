// Checks the data directory, its disk, the clock, and leftovers of earlier runs (spec 2.2, 3.4). Creates nothing.
//   M1. If other users can read or write the data directory, the check says so and shows the command that fixes it.

import { accessSync, constants, existsSync, readdirSync, type Stats, statfsSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { limits } from "../../base/limits.ts";
import { bytes } from "../../base/text.ts";
import type { Check } from "./check.ts";

/** Files that no other user may read. */
const OWN = ["key", "secrets.age", "secrets.key", "curlew.db", "curlew.db-wal", "server.json", "tokens", "runs"];

export function homeChecks(home: string): Check[] {
  const what = "home";
  const stats = statSync(home, { throwIfNoEntry: false });
  if (stats === undefined) return [placeFor(home)];
  if (!stats.isDirectory())
    return [
      {
        ...{ what, status: "wrong", code: "home-no-folder", message: `${home} is not a folder.` },
        help: "Move it away, or name another home with --home or CURLEW_HOME.",
      },
    ];
  const found = [...writableCheck(home), ...ownerChecks(home, stats), ...modeChecks(home, stats)];
  return found.length > 0 ? found : [{ what, status: "ok", message: `${home}, closed to others.` }];
}

function placeFor(home: string): Check {
  const parent = above(home);
  const why = refusal(parent);
  if (why === undefined) return { what: "home", status: "ok", message: `${home} is made when the first run starts.` };
  return {
    ...{ what: "home", status: "wrong", code: "home-not-possible" },
    message: `${home} cannot be made: ${parent} ${why}.`,
    help: "Name another home with --home or CURLEW_HOME.",
  };
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
    return readOnly ? "is on a disk that can only be read" : "may not be written to by you";
  }
}

function writableCheck(home: string): Check[] {
  const why = refusal(home);
  if (why === undefined) return [];
  const help = "Make it writable (chmod u+rwx), or name another home with --home or CURLEW_HOME.";
  return [{ what: "home", status: "wrong", code: "home-read-only", message: `${home} ${why}.`, help }];
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
    {
      ...{ what: "home", status: "wrong", code: "home-foreign" },
      message: `${foreign[0]}${more} belong${foreign.length === 1 ? "s" : ""} to another user: Curlew ran as another user, perhaps with sudo.`,
      help: `sudo chown -R "$(id -un)" '${home}'`,
    },
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
      {
        what: "home",
        status: wrong ? "wrong" : "note",
        code: "home-open",
        message: `Other users may ${writable ? "write to" : "read"} ${name === "" ? home : file} (mode ${shown}).`,
        help: `chmod ${name === "config.yaml" ? "go-w" : "go-rwx"} '${name === "" ? home : file}'`,
      },
    ];
  });
}

export function diskChecks(home: string): Check[] {
  const place = above(home);
  const checks = [...temporaryCheck(), ...roomCheck(place)];
  if (checks.length > 0) return checks;
  const { bavail, bsize } = statfsSync(place);
  return [{ what: "disk", status: "ok", message: `${bytes(bavail * bsize)} free where the home is.` }];
}

function temporaryCheck(): Check[] {
  const folder = tmpdir();
  const why = existsSync(folder) ? refusal(folder) : "is not there";
  if (why === undefined) return [];
  const message = `The folder for temporary files, ${folder}, ${why}.`;
  return [
    {
      what: "disk",
      status: "wrong",
      code: "tmp-unusable",
      message,
      help: "Let TMPDIR name a folder that you can write to.",
    },
  ];
}

function roomCheck(folder: string): Check[] {
  const { bavail, bsize, files, ffree } = statfsSync(folder);
  const free = bavail * bsize;
  const noFiles = files > 0 && ffree < limits.doctorFilesFreeLow;
  if (free >= limits.doctorDiskFreeLow && !noFiles) return [];
  const help = "Free some space; `curlew runs rm --older-than 30d` removes old runs and their output.";
  const left = noFiles ? `room for ${ffree} more files` : `${bytes(free)} free`;
  const status = noFiles || free < limits.doctorDiskFreeWrong ? "wrong" : "note";
  return [{ what: "disk", status, code: "disk-full", message: `There is ${left} where ${folder} is.`, help }];
}

/** The clock is wrong if it shows a time before this program was written. */
const WRITTEN_MS = Date.UTC(2025, 0, 1);

export function clockChecks(home: string, nowMs: number): Check[] {
  const what = "clock";
  const help = "Set the clock, and let the system keep it (timedatectl set-ntp true).";
  const shown = new Date(nowMs).toISOString();
  if (nowMs < WRITTEN_MS) {
    const message = `The clock says ${shown}. Certificates cannot be verified, and schedules and waits go wrong.`;
    return [{ what, status: "wrong", code: "clock-wrong", message, help }];
  }
  const newest = Math.max(
    ...["curlew.db", "curlew.db-wal"].map(
      (name) => statSync(join(home, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    ),
  );
  if (newest > nowMs + limits.doctorClockAheadMs) {
    const message = `The history was last written at ${new Date(newest).toISOString()}, and the clock says ${shown}: it was set back.`;
    return [{ what, status: "wrong", code: "clock-set-back", message, help }];
  }
  return [{ what, status: "ok", message: shown }];
}
