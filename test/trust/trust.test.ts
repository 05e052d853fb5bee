// `curlew trust` shows each command of an imported workflow before it may run, and trusts exactly what it showed. Also
// what validate and a dry run say about it.

import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Folder, folder, inARow } from "../cli/curlew.ts";
import { onTerminal } from "../cli/on-terminal.ts";
import { look } from "../hostile/attack.ts";

const MARK = "imported: { from: https://example.com/t.flow.yaml }\n";
const TWO = inARow({ first: "echo one >> ran", second: "echo two >> ran" }, MARK);
const ran = (it: Folder) => (existsSync(join(it.path, "ran")) ? it.read("ran") : "");

test("without a terminal it shows the unseen commands, trusts nothing and exits with 3", async () => {
  const it = folder({ "t.flow.yaml": TWO });
  const shown = await it.run("trust t.flow.yaml");
  expect(shown).toMatchObject({ code: 3, stdout: "" });
  expect(shown.stderr).toContain("Imported from https://example.com/t.flow.yaml");
  for (const said of ["1 of 2  first", "│ echo one >> ran", "2 of 2  second", "0 commands trusted, 2 not seen"])
    expect(shown.stderr).toContain(said);
  expect((await it.run("run t.flow.yaml --yes")).code).toBe(3);
  expect(ran(it)).toBe("");
});

test("--all trusts what it shows: then nothing asks, and it is on record", async () => {
  const it = folder({ "t.flow.yaml": TWO });
  const all = await it.run("trust t.flow.yaml --all");
  expect(all.code).toBe(0);
  expect(all.stderr).toContain("│ echo two >> ran");
  expect((await it.run("trust t.flow.yaml")).stderr).toContain("each of its 2 commands was approved here");
  expect((await it.run("run t.flow.yaml")).code).toBe(0);
  expect(ran(it)).toBe("one\ntwo\n");
  const listed = JSON.parse((await it.run("trust list --json")).stdout);
  expect(listed).toMatchObject([{ node: expect.any(String), file: join(it.path, "t.flow.yaml") }, {}]);
  const audit = (await it.run("audit")).stdout;
  for (const node of ["first", "second"]) expect(audit).toMatch(new RegExp(`command\\.trusted +${node} `));
  expect((await it.run("audit verify")).code).toBe(0);
});

test("an approval in a run counts here too, and a withdrawn one asks again", async () => {
  const it = folder({ "t.flow.yaml": TWO });
  await it.run("run t.flow.yaml");
  expect((await it.run("approve latest first")).code).toBe(3);
  const listed = JSON.parse((await it.run("trust list --json")).stdout) as { node: string; hash: string }[];
  expect(listed.map(({ node }) => node)).toEqual(["first"]);
  expect((await it.run(["trust", "rm", listed[0]!.hash.slice(0, 12)])).code).toBe(0);
  expect((await it.run("trust rm deadbeef00")).stderr).toContain("not-trusted");
  expect((await it.run("trust t.flow.yaml")).stderr).toContain("2 not seen");
  await it.run("trust t.flow.yaml --all");
  expect((await it.run("trust rm t.flow.yaml")).stderr).toContain("2 commands");
  expect((await it.run("audit")).stdout).toContain("command.distrusted");
  const before = ran(it);
  expect((await it.run("run t.flow.yaml")).code).toBe(3);
  expect(ran(it)).toBe(before);
});

test("on a terminal it asks about each; no means no, and quitting leaves the rest", async () => {
  const it = folder({ "t.flow.yaml": inARow({ a: "true", b: "true", c: "true" }, MARK) });
  const shown = onTerminal(it, "trust t.flow.yaml");
  const question = "Trust this command? [y/N/q]";
  await shown.says(question, "stdout", 1);
  shown.process.stdin.write("n\n");
  await shown.says(question, "stdout", 2);
  shown.process.stdin.write("y\n");
  await shown.says(question, "stdout", 3);
  shown.process.stdin.write("q\n");
  expect((await shown.done).code).toBe(3);
  const listed = JSON.parse((await it.run("trust list --json")).stdout) as { node: string }[];
  expect(listed.map(({ node }) => node)).toEqual(["b"]);
});

test("commands of subflows are shown at their place, with the values that they get", async () => {
  const child = inARow({ inner: "echo inner >> ran" });
  const sub = "  - {id: sub, type: subflow, data: {title: Sub, workflow: child.flow.yaml}}\n";
  const it = folder({ "t.flow.yaml": `curlew: 1\nname: T\n${MARK}nodes:\n${sub}`, "child.flow.yaml": child });
  expect((await it.run("trust t.flow.yaml --all")).stderr).toContain("1 of 1  sub/inner");
  expect((await it.run("run t.flow.yaml")).code).toBe(0);
  expect(ran(it)).toBe("inner\n");
  expect((await it.run("trust child.flow.yaml")).stderr).toContain("it was not imported");
});

