// A pasted curl command becomes one node: the same command without its credentials, which are named in `secrets` and
// are nowhere else.

import { expect, test } from "vitest";
import { scanTokens } from "../../src/secrets/scan.ts";
import { titleOf, workflowOfCurl } from "../../src/workflow/import/curl.ts";
import { validateWorkflow } from "../../src/workflow/validate.ts";

const KEY = "Zx81kPq0aLw92mNbT7";

/** The node's data and the secrets. The document is valid, and contains no credential of the paste. */
async function imported(pasted: string, ...hidden: string[]) {
  const made = await workflowOfCurl(pasted);
  if (!made.ok) throw new Error(made.error.message);
  for (const value of [KEY, ...hidden]) expect(JSON.stringify(made.value)).not.toContain(value);
  const { workflow, diagnostics } = await validateWorkflow(made.value.text, "a.flow.yaml", { scanTokens });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const [node] = workflow?.nodes ?? [];
  if (node?.type !== "cli") throw new Error("no node");
  return { content: withoutDefaults(node.data.content), auth: node.data.auth, secrets: workflow?.secrets };
}

/** The command as pasted, without the options that the import adds. */
function withoutDefaults(command: string): string {
  return command.replace(/^curl(?: --fail-with-body)?(?: -sS)?(?: --max-time 30)?/, "curl");
}

const U = "https://api.example.com/x";

test("a variable that nothing sets becomes an input, or a secret where it signs in", async () => {
  const pasted = `curl "https://api.twilio.com/Accounts/$SID/Messages.json?to=$TO" -u "$SID:$TOKEN" -d "from=\${FROM}" -o "$HOME/x"`;
  const made = await workflowOfCurl(pasted);
  if (!made.ok) throw new Error(made.error.message);
  const { workflow, diagnostics } = await validateWorkflow(made.value.text, "a.flow.yaml");
  expect(diagnostics).toEqual([]);
  expect(workflow).toMatchObject({
    secrets: ["TOKEN"],
    inputs: {
      SID: { type: "string", required: true },
      TO: { type: "string", required: true },
      FROM: { type: "string", required: true },
    },
    nodes: [{ data: { auth: { type: "basic", username: "${SID}", password: "${TOKEN}" } } }],
  });
  const { content } = workflow!.nodes[0]!.data as { content: string };
  expect(content).toContain(
    '"https://api.twilio.com/Accounts/${SID}/Messages.json?to=${TO}" -d "from=${FROM}" -o "$HOME/x"',
  );
  expect(made.value.notes).toContain("Variables of the command, as inputs: SID, TO, FROM.");
});

test("a variable that the command sets or gives a default stays its own", async () => {
  const { content } = await imported(`curl ${U} -d "$(for n in 1 2; do echo $n; done)" -d "x=\${Y:-1}"`);
  expect(content).toBe(`curl ${U} -d "$(for n in 1 2; do echo $n; done)" -d "x=\${Y:-1}"`);
});

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
  [
    "a key that signs in without a password, as Stripe's pages have it",
    `curl ${U} \\\n  -u "${KEY}:" \\\n  -d name="Jenny Rosen"`,
    `curl ${U} \\\n  -d name="Jenny Rosen"`,
    { type: "basic", username: "${API_KEY}", password: "" },
    ["API_KEY"],
  ],
  [
    "such a key of the shell's own",
    `curl -u "$STRIPE_KEY": ${U}`,
    `curl ${U}`,
    { type: "basic", username: "${STRIPE_KEY}", password: "" },
    ["STRIPE_KEY"],
  ],
  [
    "such a key in the address",
    `curl https://${KEY}:@api.example.com/x`,
    `curl "${U}" --user "\${API_TOKEN}:"`,
    undefined,
    ["API_TOKEN"],
  ],
  [
    "the address of a Slack channel",
    `curl --json '{"text":"Hi"}' https://hooks.slack.com/services/T0/B0/${KEY}`,
    'curl --json \'{"text":"Hi"}\' "https://hooks.slack.com/services/${SLACK_WEBHOOK}"',
    undefined,
    ["SLACK_WEBHOOK"],
  ],
  [
    "the token of a Telegram bot",
    `curl 'https://api.telegram.org/bot123:${KEY}/getMe?x=1'`,
    'curl "https://api.telegram.org/bot${TELEGRAM_TOKEN}/getMe?x=1"',
    undefined,
    ["TELEGRAM_TOKEN"],
  ],
])("%s is lifted out", async (_, pasted, content, auth, secrets) => {
  expect(await imported(pasted)).toEqual({ content, auth, secrets });
});

test("the values are returned beside the document, and no JSON contains them", async () => {
  const made = await workflowOfCurl(
    `curl -H 'Authorization: Bearer ${KEY}' -b "s=$SESSION" -d 'password=a%20b' https://api.github.com/x?api_key=c+d`,
  );
  if (!made.ok) throw new Error(made.error.message);
  expect([...made.value.values!]).toEqual([
    ["GITHUB_TOKEN", KEY],
    ["PASSWORD", "a b"],
    ["GITHUB_KEY", "c d"],
  ]);
  expect(JSON.stringify(made.value)).not.toMatch(new RegExp(`${KEY}|a b|c d`));
});

