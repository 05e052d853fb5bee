// Decisions that change something: an edited command, a subflow's approval, a late one, one about another command.

import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Folder, folder, inARow } from "./curlew.ts";

const GATED = inARow({ made: "printf 'v1'", gate: 'echo "publishing ${1}"' }).replace(
  "title: Title of gate",
  "title: Title of gate, needsUserApproval: true",
);

/** A folder with a waiting run and an editor, which is this shell script; `$1` is the file. */
async function withEditor(script: string, text = GATED): Promise<Folder> {
  const it = folder({ "a.flow.yaml": text, "my editor/ed.sh": `#!/bin/sh\n${script}\n` });
  chmodSync(join(it.path, "my editor/ed.sh"), 0o755);
  // The environment is part of what is approved, so the answer has the same one.
  expect((await it.run("run a.flow.yaml", { env: { TMPDIR: it.path } })).code).toBe(3);
  return it;
}

const editor = (it: Folder, more = "") => ({
  env: { EDITOR: `'${join(it.path, "my editor/ed.sh")}'${more}`, TMPDIR: it.path },
});
const leftover = (it: Folder) => readdirSync(it.path).filter((name) => name.startsWith("curlew-edit-"));

test("--edit runs the edited command; the difference is shown and recorded", async () => {
  const it = await withEditor(
    `stat -c %a "$2" "$(dirname "$2")" > rights; echo "$1" > words; sed -i 's/publishing/releasing/' "$2"`,
  );
  const ran = await it.run("approve latest gate --edit", editor(it, ' "--two words"'));
  expect(ran).toMatchObject({ code: 0, stdout: "releasing v1\n" });
  expect(ran.stderr).toContain('Changed:\n  │ - echo "publishing ${1}"\n  │ + echo "releasing ${1}"\n');
  expect(it.read("rights")).toBe("600\n700\n");
  expect(it.read("words")).toBe("--two words\n");
  expect(leftover(it)).toEqual([]);

  const { nodes } = JSON.parse((await it.run("runs show latest --json")).stdout);
  expect(nodes[1].approvals).toMatchObject([
    {
      number: 1,
      answer: "granted",
      door: "cli",
      edited: { from: 'echo "publishing ${1}"', to: 'echo "releasing ${1}"' },
    },
  ]);
  const shown = (await it.run("runs show latest")).stdout;
  expect(shown).toMatch(/\napprovals\n {2}gate {2}edited and approved by \S+ on \S+ through cli/);
  expect(shown).toContain('  │ + echo "releasing ${1}"\n');
  expect(JSON.parse((await it.run("audit --json -n 1")).stdout)).toMatchObject([
    { type: "approval.granted", edited: true },
  ]);
});

const TWO_GATES = `curlew: 1
name: Gates
nodes:
  - { id: north, type: cli, data: { title: N, content: echo north >> ran, cwd: ., needsUserApproval: true } }
  - { id: south, type: cli, data: { title: S, content: echo south >> ran, cwd: ., needsUserApproval: true } }
`;

test("several nodes are answered in one command, a node without its run where that is clear", async () => {
  const it = folder({ "a.flow.yaml": TWO_GATES });
  for (const _run of [1, 2]) expect((await it.run("run a.flow.yaml")).code).toBe(3);
  const unclear = await it.run("approve north south");
  expect([unclear.code, unclear.stderr]).toEqual([
    2,
    expect.stringContaining('"north" waits for an approval in 2 runs'),
  ]);
  expect(existsSync(join(it.path, "ran"))).toBe(false);
  expect((await it.run("approve latest north south")).code).toBe(0);
  expect(it.read("ran").split("\n").toSorted()).toEqual(["", "north", "south"]);
  expect((await it.run("approve north")).code).toBe(3);
  expect((await it.run("reject south")).code).toBe(1);
  const wrong = await it.run("approve suoth");
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("error[not-waiting]")]);
});

test("a node's id is enough if one iteration waits, and --all answers all that wait", async () => {
  const gate = "needsUserApproval: true";
  const it = folder({
    "a.flow.yaml": `curlew: 1
nodes:
  - { id: each, type: loop-start, items: [a, b, c], maxConcurrency: 2 }
  - { id: gate, after: each, run: "echo ${"${item}"}", ${gate} }
  - { id: end, type: loop-end, after: gate }
`,
  });
  expect((await it.run("run a.flow.yaml")).code).toBe(3);
  const unclear = await it.run("approve latest gate");
  expect([unclear.code, unclear.stderr]).toEqual([
    2,
    expect.stringMatching(/waits .* in 2 iterations[\s\S]*gate\[0\], gate\[1\]/),
  ]);
  expect((await it.run("approve latest gate --all")).code).toBe(2);
  expect(await it.run("approve latest --all")).toMatchObject({ code: 3 });
  expect(await it.run("approve gate --quiet")).toMatchObject({ code: 0, stdout: '["a","b","c"]\n' });
  expect((await it.run("approve latest --all")).stderr).toContain("Nothing of this run waits");
});

