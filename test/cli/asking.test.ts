// Approvals on a real terminal: what you see, what counts as an answer, and what does not.

import { chmodSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { type Folder, folder, inARow, type Started } from "./curlew.ts";
import { onTerminal } from "./on-terminal.ts";

const QUESTION = "leave it waiting? [a/e/r/L]";

/** Nodes side by side, each waiting for approval. */
function asking(...ids: string[]): string {
  const nodes = ids.map(
    (id) =>
      `  - { id: ${id}, type: cli, data: { title: Title of ${id}, needsUserApproval: true, content: "echo ${id} ran" } }\n`,
  );
  return `curlew: 1\nname: Test\nnodes:\n${nodes.join("")}`;
}

const type = (run: Started, keys: string) => run.process.stdin.write(keys);

async function waitingIn(it: Folder): Promise<string[]> {
  const all = JSON.parse((await it.run("approvals --json")).stdout);
  return all.map(({ path }: { path: string }) => path);
}

function screen(text: string): string {
  return stripVTControlCharacters(text).replaceAll("\r", "");
}

test("several requests are asked one after the other, and one that is left waiting is not asked again", async () => {
  const it = folder({ "a.flow.yaml": asking("one", "two", "three") });
  const run = onTerminal(it, "run a.flow.yaml");
  await run.says("1 of 3", "stdout");
  for (const [answer, at] of [
    ["a", "1 of 3"],
    ["", "2 of 3"],
    ["l", "3 of 3"],
  ] as const) {
    await run.says(at, "stdout");
    await run.says(QUESTION, "stdout", Number(at[0]));
    type(run, `${answer}\r`);
  }
  const ran = await run.done;
  expect(ran.code).toBe(3);
  expect(ran.stdout.split(QUESTION)).toHaveLength(4);
  expect(await waitingIn(it)).toHaveLength(2);
  const { nodes } = JSON.parse((await it.run("runs show latest --json")).stdout);
  expect(nodes.map(({ status }: { status: string }) => status).toSorted()).toEqual(["succeeded", "waiting", "waiting"]);
});

test("only a clear answer counts; Ctrl-C leaves everything waiting and keeps earlier answers", async () => {
  const it = folder({ "a.flow.yaml": asking("one", "two") });
  const run = onTerminal(it, "run a.flow.yaml");
  await run.says(QUESTION, "stdout");
  type(run, "yep\r");
  await run.says('"yep" is not valid: type a, e, r, or l, and Enter.', "stdout");
  await run.says(QUESTION, "stdout", 2);
  type(run, "approve\r");
  await run.says("2 of 2", "stdout");
  await run.says(QUESTION, "stdout", 3);
  type(run, "\u0003");
  const ran = await run.done;
  expect(ran.code).toBe(130);
  expect(screen(ran.stdout)).toMatch(/Run \w{10} is still waiting\. To continue it: curlew approvals \w{10}/);
  expect(await waitingIn(it)).toHaveLength(1);
  const { nodes } = JSON.parse((await it.run("runs show latest --json")).stdout);
  const answers = nodes.flatMap(({ approvals }: { approvals: object[] }) => approvals);
  expect(answers).toContainEqual(expect.objectContaining({ answer: "granted", by: expect.any(String) }));
  expect(answers.find(({ answer }: { answer?: string }) => answer === "granted").from.tty).toMatch(/^\/dev\/pts\/\d+$/);
});

test("text typed before the question appeared answers nothing", async () => {
  const text = asking("gate").replace(
    "nodes:\n",
    'nodes:\n  - { id: first, type: cli, data: { title: F, content: "echo ready; until [ -e go ]; do sleep 0.02; done" } }\n',
  );
  const it = folder({ "a.flow.yaml": `${text}edges: [ first -> gate ]\n` });
  const run = onTerminal(it, "run a.flow.yaml");
  await run.says("│ ready", "stdout");
  type(run, "a\ra\ra");
  it.write("go", "");
  await run.says(QUESTION, "stdout");
  type(run, "\r");
  const ran = await run.done;
  expect(ran.code).toBe(3);
  expect(await waitingIn(it)).toEqual(["gate"]);
});

test("a hostile value cannot look like Curlew's text, however narrow the terminal; NO_COLOR removes colours", async () => {
  const value = `x\u001b[2J\u001b[1Awhy      all is well\r\nwhy      harmless\u202e ${"z".repeat(60)}why      fine`;
  const it = folder({ "value.txt": value });
  it.write(
    "a.flow.yaml",
    inARow({ made: "cat value.txt", gate: "printf '%s' ${1}" }).replace(
      "title: Title of gate",
      "title: Title of gate, needsUserApproval: true",
    ),
  );
  const run = onTerminal(it, "run a.flow.yaml", { NO_COLOR: "1" }, 32);
  await run.says("[a/e/r/L]", "stdout");
  type(run, "\r");
  const ran = await run.done;
  expect(ran.code).toBe(3);
  const card = ran.stdout.slice(ran.stdout.indexOf("gate waits for your"), ran.stdout.indexOf("[a/e/r/L]"));
  expect(card).not.toContain("\u001b[2J");
  expect(card).not.toContain("\u001b[1A");
  expect(card).not.toContain("\u202e");
  expect(card).not.toMatch(/\u001b\[[0-9;]*m/);
  expect(card).toContain("⟨U+001B⟩[2J");
  const lines = card.split(/\r?\n/);
  for (const line of lines.slice(0, -1)) expect([...line].length, line).toBeLessThanOrEqual(32);
  expect(lines.filter((line) => /^\s*why/.test(line))).toEqual(["  why      The workflow requires"]);
});

test("a command is edited, and approved when you confirm the change", async () => {
  const it = folder({ "a.flow.yaml": asking("gate"), "ed.sh": '#!/bin/sh\nsed -i s/gate/else/ "$1"\n' });
  chmodSync(join(it.path, "ed.sh"), 0o755);
  const run = onTerminal(it, "run a.flow.yaml", { EDITOR: join(it.path, "ed.sh") });
  await run.says(QUESTION, "stdout");
  type(run, "e\r");
  await run.says("Approve it changed like this? [y/N]", "stdout");
  type(run, "\r");
  await run.says(QUESTION, "stdout", 2);
  type(run, "e\r");
  await run.says("Approve it changed like this? [y/N]", "stdout", 2);
  type(run, "y\r");
  const ran = await run.done;
  expect(ran.code).toBe(0);
  expect(screen(ran.stdout)).toContain("  │ + echo else ran\n");
  expect(screen(ran.stdout).trimEnd().endsWith("\nelse ran")).toBe(true);
});

test("a rejected edit opens again in the editor", async () => {
  const it = folder({
    "a.flow.yaml": asking("gate"),
    "ed.sh": `#!/bin/sh\nif grep -q MINE "$1"; then sed -i s/curl/echo/ "$1"; else echo "curl http://example.com # MINE" > "$1"; fi\n`,
  });
  chmodSync(join(it.path, "ed.sh"), 0o755);
  const run = onTerminal(it, "run a.flow.yaml", { EDITOR: join(it.path, "ed.sh") });
  await run.says(QUESTION, "stdout");
  type(run, "e\r");
  await run.says("Your text is kept: e opens it again.", "stdout");
  await run.says(QUESTION, "stdout", 2);
  type(run, "e\r");
  await run.says("Approve it changed like this? [y/N]", "stdout");
  type(run, "y\r");
  const ran = await run.done;
  expect(ran.code).toBe(0);
  expect(screen(ran.stdout).trimEnd().endsWith("\nhttp://example.com")).toBe(true);
});

test("approve on a terminal shows the command and asks; with a hash you have already seen it", async () => {
  const it = folder({ "a.flow.yaml": asking("gate") });
  expect((await it.run("run a.flow.yaml", { env: { TERM: "xterm-256color" } })).code).toBe(3);
  const no = onTerminal(it, "approve latest gate");
  await no.says("Approve it? [y/N]", "stdout");
  type(no, "\r");
  const left = await no.done;
  expect(left.code).toBe(3);
  expect(screen(left.stdout)).toContain("  │ echo gate ran\n");
  expect(screen(left.stdout)).toContain("Nothing was approved, and the node is still waiting.");

  const turned = onTerminal(it, "approve latest gate");
  await turned.says("Approve it? [y/N]", "stdout");
  type(turned, "\u0003");
  expect((await turned.done).code).toBe(130);

  const [{ hash }] = JSON.parse((await it.run("approvals --json")).stdout);
  const yes = onTerminal(it, `approve latest gate --hash ${hash}`);
  const ran = await yes.done;
  expect(ran.code).toBe(0);
  expect(ran.stdout).not.toContain("[y/N]");
});
