// A file that an event names is safely on disk before the event (spec 3.4), as the order of a real run's kernel calls
// shows. And a run whose large value was cut by a power failure.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder, inARow, MAIN } from "../cli/curlew.ts";
import { has } from "../setup/machine.ts";

const LARGE = "head -c 300000 /dev/zero | tr '\\0' x";

if (has("strace")) {
  test("a value in a file, and its name, are synced before the event that names it is written", {
    timeout: 120_000,
  }, () => {
    const at = callsOf(inARow({ a: LARGE, b: "wc -c" }));
    const file = at(/^f(?:data)?sync\(\d+<[^>]*\/runs\/[^/>]+\/\d+\.out>/);
    const name = at(/^fsync\(\d+<[^>]*\/runs\/[^/>]+>/);
    const told = at(/^pwrite64\(\d+<[^>]*curlew\.db-wal>.*attempt\.succeeded/);
    expect([file, name, told].map((found) => found >= 0)).toEqual([true, true, true]);
    expect(file).toBeLessThan(told);
    expect(name).toBeLessThan(told);
  });

  test("the key of a data directory, and its name, are synced before anything is sealed with it", {
    timeout: 120_000,
  }, () => {
    const at = callsOf(
      `${inARow({ a: "echo a-secret-of-many-letters" })}  - { id: kept, type: variable, data: { title: Kept, variableName: kept, secret: true } }\nedges: [a -> kept]\n`,
    );
    const made = at(/^link\(.*\/\.home\/key"/);
    const synced = at(/^fsync\(\d+<[^>]*\/\.home>/, made);
    const sealed = at(/^write\(\d+<[^>]*\.sealed\.part>/);
    const name = at(/^fsync\(\d+<[^>]*\/runs\/[^/>]+>/, sealed);
    const told = at(/^pwrite64\(\d+<[^>]*curlew\.db-wal>.*attempt\.succeeded/);
    const inOrder = [made, synced, sealed, name, told];
    expect(inOrder.every((found) => found >= 0)).toBe(true);
    expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b));
  });
}

/** The position of such a call among all calls of a run of the document, from one position on; -1: none. */
function callsOf(document: string): (call: RegExp, from?: number) => number {
  const it = folder({ "f.flow.yaml": document });
  const trace = join(it.path, "trace");
  const calls = "trace=fsync,fdatasync,pwrite64,write,link";
  const strace = ["-o", trace, "-y", "-s", "20000", "-e", calls, process.execPath, MAIN, "run", "f.flow.yaml"];
  const env = { PATH: process.env.PATH, CURLEW_HOME: it.home, CURLEW_KEYRING: "off" };
  execFileSync("strace", strace, { cwd: it.path, env, stdio: "ignore" });
  const lines = readFileSync(trace, "utf8").split("\n");
  return (call, from = 0) => lines.findIndex((line, index) => index >= from && call.test(line));
}

test.each([
  ["of a command", "out", "a"],
  ["of a text", "val", "text"],
])("a value that changed on disk is not passed on: %s", { timeout: 300_000 }, async (_whose, kind, from) => {
  const text = "  - { id: text, type: text, data: { title: Text, content: '${1} and more' } }\n";
  const gate = `  - { id: gate, type: cli, data: { title: Gate, needsUserApproval: true, content: "wc -c", stdin: { source: parent-index } } }\n`;
  const drawn = kind === "val" ? `${text}${gate}edges: [a -> text, text -> gate]\n` : `${gate}edges: [a -> gate]\n`;
  const it = folder({ "f.flow.yaml": `${inARow({ a: `echo a >> ran; ${LARGE}` })}${drawn}` });
  expect(await it.run("run f.flow.yaml")).toMatchObject({ code: 3 });
  const [id = ""] = readdirSync(join(it.home, "runs"));
  const [name = ""] = readdirSync(join(it.home, "runs", id)).filter((each) => each.endsWith(`.${kind}`));
  const file = join(it.home, "runs", id, name);
  const bytes = readFileSync(file);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(file, bytes);

  const told = await it.run(`approve ${id} gate`);
  expect(told, told.stderr).toMatchObject({ code: 2, stderr: expect.stringContaining("error[output-changed]") });
  expect(told.stderr).toContain(`curlew runs retry ${id} --from ${from}`);
  expect(await it.run(`runs cancel ${id}`)).toMatchObject({ code: 0 });
  const retried = await it.run(`runs retry ${id} --yes`);
  expect(retried, retried.stderr).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("error[output-changed]"),
  });
  expect(await it.run(`runs retry ${id} --from ${from} --yes`)).toMatchObject({ code: 0 });
  expect(it.read("ran")).toBe(kind === "val" ? "a\n" : "a\na\n");
});

test("a value that a power failure has cut is reported and never passed on in part, and the run can start again from there", {
  timeout: 120_000,
}, async () => {
  const it = folder({
    "f.flow.yaml": inARow({ a: `echo a >> ran; ${LARGE}`, b: "wc -c" }).replace(
      'content: "wc',
      'needsUserApproval: true, stdin: { source: parent-index }, content: "wc',
    ),
  });
  expect(await it.run("run f.flow.yaml")).toMatchObject({ code: 3 });
  const { id, nodes } = JSON.parse((await it.run("runs show latest --json")).stdout);
  expect(nodes[0].status).toBe("succeeded");
  truncateSync(join(it.home, "runs", id, "2.out"), 100_000);
  const resumed = await it.run("runs resume latest");
  expect(resumed).toMatchObject({ code: 2, stderr: expect.stringContaining("error[output-truncated]") });
  expect(resumed.stderr).toContain(`curlew runs retry ${id} --from a`);
  expect(await it.run(`runs cancel ${id}`)).toMatchObject({ code: 0 });
  expect(await it.run(`runs retry ${id} --from a --yes`)).toMatchObject({ code: 0, stdout: "300000\n" });
});

test("a history that has lost its end is reported, and the lost steps are not repeated automatically", {
  timeout: 120_000,
}, async () => {
  const gated = inARow({ a: "echo a >> ran", b: "echo b >> ran; echo done" }).replace(
    'content: "echo b',
    'needsUserApproval: true, content: "echo b',
  );
  const it = folder({ "f.flow.yaml": gated });
  expect(await it.run("run f.flow.yaml")).toMatchObject({ code: 3 });
  const before = new Map(databaseOf(it.home).map((file) => [file, readFileSync(file)]));
  expect(await it.run("approve latest b")).toMatchObject({ code: 0, stdout: "done\n" });
  for (const file of databaseOf(it.home)) rmSync(file);
  for (const [file, bytes] of before) writeFileSync(file, bytes);

  const [{ id }] = JSON.parse((await it.run("runs --json")).stdout);
  const { checks } = JSON.parse((await it.run("doctor --store --json")).stdout);
  expect(checks).toMatchObject([{ status: "wrong", code: "journal-truncated", run: id }]);
  const again = await it.run("approve latest b");
  expect(again).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("error[journal-truncated]") });
  expect(it.read("ran")).toBe("a\nb\n");
  expect(await it.run("runs cancel latest")).toMatchObject({ code: 0 });
  expect(await it.run("runs retry latest --from b --yes")).toMatchObject({ code: 0 });
  expect(it.read("ran")).toBe("a\nb\nb\n");
});

test("a database that was emptied is not taken for a new one", { timeout: 60_000 }, async () => {
  const it = folder({ "f.flow.yaml": inARow({ a: "echo a >> ran" }) });
  expect(await it.run("run f.flow.yaml")).toMatchObject({ code: 0 });
  truncateSync(join(it.home, "curlew.db"));
  for (const command of ["runs", "run f.flow.yaml"])
    expect(await it.run(command)).toMatchObject({ code: 2, stderr: expect.stringContaining("error[store-damaged]") });
  expect(statSync(join(it.home, "curlew.db")).size).toBe(0);
  expect(await it.run("doctor --store")).toMatchObject({ code: 1, stdout: expect.stringContaining("[store-damaged]") });
});

function databaseOf(home: string): string[] {
  return readdirSync(home).flatMap((name) => (name.startsWith("curlew.db") ? [join(home, name)] : []));
}
