// files: a run's folder as the nodes see it. Names are given out here or by the driver, never taken from a document.
//   F1. What is sealed is on disk for good before the event that names it is written.
//   F2. Files with secrets in them are there for the run alone: sealed values go when it ends, those of a command with the command.
//   F3. The same bytes are sealed once: a loop that hands on the same header a thousand times writes one file.
//   F4. A sealed file is whole or not there: what was begun when the disk was full or the program was killed has another name.
//   F5. What is sealed as a text keeps what was masked in it: a declared secret may have been renewed, or be gone, when the run goes on.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { limits } from "../../base/limits.ts";
import type { Masker, Sealer } from "../../nodes/index.ts";
import { secretParts } from "../../nodes/index.ts";
import type { RunFiles } from "../../nodes/values.ts";
import { PART, writeWhole } from "../../nodes/whole-file.ts";

const SEALED = ".sealed";
/** Values with secrets in them that a command reads from a file. */
const PLAIN = ".key";

/** What a run that goes on needs for its secrets. A run that is only shown has none. */
export interface FileSecrets {
  masker: Masker;
  /** Asked for when something is sealed or opened for the first time. Throws when there is no key. */
  sealer(): Sealer;
  /** What is thrown when a file cannot be written, or read. */
  fault(reason: unknown, path: string): Error;
  /** What does not open is left masked: the run is only ended. */
  lenient: boolean;
}

type Opening = Pick<FileSecrets, "masker" | "sealer" | "lenient">;

/** `nextSeq`: the number of the event that is recorded next, which a fresh file is named after. */
export function runFiles(folder: string, nextSeq: () => number, secrets?: FileSecrets): RunFiles {
  const known = new Set<string>();
  const sealed = new Map<string, string>();
  /** Of the masker's secrets, how many are on disk (F5). */
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
      writeWhole(path, closed);
    } catch (reason) {
      throw secrets.fault(reason, path);
    }
    if (sealed.size >= limits.sealedValuesRemembered) sealed.clear();
    sealed.set(digest, name);
    return name;
  };
  /** F5. A list, which `learnSealed` takes apart. */
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

/** What was called a secret before the program ended is one again before anything goes on. */
export function learnSealed(folder: string, secrets: Opening): void {
  for (const name of namesIn(folder, SEALED)) {
    const opened = open(folder, name, secrets);
    if (opened?.kind === "secret") secrets.masker.learn(secretParts(opened.bytes.toString("utf8")));
  }
}

/** F2. `ended`: nothing of the run will go on. */
export function removeSecretFiles(folder: string, ended: boolean): void {
  for (const suffix of ended ? [PLAIN, PART, SEALED] : [PLAIN, PART])
    for (const name of namesIn(folder, suffix)) remove(join(folder, name));
}

/** Not by rmSync, whose error does not name what the system said. */
function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (reason) {
    if ((reason as NodeJS.ErrnoException).code !== "ENOENT") throw reason;
  }
}

/** Files with values of commands in them. Absolute paths. */
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

/** A sealed value that does not open: it was changed, or comes from another run or home. */
export class SealBroken extends Error {
  override name = "SealBroken";
}

function namesIn(folder: string, suffix: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(suffix)) : [];
}
