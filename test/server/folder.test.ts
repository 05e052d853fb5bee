// The served folder (spec 4.3 S12): nothing outside is read or written, no edit is lost, and a killed write leaves the
// old or the new text.

import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { etagOf, ServedFolder } from "../../src/app/documents/folder.ts";
import { limits } from "../../src/base/limits.ts";
import { tempFolder } from "../setup/folders.ts";

const SECRET = "outside: this text never leaves";

/** `served` is served; `outside` is beside it and contains `secret.flow.yaml`. */
function ground() {
  const root = realpathSync(tempFolder());
  const served = join(root, "served");
  const outside = join(root, "outside");
  for (const folder of [served, outside, join(served, "sub")]) mkdirSync(folder);
  writeFileSync(join(outside, "secret.flow.yaml"), SECRET);
  writeFileSync(join(served, "a.flow.yaml"), "a");
  writeFileSync(join(served, "sub/b.flow.yaml"), "b");
  return { served, outside, folder: new ServedFolder(served) };
}

const kindOf = (result: { ok: boolean; error?: { kind: string } }) => (result.ok ? "ok" : result.error!.kind);

describe("a path", () => {
  const NO_PATHS = [
    "../outside/secret.flow.yaml",
    "sub/../../outside/secret.flow.yaml",
    "sub/./b.flow.yaml",
    "./a.flow.yaml",
    "..",
    "",
    "/",
    "//a.flow.yaml",
    "/a.flow.yaml",
    "sub//b.flow.yaml",
    "a.flow.yaml/",
    "a.flow.yaml\0",
    "a.flow.yaml\0.flow.yaml",
    "..\\outside\\secret.flow.yaml",
    "sub\\b.flow.yaml",
    ".hidden.flow.yaml",
    ".git/a.flow.yaml",
    "node_modules/a.flow.yaml",
    ".flow.yaml",
    "sub/.flow.yaml",
    "a.yaml",
    "a.flow.yaml.txt",
    "a.flow.YAML",
    "a.flow.ts",
    "a\n.flow.yaml",
    "a\u202e.flow.yaml",
    "a\u2028.flow.yaml",
    "a\ufffd.flow.yaml",
    "\ud800.flow.yaml",
    `${"x".repeat(250)}.flow.yaml`,
    `${"sub/".repeat(9)}a.flow.yaml`,
    `${"x".repeat(1_100)}/a.flow.yaml`,
  ];
  test.each(NO_PATHS)("%j is not a path", (path) => {
    const { folder } = ground();
    const before = tree(folder.root);
    expect(kindOf(folder.read(path))).toBe("bad-path");
    expect(kindOf(folder.write(path, SECRET, "none"))).toBe("bad-path");
    expect(kindOf(folder.write(path, SECRET, "any"))).toBe("bad-path");
    expect(kindOf(folder.remove(path, "any"))).toBe("bad-path");
    expect(tree(folder.root)).toEqual(before);
  });

  // Decoded once: a name that is still encoded is a name like any other.
  test.each([
    "%2e%2e%2fsecret.flow.yaml",
    "a..%2fsecret.flow.yaml",
    "%00.flow.yaml",
    "a%5cb.flow.yaml",
    "‥.flow.yaml",
    "．．.flow.yaml",
    "~.flow.yaml",
    "$HOME.flow.yaml",
    "CON:.flow.yaml",
    "é.flow.yaml",
    "e\u0301.flow.yaml",
    "家族👨‍👩‍👧.flow.json",
  ])("%j is a name, and stays below the folder", (path) => {
    const { folder, served } = ground();
    expect(kindOf(folder.read(path))).toBe("missing");
    expect(kindOf(folder.write(path, "text", "none"))).toBe("ok");
    expect(readdirSync(served)).toContain(path);
    expect(folder.list().files.map((file) => file.path)).toContain(path);
    expect(kindOf(folder.remove(path, "any"))).toBe("ok");
    expect(readdirSync(served).sort()).toEqual(["a.flow.yaml", "sub"]);
  });
});

/** Every path below the folder's parent. */
function tree(root: string): string[] {
  return readdirSync(join(root, ".."), { recursive: true }).map(String).sort();
}

