import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { validateWorkflow } from "../../workflow/validate.ts";
import { applied, type Fix, fixesOf } from "./fixes.ts";
import { findingsOf } from "./places.ts";

interface Given {
  type?: string;
  data?: Record<string, unknown>;
  secrets?: string[];
}

function documentOf(content: string, { type = "cli", data = {}, secrets = [] }: Given) {
  return {
    curlew: 1,
    inputs: { repo: { type: "string" } },
    secrets,
    nodes: [
      { id: "get", type: "cli", data: { title: "Get", content: "true" } },
      { id: "a", type, data: { title: "A", content, ...data } },
      { id: "v", type: "variable", data: { title: "V", variableName: "total", initialValue: "1" } },
      ...(type === "if" ? [{ id: "t", type: "text", data: { title: "T", content: "x" } }] : []),
    ],
    edges: ["get -> a", ...(type === "if" ? ["a:true -> t"] : [])],
  };
}

async function found(content: string, given: Given = {}) {
  const text = stringify(documentOf(content, given), { lineWidth: 0 });
  const { diagnostics } = await validateWorkflow(text, "a.flow.yaml", {
    environment: new Set(["MY_NAME"]),
    passesEnvironment: () => false,
  });
  const value: string = parse(text).nodes[1].data.content;
  const findings = findingsOf(text, diagnostics).under(["nodes", 1]);
  return findings.map((finding) => ({ finding, value, fixes: fixesOf(finding, value) }));
}

async function fixed(code: string, content: string, given?: Given): Promise<{ text: string; fix: Fix }> {
  const all = await found(content, given);
  const one = all.find(({ finding }) => finding.code === code);
  expect(one, all.map(({ finding }) => finding.code).join()).toBeDefined();
  const fix = one!.fixes[0]!;
  expect(fix, `a fix of ${code}`).toBeDefined();
  const text = applied(content, fix.changes ?? []);
  const left = await found(text, { ...given, data: { ...given?.data, ...setBy(fix) } });
  expect(
    left.map(({ finding }) => finding.code),
    text,
  ).not.toContain(code);
  return { text, fix };
}

function setBy({ set = [] }: Fix): Record<string, unknown> {
  return Object.fromEntries(
    set.map(({ path, value, add }) =>
      path.length === 1 ? [path[0], value] : [path[0], { [path[1]!]: add === undefined ? value : [add] }],
    ),
  );
}

describe("fixes", () => {
  it.each([
    ["curl-no-fail", "curl -s https://x.test | jq .", "curl --fail-with-body -s https://x.test | jq ."],
    ["curl-no-time-limit", 'curl -f "https://x.test"', 'curl --max-time 30 -f "https://x.test"'],
    ["failure-ignored", "curl -f -m 3 https://x.test/a\necho ok", "curl -f -m 3 https://x.test/a\necho ok"],
    ["http-not-allowed", 'curl -f -m 3 "http://x.test/a"', 'curl -f -m 3 "https://x.test/a"'],
    ["http-not-allowed", "curl -f -m 3 x.test/a", "curl -f -m 3 https://x.test/a"],
    ["unquoted-variable", "a=$(cat f); rm -- $a", 'a=$(cat f); rm -- "$a"'],
    ["curl-insecure", "curl -f -m 3 \\\n  -k https://x.test", "curl -f -m 3 https://x.test"],
    ["unknown-name-in-shell", 'echo "${repoo}"', 'echo "${repo}"'],
    ["unknown-filter", 'echo "${repo|jsn}"', 'echo "${repo|json}"'],
    ["unknown-filter", 'echo "${repo|url}"', 'echo "${repo|uri}"'],
    ["unknown-filter", 'echo "${repo|or}"', 'echo "${repo|default("")}"'],
    ["template-syntax", "echo ${repo|or('x')}", 'echo ${repo|default("x")}'],
  ])("fix %s in %s", async (code, content, expected) => {
    const { text } = await fixed(code, content);
    expect(text).toBe(expected);
  });

  it.each([
    ["expression-operator", 'inputs[0].s === "a"', 'inputs[0].s == "a"'],
    ["expression-operator", "exitCode = 0 && status = 200", "exitCode = 0 and status = 200"],
    ["expression-template", "${1.n} > 3", "inputs[0].n > 3"],
    ["expression-template", "${get.n[0]} > 3", "nodes.get.n[0] > 3"],
    ["expression-template", "${total|int} > 3", "vars.total > 3"],
    ["expression-unknown-name", "exitcode = 0", "exitCode = 0"],
    ["unknown-variable", "vars.totl = 1", "vars.total = 1"],
    ["name-in-filter", "inputs[0].a[n > vars.total] = 1", "inputs[0].a[n > $vars.total] = 1"],
    ["condition-member", "${1}.status == 200", "${1.status} == 200"],
  ])("fix %s in the expression %s", async (code, content, expected) => {
    const { text } = await fixed(code, content, { type: "if" });
    expect(text).toBe(expected);
  });

  it.each([
    ["foreign-syntax", "from {{ $json.name }}", "from ${1.name}"],
    ["json-in-quotes", '{"name": "${1}"}', '{"name": ${1|json}}'],
  ])("fix %s in the text %s", async (code, content, expected) => {
    const { text } = await fixed(code, content, { type: "text" });
    expect(text).toBe(expected);
  });

  it("takes a secret off the command line, and signs in by auth", async () => {
    const { text, fix } = await fixed(
      "secret-on-command-line",
      'curl -f -m 9 -H "Authorization: Bearer ${TOKEN}" https://x.test',
      { secrets: ["TOKEN"] },
    );
    expect(text).toBe("curl -f -m 9 https://x.test");
    expect(fix.set).toEqual([{ path: ["auth"], value: { type: "bearer", token: "${TOKEN}" } }]);
  });

  it.each([
    [
      'curl -f -m 9 https://x.test -d grant_type=a -d "client_secret=${TOKEN}"',
      "-d grant_type=a --data-urlencode client_secret@-",
    ],
    [
      "curl -f -m 9 https://x.test --data-urlencode client_secret=${TOKEN} -d b=1",
      "--data-urlencode client_secret@- -d b=1",
    ],
    ["curl -f -m 9 https://x.test -d 'client_secret=${TOKEN|uri}'", "--data-urlencode client_secret@-"],
  ])("takes a field of a form off the command line: %s", async (content, end) => {
    const { text, fix } = await fixed("secret-on-command-line", content, { secrets: ["TOKEN"] });
    expect(text).toBe(`curl -f -m 9 https://x.test ${end}`);
    expect(fix.set).toEqual([{ path: ["stdin"], value: { text: "${TOKEN}" }, isNew: true }]);
  });

  it("sets fields where the text is right", async () => {
    expect((await fixed("asks-approval", "rm -rf out")).fix.set).toEqual([
      { path: ["needsUserApproval"], value: true },
    ]);
    expect((await fixed("stdin-missing", "jq .name")).fix.set).toEqual([{ path: ["stdin"], value: "get" }]);
    expect((await fixed("env-not-passed", 'echo "$MY_NAME"')).fix.set).toEqual([
      { path: ["env", "inherit"], add: "MY_NAME" },
    ]);
  });

  it("offers none for what it does not know", async () => {
    const all = await found("eval ${1}");
    expect(all.find(({ finding }) => finding.code === "template-evaluated")?.fixes).toEqual([]);
  });
});
