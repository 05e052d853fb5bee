// Paths that an attacker chose: Curlew shows nothing from outside, waits for nothing and runs nothing.

import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { eventsIn, type Folder, folder, inARow, type Ran } from "../cli/curlew.ts";
import { HEAD, look, NODE } from "./attack.ts";

vi.setConfig({ testTimeout: 120_000 });

const SECRET = "oauth_token-of-somebody-else";
const LOOKING = ["validate", "validate --json", "fmt --check", "graph", "graph --svg", "run --dry-run"];

const codeOf = (ran: Ran): string | undefined => /error\[([a-z0-9-]+)\]/.exec(ran.stderr)?.[1];

describe("a workflow file that isn't one", () => {
  const files: [string, string, (it: Folder) => void][] = [
    ["a pipe without a writer", "cannot-read", (it) => void execFileSync("mkfifo", [join(it.path, "t.flow.yaml")])],
    ["a device without end", "cannot-read", (it) => symlinkSync("/dev/zero", join(it.path, "t.flow.yaml"))],
    ["links in a circle", "cannot-read", (it) => symlinkSync("t.flow.yaml", join(it.path, "t.flow.yaml"))],
    ["a folder", "is-a-folder", (it) => mkdirSync(join(it.path, "t.flow.yaml"))],
    ["a link to nothing", "file-not-found", (it) => symlinkSync("gone", join(it.path, "t.flow.yaml"))],
  ];
  test.each(files)("%s", async (_what, code, make) => {
    const it = folder();
    make(it);
    for (const command of ["validate", "fmt", "run"])
      expect(codeOf(await look(it, `${command} t.flow.yaml`))).toBe(code);
  });

  test("commands that only look do not execute a program", async () => {
    const it = folder({
      "t.flow.ts": 'import { writeFileSync } from "node:fs"; writeFileSync("canary", ""); export default {};',
    });
    for (const command of LOOKING.filter((each) => !each.startsWith("run")))
      expect((await look(it, `${command} t.flow.ts`)).code).toBe(2);
  });

  test("a name with newlines and escape sequences is printed harmlessly", async () => {
    const it = folder();
    const name = "a\n\u001b]0;owned\u0007\u001b[2Jb\u202e.flow.yaml";
    writeFileSync(join(it.path, name), `${HEAD}${NODE}bad: 1\n`);
    writeFileSync(join(it.path, `good${name}`), HEAD + NODE);
    for (const command of ["validate", "run", "fmt", "graph"]) {
      expect(codeOf(await look(it, [command, name]))).toBe("unknown-field");
      expect(codeOf(await look(it, [command, `gone${name}`]))).toBe("file-not-found");
    }
    await look(it, ["validate", `good${name}`]);
    await look(it, ["fmt", `good${name}`]);
  });
});

