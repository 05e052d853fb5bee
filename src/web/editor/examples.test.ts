// Every example that the box offers is tested (test/examples.test.ts), and can be added unchanged to any workflow.

import { expect, test } from "vitest";
import type { Edge } from "../../workflow/model.ts";
import { validateWorkflow } from "../../workflow/validate.ts";
import { insertPiece, linksOf, nodesOf, openDoc, perform, pieceOf } from "../document/index.ts";
import { ADDABLE } from "./examples.ts";

const EMPTY = "curlew: 1\nname: Mine\nnodes: []\n";
const textOf = (id: string): string => ADDABLE.find((example) => example.id === id)!.text;

async function added(id: string, to = EMPTY): Promise<string> {
  const change = perform(openDoc(to, "a.flow.yaml"), insertPiece(textOf(id), id, {}));
  if (!change.ok) throw new Error(change.error);
  return change.value.doc.text;
}
async function errorsIn(text: string): Promise<string[]> {
  const { diagnostics } = await validateWorkflow(text, "a.flow.yaml");
  return diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
}

test.each(ADDABLE.map(({ id }) => id))("%s is whole when it is added, once or twice", async (id) => {
  const source = openDoc(textOf(id), "r.flow.yaml");
  const recipe = source.plain ?? {};
  const once = await added(id);
  expect(await errorsIn(once)).toEqual([]);
  const { plain = {}, parsed } = openDoc(once, "a.flow.yaml");
  for (const key of ["inputs", "secrets", "auth"]) expect(plain[key], key).toEqual(recipe[key]);
  const parents = (edges: readonly Edge[] = []) => Map.groupBy(edges, ({ target }) => target);
  expect(parsed.workflow?.nodes).toEqual(source.parsed.workflow?.nodes);
  expect(parents(parsed.workflow?.edges)).toEqual(parents(source.parsed.workflow?.edges));
  const twice = await added(id, once);
  expect(await errorsIn(twice)).toEqual([]);
  expect(nodesOf(openDoc(twice, "a.flow.yaml").plain ?? {})).toHaveLength(nodesOf(recipe).length * 2);
});

test("a snippet takes along the inputs, secrets and sign-ins that it names, and no others", async () => {
  const text = await added("auth", await added("graphql-variables", await added("api-key")));
  const doc = openDoc(text, "a.flow.yaml");
  const ids = nodesOf(doc.plain ?? {}).map(({ id }) => id);
  const piece = openDoc(pieceOf(doc, ids.slice(-1)), "p.yaml").plain ?? {};
  expect(Object.keys(piece).sort()).toEqual(["auth", "inputs", "nodes", "secrets"]);
  expect(piece.secrets).toEqual(["ACCESS_TOKEN"]);
  expect(Object.keys(piece.inputs as object)).toEqual(["api"]);
  const back = perform(openDoc(EMPTY, "a.flow.yaml"), insertPiece(pieceOf(doc, ids), "all", { at: [0, 0] }));
  expect(back.ok && (await errorsIn(back.value.doc.text))).toEqual([]);
  expect(back.ok && back.value.doc.plain?.nodes).toEqual(doc.plain?.nodes);
});

test("behind a node its first step is connected", async () => {
  const one = `${EMPTY.replace("[]\n", "")}\n  - { id: a, type: start, data: { title: A } }\n`;
  const change = perform(
    openDoc(one, "a.flow.yaml"),
    insertPiece(textOf("create"), "create", { after: { source: "a" } }),
  );
  expect(change.ok && linksOf(change.value.doc.plain?.edges)).toEqual([
    { source: "a", target: "body", handle: undefined },
  ]);
});
