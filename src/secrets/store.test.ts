import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/setup/folders.ts";
import type { Failure } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import type { Result } from "../base/result.ts";
import { readSecrets, removeSecret, setSecret } from "./store.ts";
import type { KeyDeps } from "./store-key.ts";

const AT = "2026-01-02T03:04:05.678Z";
const VALUE = "s3cr3t-äöü\n'\"$(x)` \\ end";

function groundIn(path: string): KeyDeps & { warnings: string[] } {
  const warnings: string[] = [];
  return { home: path, keyringOff: true, warnings, warn: ({ code }) => void warnings.push(code) };
}

const must = <T>(result: Result<T, Failure>): T => {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
};
const codeOf = (result: Result<unknown, Failure>): string => (result.ok ? "ok" : result.error.code);
const save = (name: string, value: string, ground: KeyDeps) => setSecret({ name, value, setAt: AT }, ground);
const valuesIn = async (ground: KeyDeps): Promise<Record<string, string>> =>
  Object.fromEntries(must(await readSecrets(ground)).secrets.map(({ name, value }) => [name, value]));
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

test("a stored secret is read back byte by byte, the last value of a name wins, and a removed one is gone", async () => {
  const ground = groundIn(tempFolder());
  expect(await valuesIn(ground)).toEqual({});
  expect(existsSync(join(ground.home, "secrets.key"))).toBe(false);
  must(await save("A", VALUE, ground));
  must(await save("__proto__", "polluted", ground));
  must(await save("A", `${VALUE}2`, ground));
  expect(must(await readSecrets(ground)).secrets).toEqual([
    { name: "__proto__", value: "polluted", setAt: AT },
    { name: "A", value: `${VALUE}2`, setAt: AT },
  ]);
  expect(must(await removeSecret("__proto__", ground))).toBe(true);
  expect(must(await removeSecret("__proto__", ground))).toBe(false);
  expect(await valuesIn(ground)).toEqual({ A: `${VALUE}2` });
  expect(ground.warnings).toEqual([]);
});

test("the disk has no name and no value, only private files, and no half-written one", async () => {
  const ground = groundIn(join(tempFolder(), "not", "there", "yet"));
  must(await save("API_TOKEN", VALUE, ground));
  expect(readdirSync(ground.home).sort()).toEqual(["secrets.age", "secrets.key", "secrets.lock"]);
  for (const name of readdirSync(ground.home)) expect([name, modeOf(join(ground.home, name))]).toEqual([name, "600"]);
  expect(modeOf(ground.home)).toBe("700");
  const bytes = readFileSync(join(ground.home, "secrets.age"), "latin1");
  for (const word of ["API_TOKEN", "s3cr3t", Buffer.from(VALUE).toString("base64").slice(4, 20)])
    expect(bytes).not.toContain(word);
  expect(bytes).toContain("age-encryption.org/v1");
});

test("files that others can read are closed with a report, and a data directory that others may write to is rejected", async () => {
  const ground = groundIn(tempFolder());
  must(await save("A", VALUE, ground));
  for (const name of ["secrets.age", "secrets.key"]) chmodSync(join(ground.home, name), 0o644);
  expect(await valuesIn(ground)).toEqual({ A: VALUE });
  expect(ground.warnings).toEqual(["secret-file-open", "secret-file-open"]);
  for (const name of ["secrets.age", "secrets.key"]) expect(modeOf(join(ground.home, name))).toBe("600");
  chmodSync(ground.home, 0o770);
  expect(codeOf(await readSecrets(ground))).toBe("secret-store-not-private");
  expect(codeOf(await save("B", VALUE, ground))).toBe("secret-store-not-private");
});

test.each([
  ["cut off", (bytes: Buffer) => bytes.subarray(0, -3), "secret-store-damaged"],
  ["empty", () => Buffer.alloc(0), "secret-store-damaged"],
  [
    "changed at its end",
    (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -1), Buffer.from([bytes.at(-1)! ^ 1])]),
    "secret-store-damaged",
  ],
  ["something else", () => Buffer.from("hello"), "secret-store-damaged"],
  ["a folder", undefined, "secret-store-unreadable"],
])("a store that is %s is reported, and never overwritten", async (_how, damage, code) => {
  const ground = groundIn(tempFolder());
  must(await save("A", VALUE, ground));
  const file = join(ground.home, "secrets.age");
  const before = damage?.(readFileSync(file));
  rmSync(file);
  if (before === undefined) execFileSync("mkdir", [file]);
  else writeFileSync(file, before, { mode: 0o600 });
  expect(
    [await readSecrets(ground), await save("B", VALUE, ground), await removeSecret("A", ground)].map(codeOf),
  ).toEqual([code, code, code]);
  if (before !== undefined) expect(readFileSync(file).equals(before)).toBe(true);
});