test("a program that is a value is edited as the value, and runs unchanged", async () => {
  const text = inARow({ plan: "echo 'echo planned'", gate: "${1}" }).replace(
    "title: Title of gate",
    "title: Title of gate, safetyLevel: safe, needsUserApproval: true",
  );
  const it = await withEditor(`cp "$1" seen; echo 'echo "\${1}" added' >> "$1"`, text);
  const ran = await it.run("approve latest gate --edit", editor(it));
  expect(ran).toMatchObject({ code: 0, stdout: "planned\n added\n" });
  expect(it.read("seen")).toBe("echo planned\n");
  expect(ran.stderr).toContain('Changed:\n  │   echo planned\n  │ + echo "${1}" added\n');
  expect((await it.run("runs show latest")).stdout).toContain('  │   echo planned\n  │ + echo "${1}" added\n');
});

test("an editor that changes nothing makes a plain approval, and says so", async () => {
  const it = await withEditor("true");
  const ran = await it.run("approve latest gate --edit", editor(it));
  expect(ran).toMatchObject({ code: 0, stdout: "publishing v1\n" });
  expect(ran.stderr).toContain("The command is unchanged.\n");
  const [entry] = JSON.parse((await it.run("audit --json -n 1")).stdout);
  expect(entry.type).toBe("approval.granted");
  expect(entry).not.toHaveProperty("edited");
});

test.each([
  ["an empty text", ": > $1", "edit-empty"],
  ["an editor that fails", "echo more >> $1; exit 3", "editor-failed"],
  ["a file that is gone", "rm $1", "edit-unusable"],
  ["no text", "printf '\\377\\376' > $1", "edit-unusable"],
  ["what the document could not say", `echo 'eval "\${1}"' > $1`, "edit-unusable"],
])("%s approves nothing", async (_what, script, code) => {
  const it = await withEditor(script);
  const refused = await it.run("approve latest gate --edit", editor(it));
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain(`error[${code}]`);
  expect(leftover(it)).toEqual([]);
  expect(JSON.parse((await it.run("approvals --json")).stdout)).toHaveLength(1);
});

test.each([
  ["not there", "/nowhere/editor"],
  ["a command for a shell", "$(touch evil) vi"],
])("an EDITOR that is %s approves nothing and runs nothing", async (_what, EDITOR) => {
  const it = await withEditor("true");
  const refused = await it.run("approve latest gate --edit", { env: { EDITOR } });
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain("error[editor-missing]");
  expect(existsSync(join(it.path, "evil"))).toBe(false);
});

test.each(["SIGTERM", "SIGHUP"] as const)(
  "%s while the editor is open takes the file and the editor with it",
  async (signal) => {
    const it = await withEditor("echo $$ > pid; echo open >&2; exec sleep 300");
    const run = it.start("approve latest gate --edit", editor(it));
    await run.says("open");
    run.process.kill(signal);
    expect((await run.done).code).toBe(signal);
    expect(leftover(it)).toEqual([]);
    const isGone = () =>
      !existsSync(`/proc/${it.read("pid").trim()}`) ||
      readFileSync(`/proc/${it.read("pid").trim()}/stat`, "latin1").includes(") Z ");
    await expect.poll(isGone).toBe(true);
    expect(JSON.parse((await it.run("approvals --json")).stdout)).toHaveLength(1);
  },
);

