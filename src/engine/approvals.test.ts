// The hash of a request: equal for equal requests, different for any change, and never shared by moving a field's
// boundary.

import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { tempFolder } from "../../test/setup/folders.ts";
import { impossible, ok } from "../base/result.ts";
import { cliExecutor } from "../kinds/cli/index.ts";
import type { NodeContext } from "../kinds/context.ts";
import { createTools } from "../kinds/tools.ts";
import { createMasker } from "../secrets/masker.ts";
import type { CliData, CliNode, Workflow } from "../workflow/model.ts";
import { requestOf } from "./approvals.ts";
import { runFiles } from "./run-files.ts";

const place = tempFolder();
const tools = createTools(join(place, "home"));
afterAll(() => tools.close());
for (const name of ["home", "a", "b"]) mkdirSync(join(place, name));

interface Made {
  data?: Partial<CliData>;
  path?: string;
  id?: string;
  number?: number;
  run?: string;
  revision?: string;
  key?: string;
  values?: Record<string, string>;
  environment?: Record<string, string>;
  workflow?: Partial<Workflow>;
}

async function requested(made: Made) {
  const id = made.id ?? "n";
  const values: Record<string, string> = made.values ?? { v: "value", w: "other" };
  const node: CliNode = {
    id,
    type: "cli",
    data: { title: "n", content: 'printf %s "${v}"', shell: "bash", needsUserApproval: true, ...made.data },
  };
  const context: NodeContext = {
    path: made.path ?? id,
    parents: () => [{ id: "p", value: { text: "from a parent" }, live: true }],
    node: () => undefined,
    variable: (name) => (Object.hasOwn(values, name) ? { text: values[name]! } : undefined),
    knows: (name) => Object.hasOwn(values, name),
    loop: () => ({}),
    inputs: {},
    secrets: new Map(),
    environment: { PATH: process.env.PATH, ...made.environment },
    workflow: { curlew: 1, name: "T", nodes: [], edges: [], inputs: {}, secrets: [], finally: [], ...made.workflow },
    folder: place,
    run: { id: made.run ?? "r", name: "T", startedAt: "2026-01-01T00:00:00.000Z", url: "" },
    trigger: { kind: "cli", at: "" },
    attempt: 1,
    place: { finally: false, inErrorBranch: false },
    failure: () => undefined,
    files: runFiles(place, () => 1),
    masker: createMasker(new Map()),
    isSecret: false,
  };
  const prepared = await cliExecutor(tools).prepare(node, context);
  if (!prepared.ok) throw new Error(`${prepared.error.code}: ${prepared.error.message}`);
  const event = await requestOf(
    { node, path: made.path ?? id, number: made.number ?? 1, context, inDoubt: false, unseen: false },
    prepared.value,
    {
      run: { id: made.run ?? "r" },
      revision: made.revision ?? "revision",
      approvalKey: () => ok(Buffer.from((made.key ?? "k").repeat(32).slice(0, 32))),
      nowMs: () => 0,
      prepare: () => impossible("nothing is edited here"),
    },
  );
  if (!event.ok || event.value.type !== "approval.requested") throw new Error("nothing was asked");
  return event.value;
}

