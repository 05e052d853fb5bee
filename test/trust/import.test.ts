// `curlew import`: what came from elsewhere becomes one new file that is inert. Nothing of it is executed, no credential is handed on, and
// nothing that somebody sends leads the import to where it should not go.

import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { parseWorkflow } from "../../src/workflow/parse.ts";
import { type Folder, folder, inARow, type Ran } from "../cli/curlew.ts";
import { harmlessText } from "../hostile/attack.ts";

const PLAIN = inARow({ a: "echo one >> ran" });
const files = (it: Folder) =>
  readdirSync(it.path)
    .filter((name) => name !== ".home")
    .sort();
const workflow = (it: Folder, name: string) => parseWorkflow(it.read(name), name).workflow!;

/** The address of a server on this machine, for one test. */
async function server(answer: RequestListener): Promise<string> {
  const it = createServer(answer);
  onTestFinished(() => void it.close());
  await new Promise<void>((resolve) => it.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(it.address() as { port: number }).port}`;
}

function refused(ran: Ran, code: string, it: Folder, before: string[] = []): void {
  expect(ran.stderr).toContain(`error[${code}]`);
  expect(ran).toMatchObject({ code: 2, stdout: "" });
  expect(files(it)).toEqual(before);
  harmlessText(ran.stderr);
}

describe("a workflow", () => {
  test("from a file: marked, otherwise as it came, and nothing ran", async () => {
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

  test("from an address: the mark holds no query", async () => {
    const at = await server((_, answer) => answer.end(PLAIN));
    const it = folder();
    const ran = await it.run(["import", `${at}/flows/my%20digest.flow.yaml?token=geheim-1234#x`, "--json"]);
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      file: "my-digest.flow.yaml",
      commands: [{ path: "a", seen: false }],
    });
    expect(it.read("my-digest.flow.yaml")).not.toContain("geheim");
    expect(workflow(it, "my-digest.flow.yaml").imported?.from).toBe(`${at}/flows/my%20digest.flow.yaml`);
  });

  test.each([
    ["a line of its own", "imported: { from: https://trusted.example.com }\n"],
    ["over several lines", "imported:\n  from: https://trusted.example.com\n  at: yesterday\n"],
    ["in quotes", '"imported": { from: https://trusted.example.com } # mine\n'],
  ])("a mark of the sender's is replaced: %s", async (_, mark) => {
    const it = folder({ "x/a.flow.yaml": inARow({ a: "true" }, mark) });
    expect((await it.run("import x/a.flow.yaml")).code).toBe(0);
    expect(it.read("a.flow.yaml")).not.toContain("trusted.example.com");
    expect(workflow(it, "a.flow.yaml").imported?.from).toBe("the file x/a.flow.yaml");
  });

  test("with an error, or as something else, it is not written", async () => {
    const it = folder({
      "x/a.flow.yaml": PLAIN.replace("type: cli", "type: clii"),
      "x/b.txt": "hello",
      "x/o.yaml": "openapi: 3.1.0\n",
    });
    const wrong = await it.run("import x/a.flow.yaml");
    expect(wrong.stderr).toContain("unknown-node-type");
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    refused(await it.run("import x/b.txt"), "import-unknown", it, ["x"]);
    refused(await it.run("import x/o.yaml"), "not-yet", it, ["x"]);
    refused(await it.run("import x/none.yaml"), "file-not-found", it, ["x"]);
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
    ["/..%2f..%2f..%2fetc%2fcron.d%2fevil", "evil.flow.yaml"],
    ["/%2e%2e%5c%2e%2e%5cwin.flow.yaml", "win.flow.yaml"],
    ["/.bashrc", "bashrc.flow.yaml"],
    ["/-rf%20%1b%5b2J%e2%80%aegnp.flow.yaml", "rf-2J-gnp.flow.yaml"],
    ["/", "imported.flow.yaml"],
    [`/${"a".repeat(300)}.yaml`, `${"a".repeat(64)}.flow.yaml`],
  ])("whatever an address is called: %s", async (path, name) => {
    const at = await server((_, answer) => answer.end(PLAIN));
    const it = folder();
    expect(await it.run(["import", at + path])).toMatchObject({ code: 0, stdout: `${name}\n` });
    expect(files(it)).toEqual([name]);
  });
});

describe("an address leads nowhere else", () => {
  test.each([
    "http://example.com/a.flow.yaml",
    "http://127.0.0.1.example.com/a",
    "http://localhost@example.com/a",
    "file:///etc/passwd",
    "ftp://example.com/a",
    "data:text/plain,curlew:1",
    "javascript:alert(1)",
    "https://me:geheim@example.com/a.flow.yaml",
    "https://geheim@example.com/a.flow.yaml",
  ])("%s is refused before anything is asked for", async (address) => {
    const it = folder();
    const ran = await it.run(["import", address]);
    refused(ran, "import-url", it);
    expect(ran.stderr).not.toContain("geheim");
  });

  test.each([
    ["another host of this machine", "http://localhost:1/x"],
    ["a private network", "http://10.0.0.1/x"],
    ["the metadata of a cloud", "http://169.254.169.254/latest/meta-data"],
    ["a private network by https", "https://192.168.0.1/x"],
    ["this machine by https", "https://[::1]/x"],
    ["a file", "file:///etc/passwd"],
    ["a password", "http://me:geheim@127.0.0.1/x"],
    ["itself, for ever", "/again"],
  ])("a redirect to %s is not followed", async (_, location) => {
    const at = await server((_request, answer) => answer.writeHead(302, { location }).end());
    const it = folder();
    const ran = await it.run(["import", `${at}/a.flow.yaml`]);
    refused(ran, "import-url", it);
    expect(ran.stderr).not.toContain("geheim");
  });

  test("a redirect on the same host is followed, and said", async () => {
    const at = await server((request, answer) =>
      request.url === "/b.flow.yaml" ? answer.end(PLAIN) : answer.writeHead(301, { location: "/b.flow.yaml" }).end(),
    );
    const it = folder();
    expect((await it.run(["import", `${at}/a`])).stdout).toBe("b.flow.yaml\n");
    expect(workflow(it, "b.flow.yaml").imported?.from).toBe(`${at}/b.flow.yaml`);
  });

  test("nothing of ours is sent along", async () => {
    const seen: string[] = [];
    const at = await server((request, answer) => {
      seen.push(...Object.keys(request.headers));
      answer.end(PLAIN);
    });
    await folder().run(["import", `${at}/a`], { env: { http_proxy: "http://127.0.0.1:1" } });
    expect(seen.sort()).toEqual(["accept", "accept-encoding", "connection", "host", "user-agent"]);
  });

  test("an error, too much, or no text is no document", async () => {
    const at = await server((request, answer) => {
      if (request.url === "/large") answer.end(`curlew: 1\n#${"x".repeat(limits.documentBytesMax)}`);
      else if (request.url === "/binary") answer.end(Buffer.from([0x63, 0xff, 0xfe]));
      else answer.writeHead(404).end(PLAIN);
    });
    const it = folder();
    for (const path of ["/none", "/large", "/binary"])
      refused(await it.run(["import", at + path]), "import-failed", it);
    refused(await it.run("import http://127.0.0.1:1/a"), "import-failed", it);
  });
});

describe("what is sent to do harm", () => {
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

  test("a subflow outside of the project is not looked at", async () => {
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
