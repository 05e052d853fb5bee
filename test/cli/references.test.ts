// Values by node id in runs that are retried, run in part, approved, and given secrets.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder } from "./curlew.ts";

const document = (nodes: string, more = "") => `curlew: 1\nname: References\n${more}nodes:\n${nodes}`;

test("a retry keeps the value that a node names, and runs the node again", async () => {
  const it = folder({
    "t.flow.yaml": document(`
  - { id: posts, type: cli, data: { title: P, content: "echo p >> ran; echo '[1]'" } }
  - { id: report, type: cli, data: { title: R, content: "echo \${posts[0]} >> ran; test -e fixed && cat", stdin: posts } }
`),
  });
  expect((await it.run("run t.flow.yaml")).code).toBe(1);
  it.write("fixed", "");
  expect(await it.run("runs retry latest")).toMatchObject({ code: 0, stdout: "[1]\n" });
  expect(it.read("ran")).toBe("p\n1\n1\n");
  expect(await it.run("run t.flow.yaml --from report")).toMatchObject({ code: 0, stdout: "[1]\n" });
  expect(it.read("ran")).toBe("p\n1\n1\n1\n");
});

test("an approval shows the values that a command names, and binds them", async () => {
  const it = folder({
    "t.flow.yaml": document(`
  - { id: target, type: cli, data: { title: T, content: "cat target" } }
  - id: remove
    type: cli
    data: { title: R, content: "echo gone \${target}; cat", stdin: target, needsUserApproval: true, approval: { prompt: "Remove \${target}?" } }
`),
    target: "old",
  });
  expect((await it.run("run t.flow.yaml")).code).toBe(3);
  const [request] = JSON.parse((await it.run("approvals --json")).stdout);
  expect(JSON.stringify(request)).toContain("Remove «old»?");
  expect(request.detail.values ?? request.detail).toEqual(
    expect.arrayContaining([expect.objectContaining({ name: "${target}" })]),
  );
  it.write("target", "new");
  expect(await it.run("approve latest remove")).toMatchObject({ code: 0, stdout: "gone old\nold\n" });
});

test("a secret inside a named value is masked everywhere, and reaches the command that needs it", async () => {
  const it = folder({
    "t.flow.yaml": document(
      `
  - { id: made, type: cli, data: { title: M, content: "printf '{\\"t\\":\\"%s\\"}' \${TOKEN}" } }
  - { id: kept, type: variable, data: { title: K, variableName: kept, content: "\${made.t}", secret: true } }
  - { id: used, type: cli, data: { title: U, content: "printf %s \${made.t} | wc -c; cat", stdin: made } }
`,
      "secrets: [TOKEN]\n",
    ),
  });
  const token = "tok-5f1c9e8a7b6d";
  const ran = await it.run("run t.flow.yaml", { env: { TOKEN: token } });
  expect(ran).toMatchObject({ code: 0, stdout: '{"kept":"***","used":"16\\n{\\"t\\":\\"***\\"}"}\n' });
  expect(ran.stdout + ran.stderr).not.toContain(token);
  for (const path of readdirSync(it.home, { recursive: true, encoding: "utf8" }).map((name) => join(it.home, name)))
    if (statSync(path).isFile()) expect(readFileSync(path, "latin1")).not.toContain(token);
});

test("a value that chooses a folder stays below it, whatever names it", async () => {
  const it = folder({
    "t.flow.yaml": document(`
  - { id: up, type: text, data: { title: U, content: "../.." } }
  - { id: where, type: variable, data: { title: W, variableName: dir, content: "\${up}" } }
  - { id: a, type: cli, data: { title: A, content: pwd, cwd: "work/\${up}" } }
  - { id: b, type: cli, data: { title: B, content: pwd, cwd: "work/\${dir}" } }
`),
    "work/x": "",
  });
  const ran = await it.run("run t.flow.yaml");
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain("error[cwd-outside]");
  it.write("t.flow.yaml", it.read("t.flow.yaml").replace("work/${up}", "work"));
  expect((await it.run("run t.flow.yaml")).stderr).toContain('error[cwd-outside]: Node "b"');
});