describe("a link", () => {
  test("to a file is neither read, listed, written through, replaced nor removed", () => {
    const { folder, served, outside } = ground();
    symlinkSync(join(outside, "secret.flow.yaml"), join(served, "link.flow.yaml"));
    symlinkSync("a.flow.yaml", join(served, "near.flow.yaml"));
    symlinkSync(join(outside, "not-there.flow.yaml"), join(served, "dangling.flow.yaml"));
    for (const path of ["link.flow.yaml", "near.flow.yaml", "dangling.flow.yaml"]) {
      expect(kindOf(folder.read(path))).toBe("not-a-file");
      for (const condition of ["any", "none", { tags: [etagOf(SECRET)] }] as const)
        expect(kindOf(folder.write(path, "changed", condition))).toBe("not-a-file");
      expect(kindOf(folder.remove(path, "any"))).toBe("not-a-file");
    }
    expect(folder.list().files.map(({ path }) => path)).toEqual(["a.flow.yaml", "sub/b.flow.yaml"]);
    expect(readFileSync(join(outside, "secret.flow.yaml"), "utf8")).toBe(SECRET);
    expect(readdirSync(outside)).toEqual(["secret.flow.yaml"]);
  });

  test("to a folder leads nowhere", () => {
    const { folder, served, outside } = ground();
    symlinkSync(outside, join(served, "out"));
    expect(kindOf(folder.read("out/secret.flow.yaml"))).toBe("not-a-file");
    expect(kindOf(folder.write("out/new.flow.yaml", "x", "none"))).toBe("not-a-file");
    expect(kindOf(folder.write("out/deep/new.flow.yaml", "x", "none"))).toBe("not-a-file");
    expect(kindOf(folder.remove("out/secret.flow.yaml", "any"))).toBe("not-a-file");
    expect(folder.list().files.map(({ path }) => path)).toEqual(["a.flow.yaml", "sub/b.flow.yaml"]);
    expect(readdirSync(outside)).toEqual(["secret.flow.yaml"]);
  });

  test("of the hard kind is replaced, not written through", () => {
    const { folder, served, outside } = ground();
    linkSync(join(outside, "secret.flow.yaml"), join(served, "hard.flow.yaml"));
    expect(kindOf(folder.write("hard.flow.yaml", "new", "any"))).toBe("ok");
    expect(readFileSync(join(outside, "secret.flow.yaml"), "utf8")).toBe(SECRET);
  });

  // Another process swaps the folder for a link out of the served one, back and forth, as fast as it can.
  test("that appears during the work is not followed", async () => {
    const { folder, served, outside } = ground();
    writeFileSync(join(outside, "b.flow.yaml"), SECRET);
    const swapper = spawn(process.execPath, ["-e", SWAPS, served, outside], { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void swapper.kill("SIGKILL"));
    await saysReady(swapper);
    const seen = new Set<string>();
    const until = performance.now() + 1_500;
    while (performance.now() < until) {
      const read = folder.read("sub/b.flow.yaml");
      seen.add(read.ok ? read.value.text.slice(0, 1) : read.error.kind);
      const written = folder.write("sub/b.flow.yaml", `b${performance.now()}`, "any");
      seen.add(kindOf(written));
      for (const { path } of folder.list().files) expect(path).not.toContain("secret");
    }
    expect([...seen]).toContain("ok");
    expect([...seen], "both states were met").toContain("not-a-file");
    expect(seen).not.toContain("o");
    expect(readFileSync(join(outside, "b.flow.yaml"), "utf8")).toBe(SECRET);
    expect(readdirSync(outside).sort()).toEqual(["b.flow.yaml", "secret.flow.yaml"]);
  });
});

const SWAPS = `
const { existsSync, renameSync, rmSync, symlinkSync } = require("node:fs");
const [served, outside] = process.argv.slice(1);
const [sub, real] = [served + "/sub", served + "/.real"];
process.stdout.write("ready");
for (;;) try {
  renameSync(sub, real);
  symlinkSync(outside, sub);
  rmSync(sub);
  renameSync(real, sub);
} catch {
  // The writer made a folder in the gap.
  if (existsSync(real)) rmSync(sub, { recursive: true, force: true });
  if (existsSync(real)) renameSync(real, sub);
}`;

function saysReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout!.once("data", () => resolve());
    child.once("exit", () => reject(new Error("it ended before it was ready")));
  });
}

