// nebulaflow.test: a NebulaFlow workflow becomes a valid Curlew workflow.

import { expect, test } from "vitest";
import { validateWorkflow } from "../validate.ts";
import { workflowOfNebulaFlow } from "./nebulaflow.ts";

const made = (document: unknown) => workflowOfNebulaFlow(JSON.stringify(document), "fallback");
const cli = (id: string, data: object) => ({ id, type: "cli", data: { title: id, ...data } });

test("nodes, the fields of the mission, edges with branches, and positions are converted", async () => {
  const result = made({
    name: "Daily",
    version: "1.0.0",
    nodes: [
      { id: "start", type: "start", data: { title: "Start" }, position: { x: 1.4, y: 2 } },
      {
        id: "get",
        type: "NodeType.CLI",
        data: {
          title: "Get",
          content: "curl --fail -m 5 https://api.example.com/x?q=${query}",
          mode: "command",
          shell: "bash",
          safetyLevel: "advanced",
          streamOutput: true,
          stdin: { source: "parent-index", parentIndex: 0 },
          env: { static: { query: "${q}" } },
          flags: { executionPolicyBypass: true },
          needsUserApproval: false,
        },
      },
      { id: "q", type: "variable", data: { title: "Q", variableName: "q", initialValue: "x" } },
      { id: "ok?", type: "IF_ELSE", data: { label: "Good?" } },
      { id: "s", type: "LOOP_START", data: { title: "S", iterations: 2 } },
      { id: "e", type: "loop-end", data: { title: "E" } },
    ],
    edges: [
      { id: "1", source: "start", target: "get", sourceHandle: "out" },
      { source: "get", target: "ok?" },
      { source: "ok?", target: "s", sourceHandle: "true" },
      { source: "s", target: "e" },
    ],
  });
  if (!result.ok) throw new Error(result.error.message);
  const { workflow, diagnostics } = await validateWorkflow(result.value.text, "a.flow.yaml");
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(result.value.notes).toEqual([]);
  expect(workflow?.name).toBe("Daily");
  expect(workflow?.nodes.map(({ id, type }) => `${id} ${type}`)).toEqual([
    "start start",
    "get cli",
    "q variable",
    "ok_ if",
    "s loop-start",
    "e loop-end",
  ]);
  expect(workflow?.edges).toContainEqual({ source: "ok_", target: "s", sourceHandle: "true" });
  expect(workflow?.edges[0]).toEqual({ source: "start", target: "get" });
  expect(workflow?.layout).toEqual({ start: [1, 2] });
});

test("literal secrets move out of the file, and unknown parts are reported", () => {
  const result = made({
    nodes: [
      cli("a", {
        content: "true",
        env: { static: { API_KEY: "Zx81kPq0aLw92mNb", MODE: "x", TOKEN: "${t}" } },
        colour: "red",
      }),
      {
        id: "v",
        type: "variable",
        data: { title: "V", variableName: "accessToken", initialValue: "Zx81kPq0aLw92mNc" },
      },
    ],
    edges: [],
  });
  if (!result.ok) throw new Error(result.error.message);
  expect(JSON.stringify(result.value)).not.toContain("Zx81kPq0aLw92m");
  expect(result.value.text).toContain("API_KEY: ${API_KEY}");
  expect(result.value.text).toContain("initialValue: ${ACCESS_TOKEN}");
  expect(result.value.notes).toEqual([
    'Node "a": left out colour.',
    "Taken out of the workflow, as secrets: API_KEY, ACCESS_TOKEN.",
  ]);
});

test.each([
  ["an unknown kind", { nodes: [{ id: "a", type: "rocket", data: {} }] }],
  ["no nodes", { nodes: {} }],
  ["no map", 3],
])("%s is refused", (_, document) => {
  expect(made(document)).toMatchObject({ ok: false, error: { code: "import-nebulaflow" } });
});

test("invalid ids become names, each unique, even the worst", () => {
  const ids = ["a b", "a_b", "a.b", "1", "__proto__", "constructor", "é", "x".repeat(200)];
  const result = made({
    nodes: ids.map((id) => ({ id, type: "start", data: {} })),
    edges: [{ source: "a b", target: "a.b" }],
  });
  if (!result.ok) throw new Error(result.error.message);
  const found = [...result.value.text.matchAll(/- id: (\S+)/g)].map(([, id]) => id);
  expect(new Set(found).size).toBe(ids.length);
  expect(result.value.text).toContain("- id: a_b_3\n    type: start\n    after: a_b\n");
});