test.each([
  [`curl ${U}`, `curl --fail-with-body -sS --max-time 30 ${U}`],
  [`curl -fsS ${U} | jq .`, `curl --max-time 30 -fsS ${U} | jq .`],
  [`curl -vo a.zip ${U}`, `curl --fail-with-body --max-time 600 -vo a.zip ${U}`],
  [`curl ${U}?a=1&b=2`, `curl --fail-with-body -sS --max-time 30 "${U}?a=1&b=2"`],
  [`curl -f -m 5 -d '${U}?a=1&b=2' ${U}`, `curl -sS -f -m 5 -d '${U}?a=1&b=2' ${U}`],
  [`curl -X DELETE ${U}`, `curl --fail-with-body -sS --max-time 30 -X DELETE ${U}`],
])("%s has no warnings", async (pasted, run) => {
  const made = await workflowOfCurl(pasted);
  if (!made.ok) throw new Error(made.error.message);
  const { workflow, diagnostics } = await validateWorkflow(made.value.text, "a.flow.yaml", { scanTokens });
  expect(diagnostics).toEqual([]);
  expect(workflow?.nodes[0]?.data).toMatchObject({ content: run });
});

test.each(["<YOUR-TOKEN>", "YOUR_API_KEY", "xxxx", "...", "token"])(
  "%s is a placeholder: the secret is asked for",
  async (word) => {
    const made = await workflowOfCurl(`curl -H 'Authorization: Bearer ${word}' ${U}`);
    expect(made).toMatchObject({
      ok: true,
      value: { values: new Map(), text: expect.stringContaining("- API_TOKEN") },
    });
  },
);

test("two credentials: one signs in, the other is named in its place", async () => {
  const { content, auth, secrets } = await imported(
    `curl -H 'Authorization: Bearer ${KEY}' -H 'X-Api-Key: ${KEY}2' ${U}`,
    `${KEY}2`,
  );
  expect(content).toBe(`curl -H "X-Api-Key: \${API_KEY}" ${U}`);
  expect(auth).toEqual({ type: "bearer", token: "${API_TOKEN}" });
  expect(secrets).toEqual(["API_TOKEN", "API_KEY"]);
});

test("a command copied from a browser stays word by word, line by line, and so does the text after it", async () => {
  const pasted = `$ curl '${U}' \\\n  -X POST \\\n  -H 'authorization: Bearer ${KEY}' \\\n  -H 'accept: */*' \\\n  --data-raw $'{"q":"\\u0041 it\\'s"}' | jq '.items[] | {id}' > "$HOME/out.json"`;
  const { content } = await imported(pasted);
  expect(content).toBe(
    `curl '${U}' \\\n  -X POST \\\n  -H 'accept: */*' \\\n  --data-raw $'{"q":"\\u0041 it\\'s"}' | jq '.items[] | {id}' > "$HOME/out.json"`,
  );
});

test("a command in the Windows form gets its usual name", async () => {
  const { content } = await imported(`$ curl.exe -X POST ${U}`);
  expect(content).toBe(`curl -X POST ${U}`);
});

test.each([
  ["a remark in front", `# all of them\n\ncurl ${U}`, `curl ${U}`],
  ["a block of Markdown", `\`\`\`bash\n$ curl ${U}\n\`\`\``, `curl ${U}`],
  ["quotes that a page made typographic", `curl \u201c${U}\u201d -H \u2018a: b\u2019`, `curl "${U}" -H 'a: b'`],
  ["such quotes within others", `curl -d '\u201cx\u201d' ${U}`, `curl -d '\u201cx\u201d' ${U}`],
  [
    "lines as Windows' pages write them",
    `curl.exe -X POST "${U}" ^\r\n  -H "a: b" ^\n  -d "{\\"a\\": 1}"`,
    `curl -X POST "${U}" \\\n  -H "a: b" \\\n  -d "{\\"a\\": 1}"`,
  ],
])("%s is understood", async (_, pasted, content) => {
  expect(await imported(pasted)).toMatchObject({ content });
});

test("a call gets its name from its method and path, without any credential", () => {
  expect(titleOf("DELETE", "curl -X DELETE https://api.test/v1/items/7?x=1")).toBe("DELETE /v1/items/7");
  expect(titleOf(undefined, "curl https://u:p@api.test/")).toBe("GET api.test");
  expect(titleOf("GET", 'curl "$API/x"')).toBe("GET with curl");
});

test.each([
  ["another shell's quotes", `curl ^"${U}^" ^\r\n -H ^"a: b^"`],
  ["Windows' lines with what bash reads otherwise", `curl "${U}" ^\n -d "costs $5"`],
  ["PowerShell's line ends", `curl ${U} \`\n -H 'a: b'`],
  ["an open quote", `curl '${U}`],
  ["another program", "wget https://example.com"],
  ["curl as data", `echo curl ${U}`],
  ["nothing", ""],
])("%s is refused", async (_, pasted) => {
  expect(await workflowOfCurl(pasted)).toMatchObject({ ok: false, error: { code: "import-curl" } });
});

test("a credential that was not moved out makes the document invalid", async () => {
  const made = await workflowOfCurl(`curl -d 'x' ${U} # ghp_${"a1B2c3D4e5F6".repeat(3)}`);
  const checked = await validateWorkflow(made.ok ? made.value.text : "", "a.flow.yaml", { scanTokens });
  expect(checked.diagnostics.map(({ code }) => code)).toContain("credential-in-document");
});