test("--json lists hosts, questions and whether it was seen, without control characters", async () => {
  const content = "curl -sS --fail-with-body --max-time 5 -X DELETE https://api.example.com/items/1";
  const it = folder({ "t.flow.yaml": inARow({ a: content, b: "printf '\\033]0;owned\\007'; echo \u202eevil" }, MARK) });
  const told = await it.run("trust t.flow.yaml --json");
  expect(told.code).toBe(3);
  expect(told.stdout).not.toMatch(/[\u202e\u001b]/);
  const { commands, imported } = JSON.parse(told.stdout);
  expect(imported).toEqual({ from: "https://example.com/t.flow.yaml" });
  expect(commands[0]).toMatchObject({
    path: "a",
    seen: false,
    hosts: ["api.example.com"],
    asks: [{ code: "deletes" }],
  });
});

describe("looking is harmless", () => {
  const hostile = `curlew: 1\nname: "\\e[31mred\\u202e"\nimported: { from: "https://x/\\e]0;owned\\a\\nTrust this command? y" }
nodes:
  - {id: a, type: cli, data: {title: "\\e[2Jgone", content: "touch ran\\n\\e[1A\\e[2Kecho harmless \\u2066", safetyLevel: advanced}}
`;
  test.each(["validate t.flow.yaml", "run t.flow.yaml --dry-run", "graph t.flow.yaml", "trust list"])(
    "%s",
    async (args) => {
      await look(folder({ "t.flow.yaml": hostile }), args);
    },
  );
  test("trust", async () => {
    const it = folder({ "t.flow.yaml": hostile });
    const shown = await it.run("trust t.flow.yaml");
    expect(shown.code).toBe(3);
    expect(shown.stderr).not.toMatch(/[\u001b\u202e\u2066]/);
    expect(shown.stderr).toContain("⟨U+001B⟩");
    expect(shown.stderr.split("\n").filter((line) => line.startsWith("Trust this command"))).toEqual([]);
    expect(ran(it)).toBe("");
  });
});

test("validate and a dry run report unseen commands, even of advanced nodes, until you have seen them", async () => {
  const it = folder({ "t.flow.yaml": TWO.replace('echo one >> ran"', 'echo one >> ran", safetyLevel: advanced') });
  expect((await it.run("validate t.flow.yaml")).stderr.match(/unseen-command/g)).toHaveLength(2);
  expect(existsSync(it.home), "looking makes no home").toBe(false);
  const dry = JSON.parse((await it.run("run t.flow.yaml --yes --dry-run --json")).stdout);
  expect(dry.steps).toMatchObject([
    { approval: "needed", asks: [{ code: "imported" }] },
    { approval: "needed", asks: [{ code: "imported" }] },
  ]);
  await it.run("trust t.flow.yaml --all");
  expect((await it.run("validate t.flow.yaml")).stderr).not.toContain("unseen-command");
  expect(JSON.parse((await it.run("run t.flow.yaml --dry-run --json")).stdout).steps[0]).not.toHaveProperty("approval");
});

describe("trust: all-new in config.yaml", () => {
  const OWN = inARow({ first: "echo one >> ran" });

  test("commands of every workflow are shown first, even of one that isn't marked", async () => {
    const it = folder({ "t.flow.yaml": OWN, ".home/config.yaml": "trust: all-new\n" });
    chmodSync(it.home, 0o700);
    expect((await it.run("validate t.flow.yaml")).stderr).toContain("unseen-command");
    expect((await it.run("run t.flow.yaml --yes")).code).toBe(3);
    expect(ran(it)).toBe("");
    expect((await it.run("trust t.flow.yaml --all")).code).toBe(0);
    expect((await it.run("run t.flow.yaml")).code).toBe(0);
    expect(ran(it)).toBe("one\n");
  });

  test("any other value is rejected, and nothing runs", async () => {
    const it = folder({ "t.flow.yaml": OWN, ".home/config.yaml": "trust: some\n" });
    chmodSync(it.home, 0o700);
    const went = await it.run("run t.flow.yaml");
    expect(went.code).toBe(2);
    expect(went.stderr).toContain("trust must be imported or all-new");
    expect(went.stderr).not.toContain("unseen-command");
    it.write(".home/config.yaml", "trust: imported\n");
    expect((await it.run("run t.flow.yaml")).code).toBe(0);
  });
});
