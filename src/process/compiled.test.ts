// What is kept of compiled code: of one file, whole or not at all, and never in the way.

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startLimits } from "../base/limits-start.ts";

const rounds = startLimits.compiledRounds;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "curlew-compiled-"));
  const here = import.meta.dirname;
  mkdirSync(join(folder, "process"));
  mkdirSync(join(folder, "base"));
  cpSync(join(here, "compiled.ts"), join(folder, "process/compiled.ts"));
  cpSync(join(here, "compiled-place.ts"), join(folder, "process/compiled-place.ts"));
  cpSync(join(here, "../base/limits-start.ts"), join(folder, "base/limits-start.ts"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "part.cjs"), 'exports.said = "part";\n');
  program("one");
});
afterEach(() => {
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true });
});

/** Some functions, one of them called; it requires and says where it is, as any file of the bundle. */
function program(word: string): void {
  const idle = Array.from({ length: 50 }, (_, at) => `function f${at}(a) { return a.map((b) => b * ${at}).join(); }`);
  writeFileSync(
    join(folder, "program.cjs"),
    `"use strict";\n${idle.join("\n")}
exports.go = async () => {
  const { said } = require("./part.cjs");
  const { basename } = require("node:path");
  console.log("${word}", said, basename(__filename), basename(__dirname) === basename(${JSON.stringify(folder)}), f7([1, 2]));
};\n`,
  );
}

function call(digest = "0123456789abcdef", end = "", ...flags: string[]) {
  const entry = `import { createRequire } from "node:module";
import { loadCompiled } from "./process/compiled.ts";
loadCompiled(${JSON.stringify(folder)}, { file: "program.cjs", digest: "${digest}", kind: "kind" });
await createRequire(import.meta.url)("./program.cjs").go();
${end}`;
  writeFileSync(join(folder, "entry.ts"), entry);
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, join(folder, "entry.ts")], {
    encoding: "utf8",
    env: { ...process.env, XDG_CACHE_HOME: join(folder, "home/cache") },
  });
  return { status, said: stdout.trim(), stderr };
}

const well = (word: string) => ({ status: 0, said: `${word} part program.cjs true 7,14`, stderr: "" });
const place = () => join(folder, ".cache/kind");
const kept = () => readdirSync(place()).map((name) => readFileSync(join(place(), name)));
const roundOf = (all: Buffer) => Number(all.toString("latin1", all.length - 1));

test("the file runs as if it had been required, without and with what was kept", () => {
  for (let round = 1; round <= rounds + 2; round += 1) {
    expect(call()).toEqual(well("one"));
    expect(kept().map(roundOf)).toEqual([Math.min(round, rounds)]);
  }
});

test("another digest, other flags or torn bytes: what was kept is not believed, and made anew", () => {
  for (let round = 0; round < rounds; round += 1) call();
  program("two");
  expect(call("fedcba9876543210")).toEqual(well("two"));
  expect(kept().map(roundOf)).toEqual([1]);
  call("fedcba9876543210");
  expect(kept().map(roundOf)).toEqual([2]);
  expect(call("fedcba9876543210", "", "--no-opt")).toEqual(well("two"));
  expect(kept().map(roundOf)).toEqual([1]);
  const [name = ""] = readdirSync(place());
  for (const torn of [Buffer.alloc(0), Buffer.alloc(9), kept()[0]!.subarray(0, 500)]) {
    writeFileSync(join(place(), name), torn);
    expect(call("fedcba9876543210")).toEqual(well("two"));
    expect(kept().map(roundOf)).toEqual([1]);
  }
});

test("no file of the bundle that is begun so has an import() left", () => {
  const dist = join(import.meta.dirname, "../../dist");
  for (const name of ["app", "http", "keeping"])
    expect(readFileSync(join(dist, `${name}.cjs`), "utf8").match(/.{0,60}\bimport\(.{0,60}/g)).toBeNull();
});

test("the text of the program is ASCII: one other letter, and it takes twice the memory", () => {
  const dist = join(import.meta.dirname, "../../dist");
  for (const name of ["app", "http", "keeping", "serve", "import", "auth", "trust"])
    expect(readFileSync(join(dist, `${name}.cjs`), "utf8").match(/.{0,60}[^\0-\x7f].{0,60}/g)).toBeNull();
});

test("a command that fails adds nothing", () => {
  expect(call(undefined, "process.exit(3);")).toEqual({ ...well("one"), status: 3 });
  expect(readdirSync(folder)).not.toContain(".cache");
});

test("nothing fails where nothing can be written, and nothing half is left", () => {
  writeFileSync(join(folder, ".cache"), "a file");
  expect(call()).toEqual(well("one"));
  rmSync(join(folder, ".cache"));
  mkdirSync(join(place(), `program.cjs-${process.version}-${process.arch}`), { recursive: true });
  expect(call()).toEqual(well("one"));
  expect(readdirSync(place())).toHaveLength(1);
});

/** Nothing can be kept beside the program; for root, whom no rights stop, its folder leads into itself. */
function readOnly(): void {
  mkdirSync(join(folder, "home/cache"), { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, "entry.ts"), "");
  if (process.geteuid?.() === 0) symlinkSync(".cache", join(folder, ".cache"));
  else chmodSync(folder, 0o500);
}

const own = () => join(folder, "home/cache/curlew/compiled", encodeURIComponent(folder), "kind");
const ownFile = () => join(own(), readdirSync(own())[0] ?? "");

if (process.platform !== "win32") {
  test("where the program's folder cannot be written it is kept in the user's folder for caches, for the user alone", () => {
    readOnly();
    for (let round = 1; round <= rounds + 1; round += 1) {
      expect(call()).toEqual(well("one"));
      expect(readdirSync(own())).toHaveLength(1);
      expect(roundOf(readFileSync(ownFile()))).toBe(Math.min(round, rounds));
    }
    expect(statSync(ownFile()).mode & 0o777).toBe(0o600);
    for (let at = own(); at !== join(folder, "home/cache"); at = join(at, ".."))
      expect(statSync(at).mode & 0o777).toBe(0o700);
  });

  test("code that another user could have put there is neither run nor added to", () => {
    readOnly();
    for (let round = 0; round < rounds; round += 1) call();
    const cache = join(folder, "home/cache");
    // Code of another program, of the same length, under this one's digest: whoever may write there can say what runs.
    planted("two");
    expect(call()).toEqual(well("two"));
    for (const [at, rights] of [
      [cache, 0o777],
      [join(cache, "curlew"), 0o770],
      [join(cache, "curlew/compiled"), 0o702],
      [own(), 0o720],
    ] as const) {
      chmodSync(at, rights);
      expect(call(), at).toEqual(well("one"));
      expect(roundOf(readFileSync(ownFile())), at).toBe(rounds);
      chmodSync(at, 0o700);
    }
    expect(call()).toEqual(well("two"));
  });

  test("nothing is made in a folder that others may write", () => {
    readOnly();
    rmSync(join(folder, "home/cache"), { recursive: true });
    chmodSync(join(folder, "home"), 0o777);
    expect(call()).toEqual(well("one"));
    expect(readdirSync(join(folder, "home"))).toEqual([]);
  });
}

/** What V8 makes of the program with this word, in the place of what is kept. */
function planted(word: string): void {
  const mine = readFileSync(ownFile());
  rmSync(ownFile());
  program(word);
  for (let round = 0; round < rounds; round += 1) call();
  program("one");
  expect(readFileSync(ownFile()).equals(mine)).toBe(false);
}