test("an approval inside subflows and loops is answered by its path, and the outermost run continues", async () => {
  const it = folder({
    "gate.flow.yaml": `curlew: 1
name: Gate
inputs: { what: { type: string } }
nodes: [{ id: gate, type: cli, data: { title: G, needsUserApproval: true, content: 'echo "ran \${what}"' } }]
`,
    "middle.flow.yaml": `curlew: 1
name: Middle
nodes: [{ id: inner, type: subflow, data: { title: I, workflow: gate.flow.yaml, inputs: { what: deep } } }]
`,
    "outer.flow.yaml": `curlew: 1
name: Outer
nodes:
  - { id: start, type: loop-start, data: { title: S, iterations: 2 } }
  - { id: sub, type: subflow, data: { title: M, workflow: middle.flow.yaml } }
  - { id: end, type: loop-end, data: { title: E } }
edges: [ start -> sub -> end ]
`,
  });
  const first = await it.run("run outer.flow.yaml");
  expect(first.code).toBe(3);
  expect(first.stderr).toMatch(/curlew approve \w{10} 'sub\[0\]\/inner\/gate'/);
  const [asked] = JSON.parse((await it.run("approvals --json")).stdout);
  expect(asked).toMatchObject({
    workflow: "Outer",
    path: "sub[0]/inner/gate",
    inside: { path: "gate", workflow: "Gate" },
  });
  expect((await it.run("runs show latest")).stdout).toContain("curlew approve ");
  expect(await it.run(["approve", "latest", "gate"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Waiting: sub[0]/inner/gate."),
  });

  const second = await it.run(["approve", "latest", "sub[0]/inner/gate"]);
  expect(second.code).toBe(3);
  expect(second.stderr).toMatch(/'sub\[1\]\/inner\/gate'/);
  // The inner run may be named too.
  const [again] = JSON.parse((await it.run("approvals --json")).stdout);
  expect(again.run).toBe(asked.run);
  expect(await it.run(["approve", again.inside.run, "gate", "--quiet"])).toMatchObject({ code: 0 });
  expect(JSON.parse((await it.run("runs --json")).stdout)).toMatchObject([{ id: asked.run, status: "succeeded" }]);
  expect(JSON.parse((await it.run("audit verify --json")).stdout)).toMatchObject({ sound: true, entries: 4 });
  const entries = JSON.parse((await it.run("audit --json")).stdout);
  expect(entries[0]).toMatchObject({ type: "approval.granted", run: asked.run, path: "sub[1]/inner/gate" });
});

test("an answer after its time limit is rejected, and the run continues as the limit decides", async () => {
  const it = folder({
    "a.flow.yaml": GATED.replace("needsUserApproval: true", "needsUserApproval: true, approval: { timeout: 1s }"),
  });
  expect((await it.run("run a.flow.yaml")).code).toBe(3);
  const [asked] = JSON.parse((await it.run("approvals --json")).stdout);
  await setTimeout(Date.parse(asked.expiresAt) - Date.now() + 5);
  const late = await it.run("approve latest gate");
  expect(late).toMatchObject({ code: 2, stdout: "" });
  expect(late.stderr).toMatch(/error\[approval-expired\]: The time limit of "gate" in run \w+ ended .* ago\./);
  const resumed = await it.run("runs resume latest");
  expect(resumed).toMatchObject({ code: 1, stdout: "" });
  expect(resumed.stderr).toContain("No one decided in time");
  expect((await it.run("approve latest gate")).stderr).toMatch(
    /any more: the time limit ended .* ago, which counted as reject/,
  );
  expect((await it.run("runs show latest")).stdout).toContain("gate  not answered in time, which counted as reject");
});

test("differences from the last approved command are shown before the next approval", async () => {
  const it = folder({ "a.flow.yaml": GATED });
  await it.run("run a.flow.yaml");
  await it.run("approve latest gate");
  it.write("a.flow.yaml", GATED.replace("'v1'", "'v2'"));
  await it.run("run a.flow.yaml");
  const { stdout } = await it.run("approvals latest gate");
  expect(stdout).toMatch(/\n {2}different from what was approved .* ago by \S+\n/);
  expect(stdout).toMatch(/\n {2}│ - echo .*v1/);
  expect(stdout).toMatch(/\n {2}│ \+ echo .*v2/);
  const [asked] = JSON.parse((await it.run("approvals --json")).stdout);
  expect(asked.lastApproved).toMatchObject({
    at: expect.any(String),
    by: expect.any(String),
    hash: expect.any(String),
  });
  expect(asked.lastApproved.changes).toEqual([
    expect.stringMatching(/^-echo .*v1/),
    expect.stringMatching(/^\+echo .*v2/),
    expect.stringMatching(/^ folder: /),
    expect.stringMatching(/^ /),
  ]);
  await it.run("approve latest gate");
  await it.run("run a.flow.yaml");
  const [again] = JSON.parse((await it.run("approvals --json")).stdout);
  expect(again.lastApproved.changes).toEqual([]);
  expect((await it.run("approvals latest gate")).stdout).toMatch(
    /\n {2}last time the same was approved .* ago by \S+\n/,
  );
});
