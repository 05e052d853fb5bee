// A credential in a node's text becomes a secret: its value is returned for the store, and the text names it.

import { expect, test } from "vitest";
import { validateWorkflow } from "../../workflow/validate.ts";
import { findingsOf } from "../code/places.ts";
import { offersOf } from "../editor/fixing.ts";
import { Session } from "../editor/session.ts";
import { envEntries } from "../secrets/env-text.ts";
import { dropPending, ending, keepPending, usePending } from "../secrets/pending.ts";
import { movedOf } from "./moved.ts";

const KEY = "Zx81kPq0aLw92mNbT7";
const FILE = "a.flow.yaml";

/** The text after the first credential was moved, and the values for the store. */
async function moved(node: string, taken: string[] = [], same: string[] = []) {
  const text = `curlew: 1\nname: a\nnodes:\n  - id: call\n${node}\n`;
  const { diagnostics } = await validateWorkflow(text, FILE);
  const session = new Session(FILE, { text }, () => 0);
  const { doc } = session.store.getState();
  const secret = findingsOf(text, diagnostics)
    .all.flatMap((finding) => offersOf(finding, doc))
    .find((offer) => offer.label === "Move to a secret")?.secret;
  const { edit, values } = await movedOf(secret!, doc, new Set(taken), async (value) => (value === KEY ? same : []));
  expect(session.edit(edit)).toBeUndefined();
  const state = session.store.getState();
  expect(JSON.stringify([state.doc.text, state.history])).not.toContain(KEY);
  expect(
    (await validateWorkflow(state.doc.text, FILE)).diagnostics.filter(({ code }) => /credential/.test(code)),
  ).toEqual([]);
  return { text: state.doc.text, values: [...values] };
}

test("the header of a curl command becomes auth, under a name that is free", async () => {
  const { text, values } = await moved(
    `    run: "curl -fm 5 -H 'Authorization: Bearer ${KEY}' https://api.github.com/user"`,
    ["GITHUB_TOKEN"],
  );
  expect(values).toEqual([["GITHUB_TOKEN_2", KEY]]);
  expect(text).toContain("secrets: [GITHUB_TOKEN_2]\n");
  expect(text).toContain('run: "curl -fm 5 https://api.github.com/user"\n');
  expect(text).toContain("token: ${GITHUB_TOKEN_2}\n");
});

test("a secret that already has the value is named, and not saved again", async () => {
  const node = `    run: "curl -fm 5 -H 'Authorization: Bearer ${KEY}' https://api.github.com/user"`;
  const { text, values } = await moved(node, ["GITHUB_TOKEN", "OTHER"], ["A_KEY", "GITHUB_TOKEN"]);
  expect(values).toEqual([]);
  expect(text).toContain("secrets: [GITHUB_TOKEN]\n");
  expect(text).toContain("token: ${GITHUB_TOKEN}\n");
  expect((await moved(node, ["OTHER"], ["OTHER"])).text).toContain("token: ${OTHER}\n");
});

test.each([
  [
    `    run: my-tool login --server "https://me:${KEY}@db.example.com/x"`,
    "API_PASSWORD",
    "https://me:${API_PASSWORD}@db",
  ],
  [`    run: env\n    env:\n      static: { MY_TOKEN: ${KEY} }`, "MY_TOKEN", 'MY_TOKEN: "${MY_TOKEN}"'],
])("another text names the secret in its place: %s", async (node, name, wanted) => {
  const { text, values } = await moved(node);
  expect(values).toEqual([[name, KEY]]);
  expect(text).toContain(wanted);
});

test("values of pasted commands wait in memory; another value for a name gets another name", () => {
  expect([...keepPending(new Map([["API_TOKEN", KEY]]))]).toEqual([]);
  expect([...keepPending(new Map([["API_TOKEN", KEY]]))]).toEqual([]);
  expect([...keepPending(new Map([["API_TOKEN", "other"]]))]).toEqual([["API_TOKEN", "API_TOKEN_2"]]);
  expect([...keepPending(new Map([["KEY", KEY]]), new Set(["KEY", "KEY_2"]))]).toEqual([["KEY", "KEY_3"]]);
  dropPending(["API_TOKEN", "KEY_3"]);
  expect([...usePending.getState().values]).toEqual([["API_TOKEN_2", "other"]]);
  expect([ending(KEY), ending("short")]).toEqual(["••••bT7", "••••"]);
});

test("a pasted .env file is read by entries, and other text is not one", () => {
  const text = `# Keys\nexport A=one # the first\r\nB = "two \\"words\\"\\nand a line"\nC='a # b'\n\nEMPTY=\n`;
  expect([...envEntries(text)]).toEqual([
    ["A", "one"],
    ["B", 'two "words"\nand a line'],
    ["C", "a # b"],
  ]);
  for (const other of ["abc", "curl -d a=b https://x.test", "A=1\nand more words", '{"a": 1}'])
    expect([...envEntries(other)], other).toEqual([]);
});
