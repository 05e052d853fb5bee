// An id follows the title that it was made from, until something names it.

import { expect, test } from "vitest";
import { addNode, openDoc, perform, record, retitle, together, undo } from "./index.ts";

const SHORT = `curlew: 1
nodes:
  - id: run_a_command_2 # mine
    run: echo 1
  - id: next
    after: run_a_command_2
    run: echo 2
output: run_a_command_2
layout:
  run_a_command_2: [0, 0]
`;

function retitled(text: string, id: string, title: string, hasRun = false): string {
  const change = perform(openDoc(text, "a.flow.yaml"), retitle(id, title, hasRun));
  if (!change.ok) throw new Error(change.error);
  return change.value.doc.text;
}

test("the id follows the title, with everything that the file lists by id", () => {
  expect(retitled(SHORT, "run_a_command_2", "Fetch items")).toBe(SHORT.replaceAll("run_a_command_2", "fetch_items"));
  expect(retitled(SHORT, "run_a_command_2", "Fetch 3 URLs")).toBe(
    SHORT.replaceAll("run_a_command_2", "fetch_3_urls").replace("echo 1\n", "echo 1\n    title: Fetch 3 URLs\n"),
  );
});

test("title and id are one step to undo", () => {
  const doc = openDoc(SHORT, "a.flow.yaml");
  const change = perform(doc, retitle("run_a_command_2", "Fetch items", false));
  if (!change.ok) throw new Error(change.error);
  const { label, edits, inverse } = change.value;
  expect(label).toBe("Change title of Run a command 2");
  const history = record({ done: [], undone: [] }, { label, edits, inverse, at: 0 }, SHORT);
  expect(undo(change.value.doc.text, history)).toMatchObject({ text: SHORT });
});

test.each<[why: string, text: string, hasRun: boolean]>([
  ["a command names it", SHORT.replace("echo 2", "echo ${run_a_command_2}"), false],
  ["standard input names it", SHORT.replace("run: echo 2", "run: cat\n    stdin: run_a_command_2"), false],
  ["it has run", SHORT, true],
])("the id stays when %s", (_, text, hasRun) => {
  expect(retitled(text, "run_a_command_2", "Fetch items", hasRun)).toBe(
    text.replace("echo 1\n", "echo 1\n    title: Fetch items\n"),
  );
});

test("an id that the author chose stays, and a new one is not the name of something else", () => {
  const own = SHORT.replace("# mine\n", "# mine\n    title: The first call\n");
  expect(retitled(own, "run_a_command_2", "Fetch items")).toBe(own.replace("The first call", "Fetch items"));
  const inputs = SHORT.replace("nodes:", "inputs:\n  fetch: { type: string }\nnodes:");
  expect(retitled(inputs, "run_a_command_2", "Fetch")).toContain("- id: fetch_2 # mine");
  expect(retitled(SHORT, "run_a_command_2", "Next")).toContain("- id: next_2 # mine");
  expect(retitled(SHORT, "run_a_command_2", "取得")).toContain("- id: run_a_command_2 # mine");
});

test("labels of changes have titles", () => {
  const doc = openDoc(SHORT.replace("# mine\n", "# mine\n    title: Get it\n"), "a.flow.yaml");
  const add = addNode({ type: "text", data: { title: "T", content: "x" } });
  const change = perform(doc, together("both", [add, retitle("run_a_command_2", "X", true)]));
  expect(change.ok && change.value.label).toBe("both");
  const one = perform(doc, retitle("run_a_command_2", "X", true));
  expect(one.ok && one.value.label).toBe("Change title of Get it");
});
