// Every call of the catalogue is a tested example (test/examples.test.ts), and can be added unchanged to any workflow.

import { expect, test } from "vitest";
import { validateWorkflow } from "../../workflow/validate.ts";
import { insertPiece, linksOf, nodesOf, openDoc, perform, pieceOf } from "../document/index.ts";
import { RECIPES, recipeText } from "./catalogue.ts";

const EMPTY = "curlew: 1\nname: Mine\nnodes: []\n";
/** The fields that a recipe may have beside its nodes. Adding the recipe would lose any others. */
const HEADS = new Set(["curlew", "name", "description", "inputs", "secrets", "auth", "nodes", "edges", "output"]);

async function added(id: string, to = EMPTY): Promise<string> {
  const change = perform(openDoc(to, "a.flow.yaml"), insertPiece(await recipeText(id), id, {}));
  if (!change.ok) throw new Error(change.error);
  return change.value.doc.text;
}
async function errorsIn(text: string): Promise<string[]> {
  const { diagnostics } = await validateWorkflow(text, "a.flow.yaml");
  return diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
}

test.each(RECIPES.map(({ id }) => id))("%s is whole when it is added, once or twice", async (id) => {
  const recipe = openDoc(await recipeText(id), "r.flow.yaml").plain ?? {};
  expect(Object.keys(recipe).filter((key) => !HEADS.has(key))).toEqual([]);
  const once = await added(id);
  expect(await errorsIn(once)).toEqual([]);
  const plain = openDoc(once, "a.flow.yaml").plain ?? {};
  for (const key of ["nodes", "inputs", "secrets", "auth"]) expect(plain[key], key).toEqual(recipe[key]);
  expect(linksOf(plain.edges)).toEqual(linksOf(recipe.edges));
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
    insertPiece(await recipeText("create"), "create", { after: { source: "a" } }),
  );
  expect(change.ok && linksOf(change.value.doc.plain?.edges)).toEqual([
    { source: "body", target: "create" },
    { source: "a", target: "body" },
  ]);
});