describe("subflows", () => {
  const calls = (path: string) =>
    `${HEAD}nodes:\n  - { id: s, type: subflow, data: { title: S, workflow: ${JSON.stringify(path)} } }\n`;
  /** The attacker's files are in `in/`; `out/` beside it belongs to someone else. */
  async function check(path: string, code: string, more: (it: Folder) => void = () => {}): Promise<Ran> {
    const it = folder({
      "in/t.flow.yaml": calls(path),
      "out/hosts.yml": `token: ${SECRET}\n`,
      "out/good.flow.yaml": HEAD + NODE,
    });
    more(it);
    const looked = await look(it, "validate in/t.flow.yaml");
    expect(codeOf(looked), looked.stderr).toBe(code);
    expect(looked.stdout + looked.stderr).not.toContain(SECRET);
    return looked;
  }
  test("an absolute path", () => check("/etc/passwd", "subflow-absolute-path"));
  test("a file of another kind", () => check("../../../../../etc/passwd", "subflow-bad-name"));
  test("another user's file above, with every command that looks", async () => {
    await check("../out/hosts.yml", "subflow-outside");
    const it = folder({ "in/t.flow.yaml": calls("../out/hosts.yml"), "out/hosts.yml": `token: ${SECRET}\n` });
    for (const command of LOOKING) {
      const looked = await look(it, `${command} in/t.flow.yaml`);
      expect(looked.stdout + looked.stderr).not.toContain(SECRET);
    }
  });
  test("a valid workflow above", () => check("../out/good.flow.yaml", "subflow-outside"));
  test("whether a file above exists stays unknown", async () => {
    const there = await check("../out/hosts.yml", "subflow-outside");
    const gone = await check("../out/xosts.yml", "subflow-outside");
    const plain = (ran: Ran) => ran.stderr.replaceAll(/curlew-cli-\w+/g, "").replaceAll("xosts", "hosts");
    expect(plain(there)).toBe(plain(gone));
  });
  test("a link that leads outside", () =>
    check("link.flow.yaml", "subflow-outside", (it) =>
      symlinkSync("../out/hosts.yml", join(it.path, "in/link.flow.yaml")),
    ));
  test("a folder that leads outside", () =>
    check("link/hosts.yml", "subflow-outside", (it) => symlinkSync("../out", join(it.path, "in/link"))));
  test("no line of a project file that isn't a workflow is shown", () =>
    check("../out/hosts.yml", "subflow-missing", (it) => mkdirSync(join(it.path, ".git"))));
  test("a workflow of the same repository", async () => {
    const it = folder({ "in/t.flow.yaml": calls("../out/good.flow.yaml"), "out/good.flow.yaml": HEAD + NODE });
    mkdirSync(join(it.path, ".git"));
    expect((await look(it, "validate in/t.flow.yaml")).code).toBe(0);
  });
  test("a pipe", () =>
    check("p.flow.yaml", "subflow-missing", (it) => void execFileSync("mkfifo", [join(it.path, "in/p.flow.yaml")])));
  test("a device", () =>
    check("z.flow.yaml", "subflow-outside", (it) => symlinkSync("/dev/zero", join(it.path, "in/z.flow.yaml"))));
  test("itself", () => check("t.flow.yaml", "subflow-recursive"));
  test("two that call each other", () =>
    check("u.flow.yaml", "subflow-wrong", (it) => it.write("in/u.flow.yaml", calls("t.flow.yaml"))));
  test("more than 5 MB", () =>
    check("u.flow.yaml", "subflow-missing", (it) =>
      it.write("in/u.flow.yaml", `curlew: 1\nx-a: ${"a".repeat(5_000_001)}`),
    ));
});

describe("--input-file", () => {
  const given = (make: (it: Folder) => void = () => {}) => {
    const it = folder({ "t.flow.yaml": `${HEAD}inputs: { x: { type: object } }\n${NODE}` });
    make(it);
    return it;
  };
  test("the content of a file that isn't JSON is not shown", async () => {
    const it = given((it) => it.write("creds", `user: ann\n${SECRET}\n`));
    const looked = await look(it, "run t.flow.yaml --input-file creds");
    expect(looked.stderr).toContain(
      "error[bad-input-file]: creds is not JSON: it stops being JSON at line 1, column 1.",
    );
    expect(looked.stderr).not.toContain("ann");
  });
  test("a folder, an endless device, and a file without newlines", async () => {
    const it = given((it) => symlinkSync("/dev/zero", join(it.path, "zero")));
    expect((await look(it, "run t.flow.yaml --input-file .")).stderr).toContain("it is a folder");
    expect((await look(it, "run t.flow.yaml --input-file zero")).stderr).toContain("more than 64,000,000 bytes");
    expect((await look(it, "run t.flow.yaml --env-file zero")).stderr).toContain("more than 64,000,000 bytes");
    expect((await look(it, "run t.flow.yaml --input-file -", { stdin: "[".repeat(1_000_000) })).code).toBe(2);
  });
  test("a pipe is read", async () => {
    const it = folder({
      "t.flow.yaml": `${HEAD}inputs: { x: { type: string } }\nnodes:\n  - { id: a, type: text, data: { title: A, content: "\${x}" } }\n`,
    });
    execFileSync("mkfifo", [join(it.path, "pipe")]);
    const running = it.start("run t.flow.yaml --quiet --input-file pipe");
    writeFileSync(join(it.path, "pipe"), '{"x":"through a pipe"}');
    expect(await running.done).toMatchObject({ code: 0, stdout: "through a pipe\n" });
  });
  test("names that mean something to JavaScript stay data, at every level", async () => {
    const it = folder({
      "t.flow.yaml":
        `${HEAD}inputs: { x: { type: object } }\nnodes:\n` +
        `  - { id: a, type: cli, data: { title: A, content: "printf '%s' \${x}; env | grep -c polluted || true", env: { static: { DATA: "\${x}" } } } }\n`,
    });
    const hostile =
      '{"__proto__":{"polluted":"p"},"constructor":{"prototype":{"polluted":"p"}},"a":[{"__proto__":{"polluted":"p"}}]}';
    it.write("in.json", `{"x":${hostile}}`);
    const looked = await look(it, "run t.flow.yaml --dry-run --json --input-file in.json");
    expect(looked.stdout).toContain("__proto__");
    for (const name of ["__proto__", "constructor", "prototype"]) {
      it.write("top.json", `{"${name}":{"x":{}}}`);
      expect(codeOf(await look(it, "run t.flow.yaml --input-file top.json"))).toBe("unknown-input");
    }
  });
});

