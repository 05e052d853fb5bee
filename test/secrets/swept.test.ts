// Secrets that stay behind when the program is killed right after a run ended: the next program that opens the data
// directory removes them.

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openEngine } from "../../src/engine/index.ts";
import { thisProcess } from "../../src/engine/recovery/owner.ts";
import { folder } from "../cli/curlew.ts";
import { must } from "../store/fixture.ts";
import { filesOf } from "./hunt.ts";

const FLOW = `curlew: 1
name: outer
nodes:
  - { id: ask, type: cli, data: { title: Ask, content: "echo very-secret-token" } }
  - { id: keep, type: variable, data: { title: Keep, variableName: token, secret: true } }
  - { id: sub, type: subflow, data: { title: Sub, workflow: sub.flow.yaml, inputs: { given: "\${token}" } } }
  - { id: use, type: cli, data: { title: Use, content: 'printf %s "\${1}" > exact' } }
edges: [ ask -> keep -> sub -> use ]
`;
const SUB = `curlew: 1
name: inner
inputs: { given: { type: string } }
nodes: [ { id: back, type: text, data: { title: Back, content: "back \${given}" } } ]
`;

const secretFiles = (home: string) => filesOf(home).filter((file) => /\.(sealed|key)$|curl-auth/.test(file));

function killedAtEndOf(name: string) {
  const it = folder({ "t.flow.yaml": FLOW, "sub.flow.yaml": SUB, "other.flow.yaml": SUB.replace("inner", "other") });
  mkdirSync(it.home, { recursive: true, mode: 0o700 });
  const script = join(import.meta.dirname, "killed-at-end.ts");
  const ran = spawnSync(process.execPath, [script, it.home, join(it.path, "t.flow.yaml"), name], { encoding: "utf8" });
  expect({ signal: ran.signal, stderr: ran.stderr }).toEqual({ signal: "SIGKILL", stderr: "" });
  expect(secretFiles(it.home).length).toBeGreaterThan(1);
  return it;
}

test("killed at the end of a run: the next engine that opens removes its sealed values and gives back its claim", async () => {
  const it = killedAtEndOf("outer");
  const engine = must(await openEngine({ home: it.home, env: {} }));
  expect(secretFiles(it.home)).toEqual([]);
  const { runs } = must(engine.store.journal.listRuns({ children: "all" }));
  expect(runs.map((row) => row.owner)).toEqual([undefined, undefined]);
  expect(must(engine.store.journal.leftRuns())).toEqual([]);
  await engine.close();
});

test("killed at the end of a subflow's run: its result is still read, and then nothing is left", async () => {
  const it = killedAtEndOf("inner");
  const engine = must(await openEngine({ home: it.home, env: {} }));
  expect(secretFiles(it.home).length).toBeGreaterThan(1);
  await engine.close();
  expect(await it.run("runs resume latest")).toMatchObject({ code: 0 });
  expect(it.read("exact")).toBe("back very-secret-token");
  expect(secretFiles(it.home)).toEqual([]);
});

test("sealed values of a run that lives, or has not ended, stay", async () => {
  const it = killedAtEndOf("outer");
  const engine = must(await openEngine({ home: it.home, env: {} }));
  const [row] = must(engine.store.journal.listRuns()).runs;
  const left = join(it.home, "runs", row!.id, "3-1.key");
  // As if this process were just at the end of the run: it lives.
  must(engine.store.journal.claim(row!.id, thisProcess(), () => false));
  writeFileSync(left, "plain");
  await must(await openEngine({ home: it.home, env: {} })).close();
  expect(secretFiles(it.home)).toEqual([left]);
  await engine.close();
});

const GATED = FLOW.replace("title: Use, content", "title: Use, needsUserApproval: true, content");

test("a sealed value that someone removed is reported as a problem of the store, and the command does not run without it", async () => {
  const it = folder({ "t.flow.yaml": GATED, "sub.flow.yaml": SUB });
  expect(await it.run("run t.flow.yaml")).toMatchObject({ code: 3 });
  for (const file of secretFiles(it.home).filter((name) => name.endsWith(".sealed"))) rmSync(file);
  const refused = await it.run("approve latest use");
  expect(refused.stderr).toContain("error[store-failed]");
  expect(refused.stderr).not.toContain("internal");
  expect(() => it.read("exact")).toThrow();
});

test("a damaged home key is named as such, and the run continues once the key is restored", async () => {
  const it = folder({ "t.flow.yaml": GATED, "sub.flow.yaml": SUB });
  expect(await it.run("run t.flow.yaml")).toMatchObject({ code: 3 });
  const file = join(it.home, "key");
  const key = readFileSync(file);
  truncateSync(file, 0);
  const refused = await it.run("runs resume latest");
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("error[home-key-damaged]") });
  expect(refused.stderr).toContain("from a backup");
  writeFileSync(file, key);
  expect(await it.run("approve latest use")).toMatchObject({ code: 0 });
  expect(it.read("exact")).toBe("back very-secret-token");
});
