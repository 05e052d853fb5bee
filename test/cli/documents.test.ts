// Commands that only look at documents: validate, fmt, graph, new, schema. None of them makes a data directory or runs
// anything.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder, inARow } from "./curlew.ts";

const good = inARow({ a: "echo hi", b: "cat" });
const wrong = "curlew: 1\nname: Wrong\nnodes:\n  - { id: a, type: cly, data: { title: A } }\nedges: [ a -> b ]\n";

test("validate names valid files on stdout, and problems with their place on stderr", async () => {
  const it = folder({ "good.flow.yaml": good, "wrong.flow.yaml": wrong });
  expect(await it.run("validate good.flow.yaml")).toEqual({ code: 0, stdout: "good.flow.yaml: valid\n", stderr: "" });
  const ran = await it.run("validate good.flow.yaml wrong.flow.yaml");
  expect(ran).toMatchObject({ code: 2, stdout: "good.flow.yaml: valid\n" });
  expect(ran.stderr).toContain(
    'wrong.flow.yaml:4:20: error[unknown-node-type]: Unknown node type "cly". Did you mean "cli"?\n  4 |   - { id: a, type: cly, data: { title: A } }\n    |                    ^^^\n',
  );
  expect(ran.stderr).toContain("2 files checked, 1 not valid");
  expect(existsSync(it.home)).toBe(false);
});

test("a warning alone leaves exit code 0", async () => {
  const it = folder({ "w.flow.yaml": inARow({ a: 'echo "${nobody_knows}"' }) });
  const ran = await it.run("validate w.flow.yaml");
  expect(ran).toMatchObject({ code: 0, stdout: "w.flow.yaml: valid (1 warning)\n" });
  expect(ran.stderr).toContain("warning[");
});

test("validate --strict exits 1 on a warning, and 0 on information", async () => {
  const it = folder({
    "w.flow.yaml": inARow({ a: 'echo "${nobody_knows}"' }),
    "i.flow.yaml": 'curlew: 1\nnodes: [{ id: a, type: text, data: { title: A, content: "${API_TOKEN}" } }]\n',
  });
  expect(await it.run("validate --strict w.flow.yaml")).toMatchObject({ code: 1 });
  expect(await it.run("validate --strict i.flow.yaml", { env: { API_TOKEN: "hunter2hunter2" } })).toMatchObject({
    code: 0,
    stdout: "i.flow.yaml: valid\n",
    stderr: expect.stringContaining("info[looks-like-a-secret]"),
  });
});

test("run prints one line per warning with its nodes, and none with --quiet", async () => {
  const it = folder({ "w.flow.yaml": inARow({ a: "echo ${nobody_knows}", b: "echo ${nobody_knows}" }) });
  const ran = await it.run("run w.flow.yaml");
  const warnings = ran.stderr.split("\n").filter((line) => line.startsWith("warning["));
  expect(warnings).toEqual([
    "warning[unknown-name-in-shell] a and b: ${nobody_knows} is not defined, neither in this workflow nor in the script.",
  ]);
  expect((await it.run("run -q w.flow.yaml")).stderr).toBe("");
});

test("a variable whose name says that it is a secret is masked, declared or not", async () => {
  const it = folder({
    "w.flow.yaml": `curlew: 1
secrets: [{ name: SORT_KEY, mask: false }]
nodes:
  - { id: a, type: text, data: { title: A, content: "\${API_TOKEN} by \${SORT_KEY}" } }
`,
  });
  const env = { API_TOKEN: "hunter2hunter2", SORT_KEY: "createdAtFirst" };
  const ran = await it.run("run w.flow.yaml", { env });
  expect(ran.stdout).toBe("*** by createdAtFirst\n");
  expect(ran.stderr).toContain("info[looks-like-a-secret] a: API_TOKEN");
});

test("validate --json is one array of all findings, including those about unreadable files", async () => {
  const it = folder({ "good.flow.yaml": good, "wrong.flow.yaml": wrong });
  expect(await it.run("validate good.flow.yaml --json")).toEqual({ code: 0, stdout: "[]\n", stderr: "" });
  const ran = await it.run("validate good.flow.yaml wrong.flow.yaml none.flow.yaml --json");
  expect(ran).toMatchObject({ code: 2, stderr: "" });
  const found = JSON.parse(ran.stdout);
  expect(found.map((each: { code: string; file: string }) => [each.code, each.file])).toEqual([
    ["unknown-node-type", "wrong.flow.yaml"],
    ["edge-to-missing-node", "wrong.flow.yaml"],
    ["file-not-found", "none.flow.yaml"],
  ]);
  expect(found[0]).toMatchObject({
    severity: "error",
    range: { start: { line: 4, column: 20 }, end: { line: 4, column: 23 } },
  });
});