test("a pipe, or a folder of that name, does not block the reader", () => {
  const { folder, served } = ground();
  mkdirSync(join(served, "dir.flow.yaml"));
  expect(kindOf(folder.read("dir.flow.yaml"))).toBe("not-a-file");
  expect(kindOf(folder.write("dir.flow.yaml", "x", "any"))).toBe("not-a-file");
  expect(kindOf(folder.remove("dir.flow.yaml", "any"))).toBe("not-a-file");
  const made = spawn("mkfifo", [join(served, "pipe.flow.yaml")]);
  return new Promise<void>((resolve) => {
    made.once("exit", () => {
      expect(existsSync(join(served, "pipe.flow.yaml"))).toBe(true);
      expect(kindOf(folder.read("pipe.flow.yaml"))).toBe("not-a-file");
      expect(folder.list().files.map(({ path }) => path)).not.toContain("pipe.flow.yaml");
      resolve();
    });
  });
});

describe("a write", () => {
  test("needs the text that it replaces, and otherwise returns the current one", () => {
    const { folder } = ground();
    const conflict = folder.write("a.flow.yaml", "new", { tags: [etagOf("other")] });
    expect(conflict).toMatchObject({
      ok: false,
      error: { kind: "changed", current: { text: "a", etag: etagOf("a") } },
    });
    expect(folder.write("a.flow.yaml", "new", "none")).toMatchObject({
      error: { kind: "changed", current: { text: "a" } },
    });
    expect(folder.write("gone.flow.yaml", "new", "any")).toEqual({ ok: false, error: { kind: "changed" } });
    expect(folder.read("a.flow.yaml")).toMatchObject({ value: { text: "a" } });
    expect(folder.write("a.flow.yaml", "new", { tags: ['"x"', etagOf("a")] })).toMatchObject({
      value: { text: "new", etag: etagOf("new"), made: false },
    });
    expect(folder.write("made/of/it.flow.json", "{}", "none")).toMatchObject({ ok: true, value: { made: true } });
    expect(folder.remove("a.flow.yaml", { tags: [etagOf("a")] })).toMatchObject({ error: { kind: "changed" } });
    expect(kindOf(folder.remove("a.flow.yaml", { tags: [etagOf("new")] }))).toBe("ok");
  });

  test("keeps the mode, even an unusual one, and leaves no other file", () => {
    const { folder, served } = ground();
    chmodSync(join(served, "a.flow.yaml"), 0o640);
    expect(kindOf(folder.write("a.flow.yaml", "new", "any"))).toBe("ok");
    expect((statSync(join(served, "a.flow.yaml")).mode & 0o777).toString(8)).toBe("640");
    expect(readdirSync(served).sort()).toEqual(["a.flow.yaml", "sub"]);
  });

  test("of a text that is too large, or of bytes that aren't text, is rejected", () => {
    const { folder } = ground();
    expect(kindOf(folder.write("a.flow.yaml", "x".repeat(limits.documentBytesMax + 1), "any"))).toBe("too-large");
    expect(kindOf(folder.write("a.flow.yaml", "\ud800", "any"))).toBe("not-text");
    expect(folder.read("a.flow.yaml")).toMatchObject({ value: { text: "a" } });
  });

  test("removes old files of killed writers, and not one that is being written now", () => {
    const { folder, served } = ground();
    const old = join(served, ".a.flow.yaml.0123456789ab.new");
    const young = join(served, ".a.flow.yaml.ba9876543210.new");
    for (const file of [old, young]) writeFileSync(file, "half");
    const longAgo = new Date(Date.now() - limits.writeLeftMs - 1_000);
    utimesSync(old, longAgo, longAgo);
    expect(kindOf(folder.write("a.flow.yaml", "new", "any"))).toBe("ok");
    expect([existsSync(old), existsSync(young)]).toEqual([false, true]);
  });
});

