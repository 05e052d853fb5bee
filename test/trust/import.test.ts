// `curlew import`: imported content becomes one new file that is blocked until approved. Nothing of it is executed, no
// credential leaves, and no response leads the import to a place where it should not go.

import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseWorkflow } from "../../src/workflow/parse.ts";
import { type Folder, folder, inARow, type Ran } from "../cli/curlew.ts";
import { harmlessText } from "../hostile/attack.ts";

const PLAIN = inARow({ a: "echo one >> ran" });
const files = (it: Folder) =>
  readdirSync(it.path)
    .filter((name) => name !== ".home")
    .sort();
const workflow = (it: Folder, name: string) => parseWorkflow(it.read(name), name).workflow!;

function refused(ran: Ran, code: string, it: Folder, before: string[] = []): void {
  expect(ran.stderr).toContain(`error[${code}]`);
  expect(ran).toMatchObject({ code: 2, stdout: "" });
  expect(files(it)).toEqual(before);
  harmlessText(ran.stderr);
}

describe("a workflow", () => {
  test("from a file: marked, otherwise unchanged, and nothing ran", async () => {
    const text = `# a comment\n${PLAIN}`;
    const it = folder({ "sent/digest.flow.yaml": text });
    const ran = await it.run("import sent/digest.flow.yaml");
    expect(ran).toMatchObject({ code: 0, stdout: "digest.flow.yaml\n" });
    expect(it.read("digest.flow.yaml").replace(/^imported: .*\n/m, "")).toBe(text);
    expect(workflow(it, "digest.flow.yaml").imported).toEqual({
      from: "the file sent/digest.flow.yaml",
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(ran.stderr).toContain("│ echo one >> ran");
    expect(ran.stderr).toContain("blocked until approved: curlew trust digest.flow.yaml");
    expect((await it.run("run digest.flow.yaml --yes")).code).toBe(3);
    expect(files(it)).toEqual(["digest.flow.yaml", "sent"]);
    await it.run("trust digest.flow.yaml --all");
    expect((await it.run("run digest.flow.yaml")).code).toBe(0);
    expect(it.read("ran")).toBe("one\n");
  });

  test("from stdin, and as JSON", async () => {
    const it = folder();
    const json = JSON.stringify({
      curlew: 1,
      name: "J",
      nodes: [{ id: "a", type: "text", data: { title: "A", content: "x" } }],
    });
    expect(await it.run("import -", { stdin: json })).toMatchObject({ code: 0, stdout: "imported.flow.json\n" });
    expect(workflow(it, "imported.flow.json").imported?.from).toBe("standard input");
  });
});

describe("it writes one new file, here", () => {
  test("never over a file or through a link, and never outside", async () => {
    const it = folder({ "x/a.flow.yaml": PLAIN, "a.flow.yaml": "mine" });
    mkdirSync(join(it.path, "sub"));
    symlinkSync("/tmp", join(it.path, "out"));
    symlinkSync(join(it.path, "x/target"), join(it.path, "link.flow.yaml"));
    const before = files(it);
    refused(await it.run("import x/a.flow.yaml"), "file-exists", it, before);
    refused(await it.run("import x/a.flow.yaml --to link.flow.yaml"), "file-exists", it, before);
    for (const to of ["../b.flow.yaml", "/tmp/b.flow.yaml", "out/b.flow.yaml", "none/b.flow.yaml"])
      refused(await it.run(`import x/a.flow.yaml --to ${to}`), "import-outside", it, before);
    for (const to of ["b.sh", ".bashrc", "b.flow.json"])
      refused(await it.run(`import x/a.flow.yaml --to ${to}`), "bad-name", it, before);
    expect(it.read("a.flow.yaml")).toBe("mine");
    expect((await it.run("import x/a.flow.yaml --to sub/b.flow.yaml")).stdout).toBe("sub/b.flow.yaml\n");
  });

  test.each([
    [".bashrc", "bashrc.flow.yaml"],
    ["-rf \u001b[2J\u202egnp.flow.yaml", "rf-2J-gnp.flow.yaml"],
    [`${"a".repeat(200)}.yaml`, `${"a".repeat(64)}.flow.yaml`],
  ])("whatever the source is called: %j", async (name, made) => {
    const it = folder({ [`x/${name}`]: PLAIN });
    expect(await it.run(["import", `x/${name}`])).toMatchObject({ code: 0, stdout: `${made}\n` });
  });
});

test.each(["https://me:geheim@example.com/a.flow.yaml", "file:///etc/passwd", "data:text/plain,curlew:1"])(
  "nothing is downloaded from %s",
  async (address) => {
    const it = folder();
    const ran = await it.run(["import", address]);
    refused(ran, "import-url", it);
    expect(ran.stderr).toContain("curl -fsSL");
    expect(ran.stderr).not.toContain("geheim");
  },
);

describe("harmful content", () => {
  const hostile = {
    "escape sequences and bidi": `curlew: 1\nname: "\\e[31mx\\u202e"\nnodes:\n  - {id: a, type: cli, data: {title: "\\e]0;t\\a", content: "echo \\u2066 \\e[2K hi"}}\n`,
    "a bomb of aliases": `curlew: 1\nx-a: &a [1,1,1,1,1,1,1,1,1,1]\nx-b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nx-c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nx-d: [*c,*c,*c,*c,*c,*c,*c,*c]\nnodes: []\n`,
    "deep nesting": `curlew: 1\nx-a: ${"[".repeat(5_000)}${"]".repeat(5_000)}\nnodes: []\n`,
    "a prototype": `curlew: 1\n__proto__: {imported: {from: x}}\nnodes: []\n`,
    "an id that looks like another": `curlew: 1\nname: x\nnodes:\n  - {id: fetch, type: text, data: {title: x, content: x}}\n  - {id: fеtch, type: text, data: {title: x, content: x}}\n`,
    "a mark in a comment, a merge key": `curlew: 1\nx-m: &m {imported: {from: mine}}\n<<: *m\n# imported: no\nname: x\nnodes:\n  - {id: a, type: cli, data: {title: x, content: "touch ran"}}\n`,
    "a folded mark": `curlew: 1\nname: >-\n\n  imported: { from: x }\nnodes:\n  - {id: a, type: cli, data: {title: x, content: "touch ran", safetyLevel: advanced}}\n`,
    "many nodes": `curlew: 1\nname: x\nnodes:\n${Array.from({ length: 300 }, (_, n) => `  - {id: n${n}, type: cli, data: {title: x, content: "touch ran"}}\n`).join("")}`,
  };
  test.each(Object.entries(hostile))(
    "%s: refused, or written with our mark; nothing runs and nothing steers the screen",
    async (_, text) => {
      const it = folder({ "x/a.flow.yaml": text });
      const ran = await it.run("import x/a.flow.yaml");
      expect([0, 2]).toContain(ran.code);
      expect(ran.stderr).not.toContain("error[internal]");
      harmlessText(ran.stderr);
      if (ran.code === 2) return expect(files(it)).toEqual(["x"]);
      expect(workflow(it, "a.flow.yaml").imported?.from).toBe("the file x/a.flow.yaml");
      const run = await it.run("run a.flow.yaml --yes --quiet");
      expect(run.code).toBe(workflow(it, "a.flow.yaml").nodes.some(({ type }) => type === "cli") ? 3 : 0);
      expect(existsSync(join(it.path, "ran"))).toBe(false);
    },
  );

  test("a subflow outside the project is not read", async () => {
    const it = folder();
    writeFileSync(join(it.path, "secret.flow.yaml"), PLAIN);
    mkdirSync(join(it.path, "here"));
    const text = "curlew: 1\nnodes:\n  - {id: s, type: subflow, data: {title: S, workflow: ../secret.flow.yaml}}\n";
    writeFileSync(join(it.path, "here/x.yaml"), text);
    const ran = await it.run("import here/x.yaml --to here/y.flow.yaml");
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain("subflow-outside");
  });
});