test("validate looks into subflows, and names the document with the problem", async () => {
  const it = folder({
    "outer.flow.yaml":
      "curlew: 1\nname: O\nnodes: [{ id: s, type: subflow, data: { title: S, workflow: sub/inner.flow.yaml } }]\n",
    "sub/inner.flow.yaml": wrong,
  });
  const ran = await it.run("validate outer.flow.yaml");
  expect(ran).toMatchObject({ code: 2, stdout: "" });
  expect(ran.stderr).toContain("sub/inner.flow.yaml:4:20: error[unknown-node-type]");
});

test.each([
  ["none.flow.yaml", "error[file-not-found]: There is no file none.flow.yaml.\n  help: There is: program.flow.ts."],
  [".", "error[is-a-folder]: . is a folder; give a workflow file.\n  help: For example program.flow.ts."],
  ["program.flow.ts", "error[is-a-program]"],
])("validate %s is refused, and runs nothing", async (file, expected) => {
  const it = folder({
    "program.flow.ts": 'import { writeFileSync } from "node:fs"; writeFileSync("ran", ""); export default {};',
  });
  expect(await it.run(`validate ${file}`)).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining(expected),
  });
  expect(existsSync(join(it.path, "ran"))).toBe(false);
});

const messy =
  'name: Messy   # keep me\ncurlew: 1\nnodes:\n    - {type: cli, id: a, data: {content: "echo hi", title: A}}\n';

test("fmt rewrites a file in place, keeps comments, and changes nothing the second time", async () => {
  const it = folder({ "m.flow.yaml": messy });
  expect(await it.run("fmt --check m.flow.yaml")).toMatchObject({ code: 1, stdout: "m.flow.yaml\n" });
  expect(it.read("m.flow.yaml")).toBe(messy);
  expect((await it.run("fmt --check --short m.flow.yaml")).stderr).toContain("run: curlew fmt --short m.flow.yaml\n");
  expect((await it.run("fmt --check -", { stdin: messy })).stderr).toBe("stdin is not in canonical form.\n");
  expect(await it.run("fmt m.flow.yaml")).toMatchObject({ code: 0, stdout: "" });
  expect(it.read("m.flow.yaml")).toMatch(/^curlew: 1\nname: Messy +# keep me\n/);
  expect(await it.run("fmt --check m.flow.yaml")).toEqual({ code: 0, stdout: "", stderr: "" });
  expect((await it.run("fmt -", { stdin: messy })).stdout).toBe(it.read("m.flow.yaml"));
});

test("fmt converts between the forms", async () => {
  const short =
    "curlew: 1\nnodes:\n  - { id: list_files, run: ls }\n  - { id: count, after: list_files, run: wc -l }\n";
  const it = folder({ "m.flow.yaml": short });
  expect(await it.run("fmt --long m.flow.yaml")).toMatchObject({ code: 0 });
  expect(it.read("m.flow.yaml")).toContain("edges:\n  - list_files -> count\n");
  expect(await it.run("fmt m.flow.yaml")).toMatchObject({ code: 0, stderr: "" });
  expect(await it.run("fmt --short m.flow.yaml")).toMatchObject({ code: 0 });
  expect(it.read("m.flow.yaml")).toBe(short);
  expect(await it.run("fmt --short --long m.flow.yaml")).toMatchObject({ code: 2 });
});

test("fmt leaves an invalid file unchanged", async () => {
  const it = folder({ "w.flow.yaml": wrong });
  expect(await it.run("fmt w.flow.yaml")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("error[unknown-node-type]"),
  });
  expect(it.read("w.flow.yaml")).toBe(wrong);
});

const drawing = `curlew: 1
name: Drawing <&>
finally: [clean]
nodes:
  - { id: pages, type: loop-start, data: { title: Pages, iterations: 3, maxConcurrency: 2 } }
  - { id: fetch, type: cli, data: { title: "Fetch <b>", content: 'echo "\${i} \${token}"' } }
  - { id: end, type: loop-end, data: { title: End } }
  - { id: check, type: if, data: { title: Any?, content: "\${1} != none" } }
  - { id: yes, type: text, data: { title: "Yes", content: x } }
  - { id: no, type: text, data: { title: "No", content: y } }
  - { id: token, type: variable, data: { title: Token, variableName: token, initialValue: t } }
  - { id: clean, type: cli, data: { title: Clean up, content: "true" } }
edges:
  - pages -> fetch -> end -> check
  - check:true -> yes
  - check:false -> no
`;

test("graph draws loops as boxes and names branches", async () => {
  const it = folder({ "d.flow.yaml": drawing });
  expect(await it.run("graph d.flow.yaml")).toEqual({
    code: 0,
    stderr: "",
    stdout: `Drawing <&>  8 nodes, 5 edges

= token    variable    Token  (token)
╭─ pages   loop-start  Pages  (3 iterations, 2 at a time)  ⇠ token
│ ● fetch  cli         Fetch <b>  ← pages  ⇠ token
╰─ end     loop-end    End  ← fetch
◇ check    if          Any?  (\${1} != none)  ← end
¶ yes      text        Yes  ← check:true
¶ no       text        No  ← check:false
● clean    cli         Clean up  finally
`,
  });
});

