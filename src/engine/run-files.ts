// run-files: a run's folder as its nodes see it. File names are assigned here or by the driver, never taken from a
// workflow.
//   F1. Sealed data is durable on disk before the event that names it is written.
//   F2. Files with secrets exist only for the run: sealed values are removed when the run ends, a command's files when
//       the command ends.
//   F3. The same bytes are sealed once: a loop that passes the same header a thousand times writes one file.
//   F4. A sealed file is complete or absent. Until it is complete it has another name.
//   F5. A sealed text keeps the secrets that were masked in it, because a declared secret may be renewed or gone when
//       the run resumes.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { limits } from "../base/limits.ts";
import { STATE_FILE } from "../kinds/state.ts";
import type { RunFiles } from "../kinds/values.ts";
import { PART, writeFileWhole } from "../process/runner/whole-file.ts";
import { secretParts } from "../secrets/derived-secrets.ts";
import type { Masker } from "../secrets/masker.ts";
import type { Sealer } from "../secrets/sealed.ts";

const SEALED = ".sealed";
/** Files with secret values for a command to read. */
const PLAIN = ".key";

/** Needed by a run that is driven for its secrets. Absent if the run is only shown. */
export interface FileSecrets {
  masker: Masker;
  /** Called when something is sealed or opened for the first time. Throws if there is no key. */
  sealer(): Sealer;
  /** The error to throw if a file cannot be written or read. */
  fault(reason: unknown, path: string): Error;
  /** A value that cannot be opened stays masked, because the run is only ended. */
  lenient: boolean;
}

type Opening = Pick<FileSecrets, "masker" | "sealer" | "lenient">;

/** `nextSeq`: number of the next event, used in the names of fresh files. */
export function runFiles(folder: string, nextSeq: () => number, secrets?: FileSecrets): RunFiles {
  const known = new Set<string>();
  const sealed = new Map<string, string>();
  /** How many of the masker's secrets are on disk (F5). */
  let keptCount = 0;
  let count = 0;
  const fresh = (suffix: string): string => {
    let name: string;
    do {
      count = (count % 999_999) + 1;
      name = `${nextSeq()}-${count}.${suffix}`;
    } while (existsSync(join(folder, name)));
    return name;
  };
  const seal: RunFiles["seal"] = (bytes, kind) => {
    if (secrets === undefined) throw new Error("a run that is only shown seals nothing");
    const digest = createHash("sha256").update(kind).update(bytes).digest("base64");
    const same = sealed.get(digest);
    if (same !== undefined) return same;
    if (kind === "text") keepKnown(secrets.masker);
    const name = fresh(SEALED.slice(1));
    const path = join(folder, name);
    const closed = secrets.sealer().seal(name, bytes, kind);
    try {
      writeFileWhole(path, closed);
    } catch (reason) {
      throw secrets.fault(reason, path);
    }
    if (sealed.size >= limits.sealedValuesRemembered) sealed.clear();
    sealed.set(digest, name);
    return name;
  };
  /** F5. Writes a JSON list, which `learnSealed` reads. */
  function keepKnown({ known: all }: Masker): void {
    if (keptCount === all.length) return;
    seal(Buffer.from(JSON.stringify(all.slice(keptCount))), "secret");
    keptCount = all.length;
  }
  return {
    mask: (text) => secrets?.masker.mask(text) ?? text,
    learn: (texts) => secrets?.masker.learn(texts),
    path: (name) => join(folder, name),
    fresh,
    has: (name) => {
      if (known.has(name)) return true;
      if (existsSync(join(folder, name))) known.add(name);
      return known.has(name);
    },
    seal,
    unseal: (name) => {
      try {
        return secrets === undefined ? undefined : open(folder, name, secrets)?.bytes;
      } catch (reason) {
        if ((reason as NodeJS.ErrnoException).syscall === undefined) throw reason;
        throw secrets!.fault(reason, join(folder, name));
      }
    },
  };
}

/** Masks everything that an earlier process treated as a secret, before the run continues. */
export function learnSealed(folder: string, secrets: Opening): void {
  for (const name of namesIn(folder, SEALED)) {
    const opened = open(folder, name, secrets);
    if (opened?.kind === "secret") secrets.masker.learn(secretParts(opened.bytes.toString("utf8")));
  }
}

/** F2. `ended`: the run will not continue. */
export function removeSecretFiles(folder: string, ended: boolean): void {
  for (const suffix of ended ? [PLAIN, PART, STATE_FILE, SEALED] : [PLAIN, PART])
    for (const name of namesIn(folder, suffix)) remove(join(folder, name));
}

/** Not rmSync: its error lacks the system's error code. */
function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (reason) {
    if ((reason as NodeJS.ErrnoException).code !== "ENOENT") throw reason;
  }
}

/** Files with secret values of commands, as absolute paths. */
export function plainFiles(folder: string): string[] {
  return namesIn(folder, PLAIN).map((name) => join(folder, name));
}

function open(folder: string, name: string, secrets: Opening): ReturnType<Sealer["open"]> {
  try {
    const opened = secrets.sealer().open(name, readFileSync(join(folder, name)));
    if (opened !== undefined) return opened;
  } catch (reason) {
    if (!secrets.lenient) throw reason;
  }
  if (secrets.lenient) return undefined;
  throw new SealBroken(`${name} does not open`);
}

/** A sealed value that cannot be opened: it was changed, or belongs to another run or data directory. */
class SealBroken extends Error {
  override name = "SealBroken";
}

function namesIn(folder: string, suffix: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(suffix)) : [];
}
