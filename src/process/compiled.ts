// compiled: a file of the bundle, begun with what V8 made of it the last times (spec 5.4; ADR 79). What Node.js keeps itself is taken
// before the file runs: it holds no function that was compiled because it was called, which is nearly all of them.
//   V1. What is kept belongs to the bytes of one file (the build writes their digest in), one Node.js and one kind of command. V8 itself refuses
//       what another V8 made, or other flags.
//   V2. It is written whole or not at all, and is on disk before it has its name: V8 looks at lengths, and would believe what is torn.
//   V3. The first limits.compiledRounds commands of a kind that end well add what they compiled; then it is left alone.
//   V4. Nothing fails for want of it: where it cannot be read, is refused or cannot be written, everything is compiled as ever.
//   V5. Such a file has no `import()`: Node.js would say on stderr that it is an experiment. The build makes `require` of it.

import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Script } from "node:vm";
import { startLimits } from "../base/limits-start.ts";
import { placesOf } from "./compiled-place.ts";

export interface CompiledFile {
  /** Beside the entry. */
  file: string;
  /** Sixteen characters. In the sources it reads `digest of FILE`; the build replaces it. */
  digest: string;
  /** Commands of one kind compile much the same. */
  kind: string;
}

/** To be called before the file is required; whoever requires it then gets it from here. */
export function loadCompiled(folder: string, { file, digest, kind }: CompiledFile): void {
  const path = join(folder, file);
  const places = placesOf(folder, kind, `${file}-${process.version}-${process.arch}`);
  let kept: Kept | undefined;
  for (const place of places) kept ??= keptIn(place, digest);
  const script = new Script(`${HEAD}${readFileSync(path, "utf8")}\n})`, {
    filename: path,
    columnOffset: -HEAD.length,
    ...(kept === undefined ? {} : { cachedData: kept.data }),
  });
  const round = kept === undefined || script.cachedDataRejected === true ? 0 : kept.round;
  if (round < startLimits.compiledRounds)
    process.once("exit", (code) => {
      if (code === 0 && performance.now() < startLimits.compiledWithinMs)
        keep(places[0]!, script, `${digest}${round + 1}`);
    });
  run(script, path);
}

interface Kept {
  data: Buffer;
  round: number;
}

const HEAD = "(function (exports, require, module, __filename, __dirname) {";
const DIGEST_LENGTH = 16;

/** V1. The digest and the round, a single digit, stand behind what V8 wrote: it wants its own at the very beginning. */
function keptIn(place: string, digest: string): Kept | undefined {
  try {
    const all = readFileSync(place);
    const end = all.length - DIGEST_LENGTH - 1;
    if (end <= 0 || all.toString("latin1", end, all.length - 1) !== digest) return undefined;
    return { data: all.subarray(0, end), round: Number(all.toString("latin1", all.length - 1)) };
  } catch {
    return undefined;
  }
}

/** As `require` would have done it. */
function run(script: Script, path: string): void {
  const { _cache } = Module as unknown as { _cache: Record<string, Module> };
  const module = new Module(path);
  module.filename = path;
  _cache[path] = module;
  script.runInThisContext()(module.exports, createRequire(path), module, path, dirname(path));
  module.loaded = true;
}

/** V2. */
function keep(place: string, script: Script, name: string): void {
  const fresh = `${place}.${process.pid}`;
  try {
    mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
    const file = openSync(fresh, "wx", 0o600);
    try {
      writeFileSync(file, Buffer.concat([script.createCachedData(), Buffer.from(name, "latin1")]));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(fresh, place);
  } catch {
    removed(fresh);
  }
}

/** V4. */
function removed(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // A folder that cannot be written.
  }
}