test("a wrong key, a missing one and a damaged one have different errors, and change nothing", async () => {
  const [ground, other] = [groundIn(tempFolder()), groundIn(tempFolder())];
  must(await save("A", VALUE, ground));
  must(await save("A", VALUE, other));
  const key = join(ground.home, "secrets.key");
  const before = readFileSync(join(ground.home, "secrets.age"));
  writeFileSync(key, readFileSync(join(other.home, "secrets.key")));
  expect([codeOf(await readSecrets(ground)), codeOf(await save("B", VALUE, ground))]).toEqual([
    "secret-store-wrong-key",
    "secret-store-wrong-key",
  ]);
  writeFileSync(key, "AGE-SECRET-KEY-1 what?");
  expect(codeOf(await save("B", VALUE, ground))).toBe("secret-store-damaged");
  rmSync(key);
  expect([codeOf(await readSecrets(ground)), codeOf(await save("B", VALUE, ground))]).toEqual([
    "secret-store-key-missing",
    "secret-store-key-missing",
  ]);
  expect(readFileSync(join(ground.home, "secrets.age")).equals(before)).toBe(true);
  expect(existsSync(key)).toBe(false);
});

test("more secrets than the store can hold are rejected; the existing ones stay", async () => {
  const ground = groundIn(tempFolder());
  must(await save("A", VALUE, ground));
  expect(codeOf(await save("B", "x".repeat(limits.secretStoreBytesMax), ground))).toBe("secret-store-full");
  expect(await valuesIn(ground)).toEqual({ A: VALUE });
});

/** A process that saves N secrets, or the same one repeatedly, and prints each name after saving it. */
function saver(path: string, body: string): ChildProcess {
  const program = `
    const { setSecret } = await import(${JSON.stringify(join(import.meta.dirname, "store.ts"))});
    const ground = { home: ${JSON.stringify(path)}, keyringOff: true, warn() {} };
    const save = async (name, value) => {
      const saved = await setSecret({ name, value, setAt: ${JSON.stringify(AT)} }, ground);
      if (!saved.ok) throw new Error(saved.error.message);
      process.stdout.write(name + "=" + value.slice(0, 12) + "\\n");
    };
    ${body}`;
  return spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["ignore", "pipe", "inherit"] });
}

test("processes that save simultaneously lose nothing, even while the store and its key are created", async () => {
  const ground = groundIn(tempFolder());
  const children = [0, 1, 2, 3].map((n) =>
    saver(ground.home, `for (let i = 0; i < 6; i++) await save("N${n}_" + i, "value-${n}-" + i);`),
  );
  const codes = await Promise.all(children.map(async (child) => (await once(child, "close"))[0]));
  expect(codes).toEqual([0, 0, 0, 0]);
  const values = await valuesIn(ground);
  expect(Object.keys(values)).toHaveLength(24);
  for (const [name, value] of Object.entries(values)) expect(value).toBe(`value-${name.slice(1).replace("_", "-")}`);
});

test("kill -9 while saving leaves the old or the new secrets, never neither", async () => {
  const ground = groundIn(tempFolder());
  must(await save("STAYS", VALUE, ground));
  const filler = 1_000_000;
  let last = 0;
  for (let round = 0; round < 6; round++) {
    const child = saver(
      ground.home,
      `for (let i = ${last + 1}; ; i++) await save("COUNT", String(i).padStart(12, "0") + "x".repeat(${filler}));`,
    );
    let acknowledged = last;
    let touched = 0;
    // The n-th change notification interrupts the write at a later point than the one before.
    const watcher = watch(ground.home, (_event, name) => {
      if (name?.startsWith("secrets.age") && ++touched > round % 4) child.kill("SIGKILL");
    });
    child.stdout!.setEncoding("utf8").on("data", (text: string) => {
      for (const line of text.trim().split("\n")) acknowledged = Number(line.split("=")[1]);
    });
    expect((await once(child, "close"))[1]).toBe("SIGKILL");
    watcher.close();
    const values = await valuesIn(ground);
    expect(values.STAYS).toBe(VALUE);
    last = Number(values.COUNT?.slice(0, 12) ?? 0);
    expect(values.COUNT === undefined ? filler + 12 : values.COUNT.length).toBe(filler + 12);
    expect([acknowledged, acknowledged + 1]).toContain(last);
  }
  must(await save("AFTER", VALUE, ground));
  expect(readdirSync(ground.home).sort()).toEqual(["secrets.age", "secrets.key", "secrets.lock"]);
});
