// The executor rejects what the workflow checks reject, because a workflow may be older than the checks.

import { expect, test } from "vitest";
import { createMasker } from "../../secrets/masker.ts";
import type { CliNode, Workflow } from "../../workflow/model.ts";
import type { NodeContext } from "../context.ts";
import type { Tools } from "../tools.ts";
import { cliExecutor } from "./index.ts";

const parents = [{ id: "p", value: { text: "from a parent" }, live: true }];

function contextOf(): NodeContext {
  return {
    path: "n",
    parents: () => parents,
    node: () => undefined,
    variable: (name) => (name === "v" ? { text: "value" } : name === "n" ? { text: "7" } : undefined),
    knows: (name) => name === "v" || name === "n" || name === "1",
    loop: () => ({}),
    inputs: {},
    secrets: new Map(),
    environment: { PATH: process.env.PATH },
    workflow: { curlew: 1, name: "T", nodes: [], edges: [], inputs: {}, secrets: [] } as unknown as Workflow,
    folder: "/",
    run: { id: "r", name: "T", startedAt: "2026-01-01T00:00:00.000Z", url: "" },
    trigger: { kind: "cli", at: "" },
    attempt: 1,
    place: { finally: false, inErrorBranch: false },
    failure: () => undefined,
    files: {} as NodeContext["files"],
    masker: createMasker(new Map()),
    isSecret: false,
  };
}

async function codeOf(env: NonNullable<CliNode["data"]["env"]>, content = "true"): Promise<string> {
  const node: CliNode = { id: "n", type: "cli", data: { title: "n", content, shell: "bash", env } } as CliNode;
  const made = await cliExecutor({ runner: { name: () => undefined } } as Tools).prepare(node, contextOf());
  return made.ok ? "prepared" : made.error.code;
}

test.each([
  ["a literal sets a dangerous name", { static: { LD_PRELOAD: "./x.so" } }, "prepared"],
  ["two dollars are a literal", { static: { PS4: "$${x}" } }, "prepared"],
  ["a value does not", { static: { LD_PRELOAD: "${v}" } }, "env-name-dangerous"],
  ["neither as part of a text", { static: { PATH: "/bin:${v}" } }, "env-name-dangerous"],
  ["a parent does not", { exposeParents: true, names: ["https_proxy"] }, "env-name-dangerous"],
  ["plain names are plain", { exposeParents: true, names: ["__proto__"], static: { toString: "${v}" } }, "prepared"],
  ["our names are ours, also for a literal", { static: { CURLEW_RUN_ID: "x" } }, "env-name-reserved"],
  ["and for a parent", { exposeParents: true, names: ["CURLEW_V_x"] }, "env-name-reserved"],
  ["no name", { static: { "": "x" } }, "env-name-invalid"],
  ["an equals sign", { static: { "A=B": "x" } }, "env-name-invalid"],
  ["NUL", { static: { "A\0": "x" } }, "env-name-invalid"],
])("%s", async (_, env, expected) => {
  expect(await codeOf(env)).toBe(expected);
});

test.each([
  ["a value as arithmetic", "echo $((N + 1))", { static: { N: "${v}" } }, "value-not-integer"],
  ["a text of the author's is the author's", "echo $((N + 1))", { static: { N: "value" } }, "prepared"],
  ["a number", "echo $((N + 1))", { static: { N: "${n}" } }, "prepared"],
  ["a parent", "echo $((INPUT_1 + 1))", { exposeParents: true }, "value-not-integer"],
  ["a parent under a name", "(( LAST > 1 ))", { exposeParents: true, names: ["LAST"] }, "value-not-integer"],
  ["no parent", "echo $((INPUT_1 + 1))", {}, "prepared"],
  ["an array's element by a value", 'a=(1 2); echo "${a[N]}"', { static: { N: "${v}" } }, "value-not-integer"],
  [
    "a value that the script looks at",
    "case $N in *[!0-9]*) exit 1;; esac; echo $((N))",
    { static: { N: "${v}" } },
    "prepared",
  ],
])("%s", async (_, content, env, expected) => {
  expect(await codeOf(env, content)).toBe(expected);
});
