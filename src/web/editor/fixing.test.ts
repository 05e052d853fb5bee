// Several findings are fixed as one undo step, and the fixed text has none of them.

import { expect, test } from "vitest";
import { validateWorkflow } from "../../workflow/validate.ts";
import { type Finding, findingsOf } from "../code/places.ts";
import { type Doc, openDoc, perform } from "../document/index.ts";
import { bySeverity, fixAll, isSafe, offersOf, withTitles } from "./fixing.ts";

const FILE = "a.flow.yaml";
const DOCUMENT = `curlew: 1
name: Report
nodes:
  - id: fetch
    title: Fetch the posts
    run: curl https://api.example.com/a | curl --json @- https://api.example.com/b
  - id: check
    after: fetch
    if: exitCode === 0
  - id: count
    after: [check:true, fetch]
    run: jq length
  - id: page
    after: count
    run: |
      x=$(cat names)
      curl https://api.example.com/$x
`;

async function checked(text: string): Promise<{ doc: Doc; findings: Finding[] }> {
  const { diagnostics } = await validateWorkflow(text, FILE);
  return { doc: openDoc(text, FILE), findings: [...findingsOf(text, diagnostics).all] };
}
const codesOf = (findings: readonly Finding[]) => findings.map(({ code }) => code);

test("all safe fixes are one step, also several in one command, and leave no finding that they were for", async () => {
  const { doc, findings } = await checked(DOCUMENT);
  expect(codesOf(findings.filter(isSafe)).sort()).toEqual([
    ...["curl-no-fail", "curl-no-fail", "curl-no-fail"],
    ...["curl-no-time-limit", "curl-no-time-limit", "curl-no-time-limit"],
    ...["expression-operator", "stdin-missing", "unquoted-variable"],
  ]);
  const fixed = perform(doc, fixAll(findings.filter(isSafe), doc)!);
  if (!fixed.ok) throw new Error(fixed.error);
  expect(fixed.value.label).toBe("Fix 9 problems");
  const after = await checked(fixed.value.doc.text);
  expect(codesOf(after.findings)).toEqual(["branch-bypassed"]);
  expect(fixed.value.doc.text).toContain("    stdin: fetch\n");
  expect(fixed.value.doc.text).toContain(
    "run: curl --fail-with-body --max-time 30 https://api.example.com/a | curl --fail",
  );
});

test("an edge that bypasses a branch is named by the finding, and its fix writes the value's name", async () => {
  const { doc, findings } = await checked(DOCUMENT);
  const bypass = findings.find(({ code }) => code === "branch-bypassed")!;
  expect(bypass.edge).toEqual({ source: "fetch", target: "count" });
  const [offer] = offersOf(bypass, doc);
  expect(offer?.label).toBe("Write ${fetch} instead of the edge");
  const fixed = perform(doc, offer!.edit!);
  expect(fixed.ok && fixed.value.doc.text).toContain("after: check:true\n");
});

test("fixes at the top of the document: concurrency, hosts of a credential, and secrets", async () => {
  const text = `curlew: 1
concurrency: 2
auth: { api: { type: bearer, token: "\${SERVICE_TOKEN}" } }
nodes:
  - { id: each, type: loop-start, iterations: 9, maxConcurrency: 9 }
  - { id: a, after: each, auth: api, run: curl --fail -m 9 https://a.example/x }
  - { id: b, after: a, auth: api, run: curl --fail -m 9 https://b.example/x }
  - { id: end, type: loop-end, after: b }
  - { id: c, after: end, auth: { type: bearer, token: "\${OTHER_TOKEN}" }, run: curl --fail -m 9 https://a.example https://b.example }
`;
  const environment = new Set(["SERVICE_TOKEN", "OTHER_TOKEN"]);
  const look = async (written: string) => (await validateWorkflow(written, FILE, { environment })).diagnostics;
  const findings = [...findingsOf(text, await look(text)).all];
  expect(codesOf(findings).sort()).toEqual([
    ...["auth-several-hosts", "auth-several-hosts", "concurrency-capped"],
    "looks-like-a-secret",
  ]);
  const fixed = perform(openDoc(text, FILE), fixAll(findings, openDoc(text, FILE))!);
  if (!fixed.ok) throw new Error(fixed.error);
  const after = fixed.value.doc.text;
  expect(after).toMatch(/^concurrency: 9$/m);
  expect(after.match(/hosts: \[ ?a\.example, b\.example ?\]/g)).toHaveLength(2);
  expect(after).toMatch(/^secrets: \[ ?OTHER_TOKEN ?\]$/m);
  expect(await look(after)).toEqual([]);
});

test("errors come first, and messages name nodes by their titles", async () => {
  const { doc, findings } = await checked(DOCUMENT);
  expect(bySeverity(findings).map(({ severity }) => severity)[0]).toBe("error");
  expect(
    withTitles('Node "count" runs: "fetch -> count" starts it beside "check:true -> count", not "other".', doc),
  ).toBe('Node "Count" runs: "Fetch the posts → Count" starts it beside "Check:true → Count", not "other".');
});
