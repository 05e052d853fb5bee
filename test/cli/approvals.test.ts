// The approval inbox and its decisions without a terminal: the output for people and programs, and what is rejected.

import { join } from "node:path";
import { expect, test } from "vitest";
import { giveAnswer } from "../../src/engine/answer.ts";
import { pendingOf } from "../../src/engine/pending.ts";
import { onOneMachine, storeOf } from "../setup/on-postgres.ts";
import { type Folder, folder, inARow } from "./curlew.ts";

/** Commands, of which `gate` waits for approval. */
function gated(commands: Record<string, string>, more = ""): string {
  return inARow(commands, more).replace("title: Title of gate", "title: Title of gate, needsUserApproval: true");
}

async function waiting(it: Folder, args = "approvals --json") {
  return JSON.parse((await it.run(args)).stdout);
}

const EVIL = "v1 \u001b[2J\u202egnp\nwhy      nothing to see";
const evil = `printf '%s' '${JSON.stringify(EVIL).slice(1, -1).replaceAll("\\u001b", "\u001b").replaceAll("\\n", "\n")}'`;

test("a request shows everything that decides: command, reason, place, hash; values cannot look like Curlew's text", async () => {
  const it = folder({ "a.flow.yaml": gated({ made: evil, gate: "echo ${1}\necho second" }) });
  expect((await it.run("run a.flow.yaml")).code).toBe(3);

  const [one, ...others] = await waiting(it);
  expect(others).toEqual([]);
  expect(one).toMatchObject({
    workflow: "Test",
    file: join(it.path, "a.flow.yaml"),
    node: "gate",
    path: "gate",
    number: 1,
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    reasons: [{ code: "needs-approval" }],
    command: "echo ${1}\necho second",
    detail: { command: "echo ${1}\necho second", shell: "bash", cwd: it.path },
  });

  const list = await it.run("approvals");
  expect(list.code).toBe(0);
  expect(list.stdout).toContain(`${one.run.slice(0, 10)}  gate  Test, `);
  expect(list.stdout).toMatch(/\n {2}why {2}.*\(needs-approval\)\n {2}runs echo /);

  const card = await it.run("approvals latest gate");
  expect(card.stdout).toContain("gate waits for your approval\n");
  expect(card.stdout).toMatch(/\n {2}│ echo .*second|\n {2}│ echo second/s);
  expect(card.stdout).not.toContain("\u001b");
  expect(card.stdout).not.toContain("\u202e");
  expect(card.stdout).not.toMatch(/^why/m);
  expect(card.stderr).toContain(`curlew approve ${one.run.slice(0, 10)} gate --hash ${one.hash.slice(0, 12)}`);
});

test("the list shows the workflow's question", async () => {
  const it = folder({
    "a.flow.yaml": `curlew: 1
inputs: { version: { type: string, default: "1.2\\n  runs true" } }
nodes:
  - id: deploy
    run: echo deployed
    needsUserApproval: true
    approval: { prompt: "Deploy \${version}?" }
`,
  });
  expect((await it.run("run a.flow.yaml")).code).toBe(3);
  const { stdout } = await it.run("approvals");
  expect(stdout).toMatch(/\n {2}asks Deploy «1\.2\\n {2}runs true»\?\n {2}why {2}/);
  expect(stdout.match(/^ {2}runs /gm)).toHaveLength(1);
});

test("an answer bound to a hash counts for that request only", async () => {
  const it = folder({ "a.flow.yaml": gated({ gate: "echo ran" }) });
  await it.run("run a.flow.yaml");
  const [{ hash }] = await waiting(it);
  for (const other of ["0".repeat(64), hash.slice(0, 7)]) {
    const stale = await it.run(`approve latest gate --hash ${other}`);
    expect(stale).toMatchObject({ code: 2, stdout: "" });
    expect(stale.stderr).toContain("error[approval-stale]");
    expect((await it.run(`reject latest gate --hash ${other}`)).code).toBe(2);
  }
  expect(await it.run(`approve latest gate --quiet --hash ${hash.slice(0, 12)}`)).toMatchObject({
    code: 0,
    stdout: "ran\n",
  });
});

