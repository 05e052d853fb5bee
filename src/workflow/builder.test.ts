import { expect, test } from "vitest";
import { defineWorkflow, workflow } from "./builder.ts";
import { parseWorkflow } from "./parse.ts";
import { validateWorkflow } from "./validate.ts";

const built = workflow({ name: "Built", inputs: { city: { type: "string", required: true } } })
  .cli("fetch", { title: "Fetch", content: 'curl --fail -m 9 "https://x.example/${city|uri}"' })
  .if("check", { title: "Found?", content: "exitCode = 0" })
  .text("yes", { title: "Yes", content: "Found: ${1}" })
  .text("no", { title: "No", content: "Nothing" })
  .edge("fetch", "check:true", "yes")
  .edge("check:false", "no")
  .layout({ fetch: [0, 0] });

test("a workflow written in TypeScript is a valid document", async () => {
  const { diagnostics, workflow: model } = await validateWorkflow(built.toYaml(), "built.flow.yaml");
  expect(diagnostics).toEqual([]);
  expect(model?.edges).toEqual([
    { source: "fetch", target: "check" },
    { source: "check", target: "yes", sourceHandle: "true" },
    { source: "check", target: "no", sourceHandle: "false" },
  ]);
});

test("YAML and JSON of it are the same workflow", () => {
  const json = parseWorkflow(JSON.stringify(built.document), "a.flow.json").workflow;
  expect(json).toBeDefined();
  expect(parseWorkflow(built.toYaml(), "a.flow.yaml").workflow).toEqual(json);
});

test("a builder is a value: later calls do not change it", () => {
  const one = workflow().start("a", { title: "A" });
  one.start("b", { title: "B" });
  expect(one.document.nodes.map((node) => node.id)).toEqual(["a"]);
});

test("the compiler checks ids, kinds and fields", () => {
  const one = workflow().start("a", { title: "A" });
  // @ts-expect-error no node has that id
  one.edge("a", "b");
  // @ts-expect-error a start node has a title only
  one.start("c", { title: "C", content: "x" });
  // @ts-expect-error the handle does not exist
  one.edge("a:maybe", "a");
  expect(defineWorkflow({ curlew: 1, nodes: [] }).nodes).toEqual([]);
});