test("kill -9 during writes leaves the old text or the new one, and the next write cleans up", async () => {
  const { folder, served } = ground();
  const [old, young] = ["o".repeat(200_000), "n".repeat(200_000)];
  writeFileSync(join(served, "a.flow.yaml"), old);
  let left = 0;
  for (let kill = 0; kill < 12; kill++) {
    const writer = spawnWriter(WRITES, served, String(old.length));
    await saysReady(writer);
    await new Promise<void>((resolve) => setTimeout(resolve, kill * 3));
    writer.kill("SIGKILL");
    await endOf(writer);
    const read = folder.read("a.flow.yaml");
    expect(read.ok && [old, young].includes(read.value.text), `after kill ${kill}`).toBe(true);
    left += readdirSync(served).filter((name) => name.endsWith(".new")).length;
  }
  const longAgo = new Date(Date.now() - limits.writeLeftMs - 1_000);
  for (const name of readdirSync(served)) if (name.endsWith(".new")) utimesSync(join(served, name), longAgo, longAgo);
  expect(kindOf(folder.write("a.flow.yaml", "last", "any"))).toBe("ok");
  expect(readdirSync(served).sort(), `${left} left behind by kills`).toEqual(["a.flow.yaml", "sub"]);
});

const MODULE = join(import.meta.dirname, "../../src/app/documents/folder.ts");
const WRITES = `
import { ServedFolder } from ${JSON.stringify(MODULE)};
const [served, size] = process.argv.slice(1);
const folder = new ServedFolder(served);
process.stdout.write("ready");
for (let turn = 0; ; turn++) folder.write("a.flow.yaml", (turn % 2 ? "o" : "n").repeat(Number(size)), "any");`;

function spawnWriter(code: string, ...words: string[]): ChildProcess {
  const writer = spawn(process.execPath, ["--input-type=module", "-e", code, ...words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void writer.kill("SIGKILL"));
  return writer;
}

function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once("exit", () => resolve());
  });
}

test("the listing ends: it leaves out hidden folders, node_modules and deep folders, and says so", () => {
  const { folder, served } = ground();
  for (const path of [
    ".git/x.flow.yaml",
    "node_modules/x.flow.yaml",
    "sub/node_modules/p/x.flow.yaml",
    "sub/.x.flow.yaml",
    "readme.md",
  ])
    write(served, path);
  expect(folder.list()).toMatchObject({
    cut: false,
    files: [{ path: "a.flow.yaml", bytes: 1 }, { path: "sub/b.flow.yaml" }],
  });
  const deep = "d/".repeat(limits.servedDepthMax);
  write(served, `${deep}in.flow.yaml`);
  expect(folder.list().files.map(({ path }) => path)).toContain(`${deep}in.flow.yaml`);
  expect(kindOf(folder.read(`${deep}in.flow.yaml`))).toBe("ok");
  write(served, `${deep}d/out.flow.yaml`);
  expect(folder.list()).toMatchObject({ cut: true });
  expect(folder.list().files.map(({ path }) => path)).not.toContain(`${deep}d/out.flow.yaml`);
});

function write(served: string, path: string): void {
  mkdirSync(join(served, path, ".."), { recursive: true });
  writeFileSync(join(served, path), "x");
}

test("with too many files, folders or entries, the listing is cut and says so", () => {
  const { folder, served } = ground();
  for (let number = 0; number <= limits.servedFilesMax; number++)
    writeFileSync(join(served, `n${number}.flow.yaml`), "");
  expect(folder.list().files).toHaveLength(limits.servedFilesMax);
  expect(folder.list().cut).toBe(true);
  const many = ground();
  for (let number = 0; number < limits.servedFoldersMax; number++) mkdirSync(join(many.served, `d${number}`));
  const cut = many.folder.list();
  expect(cut.cut).toBe(true);
  expect(cut.files.map(({ path }) => path)).toContain("a.flow.yaml");
  const full = ground();
  for (let number = 0; number < limits.servedEntriesMax; number++)
    writeFileSync(join(full.served, `${number}.txt`), "");
  expect(full.folder.list().cut).toBe(true);
});