test("a second answer is rejected, and says who was faster", async () => {
  const it = folder({ "a.flow.yaml": gated({ gate: "echo ran" }) });
  await it.run("run a.flow.yaml");
  expect((await it.run("approve latest gate --detach")).code).toBe(0);
  const second = await it.run("reject latest gate");
  expect(second).toMatchObject({ code: 2, stdout: "" });
  expect(second.stderr).toMatch(
    /error\[not-waiting\]: "gate" of run \w+ does not wait for an approval any more: approved by \S+ \d/,
  );
});

test("a late answer does not claim the run, so that the faster one can resume it", async () => {
  const it = folder({ "a.flow.yaml": gated({ gate: "echo ran" }) });
  await it.run("run a.flow.yaml");
  const store = await storeOf(it.home);
  const runs = await store.journal.listRuns();
  const [late] = runs.ok ? await pendingOf(runs.value.runs[0]!, store) : [];
  expect(await it.run("approve latest gate --quiet")).toMatchObject({ code: 0 });
  const claimed: string[] = [];
  const claim: typeof store.journal.claim = (id, ...rest) => {
    claimed.push(id);
    return store.journal.claim(id, ...rest);
  };
  const watched = { ...store, journal: Object.assign(Object.create(store.journal), { claim }) };
  expect(await giveAnswer(late!, { grant: true }, watched, (text) => text)).toMatchObject({
    error: { code: "not-waiting" },
  });
  expect(claimed).toEqual([]);
  await store.close();
});

const local = onOneMachine(
  "a process takes answers that reach its cluster. test/cluster/decisions.test.ts tests them.",
);
local("while a living process works on the run, only that process asks", async () => {
  const text = `curlew: 1
name: Test
nodes:
  - { id: gate, type: cli, data: { title: G, needsUserApproval: true, content: "echo ran" } }
  - { id: busy, type: cli, data: { title: B, content: "echo on; until [ -e go ]; do sleep 0.05; done" } }
`;
  const it = folder({ "a.flow.yaml": text });
  const run = it.start("run a.flow.yaml");
  await run.says("gate waits for an approval");
  const refused = await it.run("approve latest gate");
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toMatch(
    /error\[run-claimed\]: "gate" cannot be decided here now\. Process \d+ is working on run/,
  );
  it.write("go", "");
  expect((await run.done).code).toBe(3);
  expect((await it.run("approve latest gate --quiet")).code).toBe(0);
});

test("nothing waits: an empty list, and an error for a node that never did", async () => {
  const it = folder({ "a.flow.yaml": inARow({ a: "true" }) });
  await it.run("run a.flow.yaml");
  expect(await it.run("approvals")).toEqual({ code: 0, stdout: "", stderr: "Nothing waits for an approval.\n" });
  expect(await it.run("approvals --json")).toEqual({ code: 0, stdout: "[]\n", stderr: "" });
  expect(await it.run("approve latest a")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Nothing of this run waits for an approval."),
  });
});

test.each([
  ["gaet", '--approve names "gaet", but no node of that name can ask for approval. Did you mean "gate"?'],
  ["deploy/gaet", 'Did you mean "deploy/gate"?'],
  ["gate/deeper", "can ask for approval"],
  ["deploy", "A node of a subflow has the subflow's id before its own"],
  ["gate[2]", "approved in every iteration"],
])("--approve %s names nothing, and is refused before anything runs", async (name, says) => {
  const it = folder({
    "sub.flow.yaml": gated({ gate: "echo inner" }),
    "a.flow.yaml": `${gated({ gate: "echo ran" })}  - { id: deploy, type: subflow, data: { title: D, workflow: sub.flow.yaml } }\n`,
  });
  const ran = await it.run(["run", "a.flow.yaml", "--approve", name]);
  expect(ran).toMatchObject({ code: 2, stdout: "" });
  expect(ran.stderr).toContain("error[unknown-node]");
  expect(ran.stderr).toContain(says);
  expect((await it.run("runs --json")).stdout).toBe("[]\n");
  if (name.startsWith("deploy"))
    expect((await it.run("run a.flow.yaml --quiet --approve gate --approve deploy/gate")).code).toBe(0);
});