test("graph --svg is a self-contained picture with every node, and no markup from the document", async () => {
  const it = folder({ "d.flow.yaml": drawing });
  const { stdout } = await it.run("graph d.flow.yaml --svg");
  expect(stdout).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^>]*role="img"/);
  for (const id of ["pages", "fetch", "end", "check", "yes", "no", "token", "clean"])
    expect(stdout).toContain(`>${id} · `);
  expect(stdout).toContain("Fetch &lt;b&gt;");
  expect(stdout).not.toContain("<b>");
  expect(stdout).toContain(">true</text>");
  expect(stdout.match(/class="loop"/g)).toHaveLength(1);
  expect(stdout).not.toMatch(/NaN|undefined|href="http|<script/);
});

const referring = `curlew: 1
name: Referring
nodes:
  - { id: a, type: text, data: { title: A, content: a } }
  - { id: b, type: text, data: { title: B, content: "\${a}" } }
  - { id: c, type: text, data: { title: C, content: "\${a}" } }
edges: [b -> c]
`;

test("graph --json is for programs", async () => {
  const it = folder({ "d.flow.yaml": drawing });
  const graph = JSON.parse((await it.run("graph d.flow.yaml --json")).stdout);
  expect(graph.nodes[1]).toEqual({ id: "fetch", type: "cli", title: "Fetch <b>", loops: ["pages"] });
  expect(graph.edges).toContainEqual({ source: "check", target: "yes", sourceHandle: "true" });
  expect(graph.edges).toContainEqual({ source: "token", target: "fetch", implicit: true });
  it.write("r.flow.yaml", referring);
  const { edges } = JSON.parse((await it.run("graph r.flow.yaml --json")).stdout);
  expect(edges).toEqual([
    { source: "a", target: "b", implicit: true, reference: true },
    { source: "b", target: "c" },
    { source: "a", target: "c", implicit: true, reference: true },
  ]);
  expect((await it.run("graph r.flow.yaml")).stdout).toContain("C  ← b  ⇠ a\n");
  expect(await it.run("graph d.flow.yaml --json --svg")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("error[conflicting-options]"),
  });
});

test("new writes a workflow that is valid, canonical, and runs", async () => {
  const it = folder();
  expect(await it.run("new first")).toMatchObject({ code: 0, stdout: "first.flow.yaml\n" });
  expect(await it.run("validate first.flow.yaml")).toMatchObject({
    code: 0,
    stdout: "first.flow.yaml: valid\n",
    stderr: "",
  });
  expect(await it.run("fmt --check first.flow.yaml")).toMatchObject({ code: 0 });
  expect(await it.run("run first.flow.yaml --quiet")).toMatchObject({
    code: 0,
    stdout: "Hello, world! That is 13 letters.\n",
  });
  const before = it.read("first.flow.yaml");
  expect(await it.run("new first")).toMatchObject({ code: 2, stderr: expect.stringContaining("error[file-exists]") });
  it.write("first.flow.yaml", "mine");
  const spaced = await it.run(["new", "first try's"]);
  expect(spaced.stdout).toBe("first try's.flow.yaml\n");
  expect(spaced.stderr).toContain("\n  curlew run 'first try'\\''s.flow.yaml' --input name=you\n");
  expect(await it.run("new first --force")).toMatchObject({ code: 0 });
  expect(it.read("first.flow.yaml")).toBe(before);
  const elsewhere = join(folder().path, "second");
  expect(await it.run(`new ${elsewhere}`)).toMatchObject({ code: 0, stdout: `${elsewhere}.flow.yaml\n` });
  expect((await it.run(`validate ${elsewhere}.flow.yaml`)).code).toBe(0);
});

test("new --like copies an example with what it names, and every copy is valid", async () => {
  const it = folder({ "scripts/retry.sh": "mine" });
  const wrong = await it.run("new --like status");
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("error[unknown-example]")]);
  const names = [...wrong.stderr.matchAll(/status-[a-z-]+/g)].map(([name]) => name);
  expect(names).toContain("status-branch");
  expect((await it.run("new --like webhook")).stdout).toBe("webhook-verified.flow.yaml\n");
  expect((await it.run("new pages --like pagination")).stdout).toBe("pages.flow.yaml\n");
  expect(it.read("pages.flow.yaml")).toContain("curlew run pages.flow.yaml");
  const all = (await it.run("new --like nothing")).stderr
    .split("Examples: ")[1]!
    .split(/, | and |\./)
    .slice(0, -1);
  for (const name of all) await it.run(["new", name, "--like", name, "--force"]);
  expect(all.length).toBeGreaterThan(50);
  expect(await it.run(["validate", ...all.map((name) => `${name}.flow.yaml`)])).toMatchObject({ code: 0 });
  expect(it.read("scripts/retry.sh")).toBe("mine");
});

test("schema prints a JSON Schema", async () => {
  const schema = JSON.parse((await folder().run("schema")).stdout);
  expect(schema.$schema).toContain("json-schema.org");
  expect(Object.keys(schema.properties)).toContain("nodes");
});
