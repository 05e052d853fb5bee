// A fetched token becomes a secret Variable, which the nodes that use it name.

import { expect, test } from "vitest";
import { isKept, keepSecret, openDoc, perform } from "./index.ts";

const TEXT = `curlew: 1
name: Issues
nodes:
  - id: sign_in
    run: ./sign-in.sh
  - id: list
    run: ./list.sh \${sign_in.access_token} \${sign_in.access_token|json} \${sign_in.scope}
  - id: own
    env: { static: { access_token: "1" } }
    run: echo \${sign_in.access_token}
`;

function kept(text: string, id: string): string {
  const change = perform(openDoc(text, "a.flow.yaml"), keepSecret(id, ["access_token"]));
  if (!change.ok) throw new Error(change.error);
  expect(isKept(change.value.doc.plain ?? {}, id, ["access_token"])).toBe(/^\w+$/.test(id));
  return change.value.doc.text;
}

test("a Variable takes the token, and nodes name it instead of the answer", () => {
  expect(isKept(openDoc(TEXT, "a.flow.yaml").plain ?? {}, "sign_in", ["access_token"])).toBe(false);
  const variable = `  - id: access_token
    type: variable
    variableName: access_token
    secret: true
    content: \${sign_in.access_token}
`;
  expect(kept(TEXT, "sign_in")).toBe(
    TEXT.replace("  - id: list\n", (list) => variable + list).replace(
      "${sign_in.access_token} ${sign_in.access_token|json}",
      "$${access_token} $${access_token|json}",
    ),
  );
});

test("a name in use gets a number, and an id that no reference can name passes its whole value", () => {
  expect(kept(TEXT.replace("- id: own", "- id: access_token"), "sign_in")).toContain("- id: access_token_2\n");
  expect(kept(TEXT.replaceAll("sign_in", "sign-in"), "sign-in")).toMatch(
    / {2}- id: access_token\n {4}type: variable\n {4}after: sign-in\n {4}variableName: access_token\n {4}secret: true\n/,
  );
});
