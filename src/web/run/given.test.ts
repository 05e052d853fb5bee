// The values of a command's references: only what the page knows, never a secret.

import { expect, test } from "vitest";
import { done, START_MS, told } from "../../../test/web/told-run.ts";
import { commandGiven, valuesGiven } from "./given.ts";
import { overlayOf } from "./overlay.ts";

const CALL =
  'curl -sS "${api}/orders?page=${i}&order=${order}&of=${1.name}" -H "Key: ${KEY}" -H "T: ${token}" "${HOME}"';
const DOCUMENT = `curlew: 1
name: t
secrets: [KEY]
inputs: { api: { type: string, default: "http://a.test" } }
nodes:
  - { id: who, type: cli, data: { title: Who, content: "true" } }
  - { id: token, type: variable, data: { title: Token, variableName: token, content: x, secret: true } }
  - { id: pages, type: loop-start, data: { title: Pages, items: "${2}", as: order } }
  - { id: call, type: cli, data: { title: Call, content: 'true' } }
  - { id: end, type: loop-end, data: { title: End } }
edges: [token -> pages, pages -> call, who -> call, call -> end]
`.replace("'true'", `'${CALL.replace("${1.name}", "${2.name}")}'`);

test("a command's values come from its inputs, parents, and iteration; secrets and large values are left out", () => {
  const command = CALL.replace("${1.name}", "${2.name}");
  const run = told(DOCUMENT, { api: "http://a.test" })
    .at(0, done("who", '{"name":"ada\u202eb"}'))
    .at(1, { type: "loop.started", node: "pages", path: "pages", passes: 2, first: 1 })
    .at(2, { type: "pass.started", node: "pages", path: "pages[1]", index: 1, counter: 2, item: { text: "second" } })
    .at(3, {
      ...{ type: "attempt.started", node: "call", path: "call[1]", number: 1 },
      detail: { command, shell: "bash" },
    });
  const node = run.model.node("call[1]");
  if (node === undefined) throw new Error("not there");
  expect(valuesGiven(run.model, node)).toEqual([
    { reference: "${api}", text: "http://a.test", isSecret: false },
    { reference: "${i}", text: "2", isSecret: false },
    { reference: "${order}", text: "second", isSecret: false },
    { reference: "${2.name}", text: "ada\u202eb", isSecret: false },
    { reference: "${KEY}", text: undefined, isSecret: true },
    { reference: "${token}", text: undefined, isSecret: true },
  ]);
  expect(commandGiven(run.model, node)).toBe(
    'curl -sS "http://a.test/orders?page=2&order=second&of=ada\u202eb" -H "Key: ${KEY}" -H "T: ${token}" "${HOME}"',
  );
  // A value cannot change the order of the text beside it.
  expect(overlayOf(run.model, "call", new Map([["pages", 1]]), START_MS).preview).toContain(
    "http://a.test/orders?page=2",
  );
  expect(overlayOf(run.model, "call", new Map([["pages", 1]]), START_MS).preview).not.toContain("\u202e");
});