describe("values of a run", () => {
  test("members that JavaScript would inherit do not exist", async () => {
    const it = folder({
      "t.flow.yaml":
        `${HEAD}nodes:\n  - { id: a, type: cli, data: { title: A, content: "printf '%s' '{\\"__proto__\\":{\\"polluted\\":\\"p\\"},\\"n\\":1}'" } }\n` +
        `  - { id: b, type: text, data: { title: B, content: "\${1.n} \${1.__proto__.polluted}" } }\n` +
        `  - { id: e, type: if, data: { title: E, content: "$exists(inputs[0].polluted)" } }\n` +
        `  - { id: f, type: text, data: { title: F, content: "polluted" } }\n` +
        "edges: [ a -> b, a -> e, 'e:true -> f' ]\n",
    });
    const ran = await it.run("run t.flow.yaml --json");
    const events = eventsIn(ran);
    const end = (node: string) => JSON.stringify(events.filter((event) => event.node === node).at(-1));
    expect(end("b")).toContain("1 p");
    expect(end("f")).toContain("skipped");
    for (const member of ["polluted", "constructor.name", "toString"]) {
      it.write(
        "t.flow.yaml",
        it
          .read("t.flow.yaml")
          .replace(/\$\{1\.n\}.*?"/, `\${1.${member}}"`)
          .replace(/\$\{1\.[a-z.A-Z]+\}"/, `\${1.${member}}"`),
      );
      expect((await it.run("run t.flow.yaml")).stderr).toContain("error[template-missing-member]");
    }
  });

  const climbs = (cwd: string, value: string) =>
    `${HEAD}nodes:\n  - { id: v, type: cli, data: { title: V, content: ${JSON.stringify(`printf %s '${value}'`)} } }\n` +
    `  - { id: a, type: cli, data: { title: A, content: "touch canary; pwd", cwd: ${JSON.stringify(cwd)} } }\nedges: [ v -> a ]\n`;
  test.each([
    ["work/${1}", "../.."],
    ["work/${1}", "sub/../../.."],
    ["work/${1}", "link"],
    ["work-${1}", "/../../.."],
    ["${1}", "/etc"],
    ["${1}", ".."],
    ["./${1}", "work/../.."],
  ])("cwd %s with %s is refused", async (cwd, value) => {
    const it = folder({ "in/t.flow.yaml": climbs(cwd, value), "in/work/sub/x": "", "in/work-a/x": "", "out/x": "" });
    symlinkSync("../../out", join(it.path, "in/work/link"));
    const ran = await it.run("run in/t.flow.yaml");
    expect(ran.stderr).toContain("cwd-outside");
    expect(ran.code).toBe(1);
    expect(execFileSync("find", [it.path, "-name", "canary"], { encoding: "utf8" })).toBe("");
  });
  test.each([
    ["work/${1}", "sub"],
    ["work/${1}", "/sub"],
    ["work/${1}", "sub/../sub/."],
    ["work/${1}", ""],
    ["work-${1}", "a"],
    ["${1}", "work/sub"],
  ])("cwd %s with %s is fine", async (cwd, value) => {
    const it = folder({ "t.flow.yaml": climbs(cwd, value), "work/sub/x": "", "work-a/x": "" });
    expect((await it.run("run t.flow.yaml --quiet")).code).toBe(0);
  });
  test("the user who starts the run may choose any folder, and so may the author", async () => {
    const it = folder({
      "in/t.flow.yaml": inARow({ a: "pwd" }, "inputs: { dir: { type: string } }\n").replace(
        'content: "pwd"',
        'content: "pwd", cwd: "${dir}"',
      ),
      "in/u.flow.yaml": climbs("/${1}", "/").replace("touch canary; ", ""),
      "out/x": "",
    });
    expect((await it.run("run in/t.flow.yaml --quiet --input dir=../out")).stdout).toMatch(/\/out\n$/);
    expect((await it.run("run in/u.flow.yaml --quiet")).stdout).toBe("/\n");
  });
});
