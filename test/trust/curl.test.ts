// A pasted curl command becomes one node: the same command without its credentials, which are named in `secrets` and found nowhere else.

import { expect, test } from "vitest";
import { scanTokens } from "../../src/secrets/scan.ts";
import { workflowOfCurl } from "../../src/workflow/import/curl.ts";
import { validateWorkflow } from "../../src/workflow/validate.ts";

const KEY = "Zx81kPq0aLw92mNbT7";

/** The node's data and the secrets; the document is sound, and no credential of the paste stands in it. */
async function imported(pasted: string, ...hidden: string[]) {
  const made = await workflowOfCurl(pasted);
  if (!made.ok) throw new Error(made.error.message);
  for (const value of [KEY, ...hidden]) expect(JSON.stringify(made.value)).not.toContain(value);
  const { workflow, diagnostics } = await validateWorkflow(made.value.text, "a.flow.yaml", { scanTokens });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const [node] = workflow?.nodes ?? [];
  if (node?.type !== "cli") throw new Error("no node");
  return { content: node.data.content, auth: node.data.auth, secrets: workflow?.secrets };
}

const U = "https://api.example.com/x";

test.each([
  [
    "a bearer token",
    `curl -f -H 'Authorization: Bearer ${KEY}' ${U}`,
    `curl -f ${U}`,
    { type: "bearer", token: "${API_TOKEN}" },
    ["API_TOKEN"],
  ],
  [
    "in double quotes, attached",
    `curl "-HAuthorization: Bearer ${KEY}" ${U}`,
    `curl ${U}`,
    { type: "bearer", token: "${API_TOKEN}" },
    ["API_TOKEN"],
  ],
  [
    "by its long name",
    `curl --header="authorization: bearer ${KEY}" ${U}`,
    `curl ${U}`,
    { type: "bearer", token: "${API_TOKEN}" },
    ["API_TOKEN"],
  ],
  [
    "of the shell's own",
    `curl -H "Authorization: Bearer $GITHUB_TOKEN" ${U}`,
    `curl ${U}`,
    { type: "bearer", token: "${GITHUB_TOKEN}" },
    ["GITHUB_TOKEN"],
  ],
  [
    "in a cluster of letters",
    `curl -sSH 'Authorization: Bearer ${KEY}' ${U}`,
    `curl -sSH "Authorization: Bearer \${API_TOKEN}" ${U}`,
    undefined,
    ["API_TOKEN"],
  ],
  [
    "an API key",
    `curl -H 'X-API-Key: ${KEY}' ${U}`,
    `curl ${U}`,
    { type: "header", name: "X-API-Key", value: "${API_KEY}" },
    ["API_KEY"],
  ],
  [
    "a password",
    `curl -u me:${KEY} ${U}`,
    `curl ${U}`,
    { type: "basic", username: "me", password: "${API_PASSWORD}" },
    ["API_PASSWORD"],
  ],
  [
    "Basic",
    `curl -H 'Authorization: Basic ${btoa(`me:${KEY}`)}' ${U}`,
    `curl ${U}`,
    { type: "basic", username: "me", password: "${API_PASSWORD}" },
    ["API_PASSWORD"],
  ],
  [
    "a cookie",
    `curl -b 'session=${KEY}' ${U}`,
    `curl ${U}`,
    { type: "header", name: "Cookie", value: "${COOKIE}" },
    ["COOKIE"],
  ],
  [
    "a password in the address",
    `curl https://me:${KEY}@api.example.com/x`,
    `curl "${U}"`,
    { type: "basic", username: "me", password: "${API_PASSWORD}" },
    ["API_PASSWORD"],
  ],
  [
    "a key in the query",
    `curl '${U}?a=1&api_key=${KEY}&b=2'`,
    `curl "${U}?a=1&api_key=\${API_KEY|uri}&b=2"`,
    undefined,
    ["API_KEY"],
  ],
  [
    "a password in a body",
    `curl --json '{"password":"${KEY}", "a": "it'\\''s"}' ${U}`,
    `curl --json '{"password":\${PASSWORD|json}, "a": "it'\\''s"}' ${U}`,
    undefined,
    ["PASSWORD"],
  ],
  [
    "a password in a form",
    `curl -d 'user=me&password=${KEY}' ${U}`,
    `curl -d "user=me&password=\${PASSWORD|uri}" ${U}`,
    undefined,
    ["PASSWORD"],
  ],
])("%s is lifted out", async (_, pasted, content, auth, secrets) => {
  expect(await imported(pasted)).toEqual({ content, auth, secrets });
});

test("two credentials: one signs in, the other is named where it stood", async () => {
  const { content, auth, secrets } = await imported(
    `curl -H 'Authorization: Bearer ${KEY}' -H 'X-Api-Key: ${KEY}2' ${U}`,
    `${KEY}2`,
  );
  expect(content).toBe(`curl -H "X-Api-Key: \${API_KEY}" ${U}`);
  expect(auth).toEqual({ type: "bearer", token: "${API_TOKEN}" });
  expect(secrets).toEqual(["API_TOKEN", "API_KEY"]);
});

test("what a browser copies stays word by word, line by line, and so does what stands behind it", async () => {
  const pasted = `$ curl '${U}' \\\n  -X POST \\\n  -H 'authorization: Bearer ${KEY}' \\\n  -H 'accept: */*' \\\n  --data-raw $'{"q":"\\u0041 it\\'s"}' | jq '.items[] | {id}' > "$HOME/out.json"`;
  const { content } = await imported(pasted);
  expect(content).toBe(
    `curl '${U}' \\\n  -X POST \\\n  -H 'accept: */*' \\\n  --data-raw $'{"q":"\\u0041 it\\'s"}' | jq '.items[] | {id}' > "$HOME/out.json"`,
  );
});

test("a command as Windows names it is called by its name", async () => {
  const { content } = await imported(`$ curl.exe -X POST ${U}`);
  expect(content).toBe(`curl -X POST ${U}`);
});

test.each([
  ["another shell's quotes", `curl ^"${U}^" ^\r\n -H ^"a: b^"`],
  ["PowerShell's line ends", `curl ${U} \`\n -H 'a: b'`],
  ["an open quote", `curl '${U}`],
  ["another program", "wget https://example.com"],
  ["curl as data", `echo curl ${U}`],
  ["nothing", ""],
])("%s is refused", async (_, pasted) => {
  expect(await workflowOfCurl(pasted)).toMatchObject({ ok: false, error: { code: "import-curl" } });
});

test("a credential that was not lifted stops the document", async () => {
  const made = await workflowOfCurl(`curl -d 'x' ${U} # ghp_${"a1B2c3D4e5F6".repeat(3)}`);
  const checked = await validateWorkflow(made.ok ? made.value.text : "", "a.flow.yaml", { scanTokens });
  expect(checked.diagnostics.map(({ code }) => code)).toContain("credential-in-document");
});