const changes: [string, Made][] = [
  ["the run", { run: "other" }],
  ["the node", { id: "m", path: "n" }],
  ["the pass", { path: "n[1]" }],
  ["the attempt", { number: 2 }],
  ["the document", { revision: "other" }],
  ["the home", { key: "x" }],
  ["the program", { data: { content: 'printf  %s "${v}"' } }],
  ["which value is in it", { data: { content: 'printf %s "${w}"' }, values: { v: "value", w: "value" } }],
  ["its filter", { data: { content: 'printf %s "${v|json}"' } }],
  ["a value", { values: { v: "valuE", w: "other" } }],
  ["a value's end", { values: { v: "value\n", w: "other" } }],
  ["the shell", { data: { shell: "sh" } }],
  ["the shell's options", { data: { flags: { bash: { pipefail: true } } as never } }],
  ["a variable's value", { data: { env: { static: { A: "1" } } } }],
  ["a variable's value, another", { data: { env: { static: { A: "2" } } } }],
  ["a variable's name", { data: { env: { static: { B: "1" } } } }],
  ["a parent's value in the environment", { data: { env: { exposeParents: true } } }],
  ["what is inherited", { data: { env: { inherit: ["X"] } }, environment: { X: "1" } }],
  ["the language", { environment: { LANG: "C" } }],
  ["a proxy", { environment: { https_proxy: "https://p.test" } }],
  ["standard input", { data: { stdin: { source: "literal", literal: "in" } } }],
  ["a byte of standard input", { data: { stdin: { source: "literal", literal: "iN" } } }],
  [
    "empty standard input is like none, a parent is not",
    { data: { stdin: { source: "parent-index", parentIndex: 0 } } },
  ],
  ["the working directory", { data: { cwd: "a" } }],
  ["another working directory", { data: { cwd: "b" } }],
  ["egress", { data: { egress: "any" } }],
  ["egress to one host", { data: { egress: { allow: ["a.test"] } } }],
  ["a time limit", { data: { timeout: "1s" } }],
  ["another time limit", { data: { idleTimeout: "1s" } }],
  ["the grace", { data: { killGrace: "1s" } }],
  ...(existsSync("/usr/bin/bwrap") ? ([["a sandbox", { data: { sandbox: "no-network" } }]] as [string, Made][]) : []),
];

test("the same command has the same hash, each time and from every terminal", async () => {
  const { hash } = await requested({});
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  for (const made of [{}, { data: { safetyLevel: "safe" } }, { environment: { TERM: "dumb", SSH_AUTH_SOCK: "/x" } }])
    expect((await requested(made as Made)).hash).toBe(hash);
});

test("every difference changes the hash, and no two hashes are equal", async () => {
  const hashes = new Map([[(await requested({})).hash, "nothing"]]);
  for (const [what, made] of changes) {
    const { hash } = await requested(made);
    expect([what, hashes.get(hash)]).toEqual([what, undefined]);
    hashes.set(hash, what);
  }
});

test("the end of one part and the start of the next are never confused", async () => {
  const pairs: [Made, Made][] = [
    [{ values: { v: "a", w: "bc" } }, { values: { v: "ab", w: "c" } }],
    [{ data: { env: { static: { A: "1\nB=2" } } } }, { data: { env: { static: { A: "1", B: "2" } } } }],
    [{ data: { timeout: "1s" } }, { data: { idleTimeout: "1s" } }],
    [
      { id: "n", path: "n[1]" },
      { id: "n[1]", path: "n" },
    ],
    [
      { run: "r1", id: "n" },
      { run: "r", id: "1n" },
    ],
    [{ data: { egress: { allow: ["a", "b"] } } }, { data: { egress: { allow: ["a,b"] } } }],
  ];
  const both = { content: 'printf %s%s "${v}" "${w}"' };
  for (const [one, other] of pairs) {
    const first = await requested({ ...one, data: { ...both, ...one.data } });
    const second = await requested({ ...other, data: { ...both, ...other.data } });
    expect(first.hash).not.toBe(second.hash);
  }
});

test("a file is bound by its contents, not by its name", async () => {
  const asFile = { data: { content: 'cat "${v|file}"' } };
  const { hash } = await requested(asFile);
  expect((await requested(asFile)).hash).toBe(hash);
  expect((await requested({ ...asFile, values: { v: "valuE" } })).hash).not.toBe(hash);
  const large = { data: { content: 'x="${v}"' }, values: { v: "a".repeat(200_000) } };
  expect((await requested(large)).hash).toBe((await requested(large)).hash);
});

test("a request has no digest that reveals a value to someone who guesses it", async () => {
  const { bound } = await requested({ values: { v: "123456" } });
  const one = await requested({ values: { v: "123456" }, key: "x" });
  for (const [name, digest] of Object.entries(bound)) expect(one.bound[name]).not.toBe(digest);
});
