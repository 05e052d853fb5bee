// Where a run finds the secrets that its workflow declares, in which order, and which nodes get them.

import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Folder, folder, inARow } from "./curlew.ts";
import { onTerminal } from "./on-terminal.ts";

/** Prints a secret in an encoding that no masker knows. */
const TELLS = 'printf %s "${TOKEN}" | tr a-z n-za-m';
const rot13 = (text: string): string =>
  text.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 97 + 13) % 26) + 97));
const FLOW = inARow({ a: TELLS }, "secrets: [TOKEN]\n");

function writeHome(it: Folder, name: string, text: string): void {
  mkdirSync(it.home, { recursive: true, mode: 0o700 });
  it.write(join(".home", name), text);
}

test("the source nearest to the run wins: prompt, --env-file, environment, .env, local store, config.yaml", async () => {
  const it = folder({ "f.flow.yaml": FLOW, "given.env": "TOKEN=from-the-env-file\n" });
  writeHome(it, "config.yaml", "secrets: { TOKEN: { command: [echo, from-the-config] } }\n");
  const told = async (args = "", env: Record<string, string> = {}): Promise<string> =>
    rot13((await it.run(`run f.flow.yaml --quiet ${args}`, { env })).stdout.trim());
  expect(await told()).toBe("from-the-config");
  await it.run("secrets set TOKEN", { stdin: "from-the-store" });
  expect(await told()).toBe("from-the-store");
  it.write(".env", "export TOKEN='from-the-dotenv' # and not the store\n");
  chmodSync(join(it.path, ".env"), 0o600);
  expect(await told()).toBe("from-the-dotenv");
  expect(await told("", { TOKEN: "" })).toBe("from-the-dotenv");
  expect(await told("", { TOKEN: "from-the-environment" })).toBe("from-the-environment");
  expect(await told("--env-file given.env", { TOKEN: "from-the-environment" })).toBe("from-the-env-file");
  const run = onTerminal(it, "run f.flow.yaml --quiet --env-file given.env --secret TOKEN");
  await run.says("TOKEN: ", "stdout");
  run.process.stdin.write("from-the-prompt\r");
  expect(rot13((await run.done).stdout.trim().split("\n").at(-1)!.trim())).toBe("from-the-prompt");
}, 120_000);

test("only declared secrets come from .env; a .env that others can read is reported, and an invalid one stops nothing", async () => {
  const it = folder({
    "f.flow.yaml": inARow({ a: `echo "[\${TOKEN}][$OTHER]"; ${TELLS}` }, "secrets: [TOKEN]\n").replace(
      "data: {",
      "data: { env: { inherit: true },",
    ),
    ".env": '# comment\nOTHER=never\nTOKEN="two\nlines-of-it"\n',
  });
  chmodSync(join(it.path, ".env"), 0o644);
  const ran = await it.run("run f.flow.yaml --quiet");
  expect(ran).toMatchObject({ code: 0, stdout: `[***][]\n${rot13("two\nlines-of-it")}\n` });
  expect(ran.stderr).toContain("warning[dotenv-open]");
  expect(ran.stderr).toContain("chmod 600");
  expect(await it.run("run f.flow.yaml --quiet", { env: { TOKEN: "environment" } })).toMatchObject({
    code: 0,
    stderr: "",
  });
  it.write(".env", "x".repeat(1_000_001));
  const large = await it.run("run f.flow.yaml --quiet");
  expect(large).toMatchObject({ code: 2, stderr: expect.stringContaining("warning[dotenv-not-read]") });
  expect(large.stderr).toContain("error[secret-missing]");
});

const fails = (what: string, source: string, says: string[], code = "secret-source-failed") =>
  test(`a source that ${what} is reported, and nothing of the run is recorded`, async () => {
    const it = folder({ "f.flow.yaml": FLOW });
    writeHome(it, "config.yaml", `secrets:\n  TOKEN: ${source}\n`);
    const ran = await it.run("run f.flow.yaml");
    expect(ran).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(`error[${code}]`) });
    for (const word of says) expect(ran.stderr).toContain(word);
    expect(ran.stderr).not.toContain("hunter");
    expect((await it.run("runs --json")).stdout).toBe("[]\n");
  });
fails("fails", "{ command: 'echo hunter22; echo no such vault >&2; exit 7' }", [
  "exit code 7",
  "It said: no such vault",
  "config.yaml:2:10",
]);
fails("prints the value to stderr too and fails", "{ command: 'echo hunter22; echo got hunter22 >&2; exit 1' }", [
  "It said: got ***",
]);
fails("sets a variable for its program", "{ command: 'PIN=hunter22 P=\"x hunter22\" false' }", [
  "its command ended with exit code 1",
]);
fails("hangs", "{ command: [sleep, '1000'], timeout: 0.2s }", ['its command "sleep" did not end within 0.2 s']);
fails("leaves something that holds its output open", "{ command: 'sleep 1000 & sleep 1000', timeout: 0.2s }", [
  "did not end within",
]);
fails("names no program", "{ command: [no-such-program-here, hunter22] }", ["there is no such program"]);
fails("prints nothing", "{ command: [true] }".replace("true", "'true'"), ["printed nothing"]);
fails("never stops printing", "{ command: 'yes hunter22' }", ["printed more than 65536 bytes"]);
fails("prints a NUL", "{ command: ['printf', 'hunter22\\0x'] }", ["NUL"], "secret-unusable");
fails("prints no text", "{ command: ['printf', 'hunter22\\377x'] }", ["UTF-8"], "secret-unusable");
fails("gives too little", "{ command: [echo, abc] }", ["fewer than 6 bytes"], "secret-too-short");
fails("is a variable that is not set", "{ env: constructor }", ["curlew secrets set TOKEN"], "secret-missing");

test("a value after --secret is not repeated", async () => {
  const it = folder({ "f.flow.yaml": FLOW });
  const ran = await it.run("run f.flow.yaml --secret TOKEN=hunter22");
  expect(ran).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("error[secret-on-command-line]") });
  expect(ran.stderr).not.toContain("hunter");
});

test("a secret's command runs once per run, directly, and not for validate, a dry run, or an unused name", async () => {
  const flow = inARow({ a: TELLS, b: TELLS, c: 'test "${SAME}" = "${TOKEN}"' }, "secrets: [TOKEN, SAME, UNUSED]\n");
  const it = folder({ "f.flow.yaml": flow, "count.sh": '#!/bin/sh\necho "$0 $*" >> "$2"\necho "val-$1"\n' });
  chmodSync(join(it.path, "count.sh"), 0o755);
  const call = JSON.stringify([join(it.path, "count.sh"), "$HOME;ls", join(it.path, "calls")]);
  writeHome(
    it,
    "config.yaml",
    `secrets: { TOKEN: { command: ${call} }, SAME: { command: ${call} }, UNUSED: { command: [${JSON.stringify(join(it.path, "count.sh"))}, unused, ${JSON.stringify(join(it.path, "calls"))}] } }\n`,
  );
  expect((await it.run("validate f.flow.yaml")).code).toBe(0);
  const dry = await it.run("run f.flow.yaml --dry-run");
  expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining("‹secret TOKEN›") });
  expect(existsSync(join(it.path, "calls"))).toBe(false);
  expect(await it.run("run f.flow.yaml")).toMatchObject({ code: 0 });
  expect(it.read("calls")).toBe(`${join(it.path, "count.sh")} $HOME;ls ${join(it.path, "calls")}\n`);
  const listed = JSON.parse((await it.run("secrets --json")).stdout);
  expect(listed[1]).toEqual({
    name: "TOKEN",
    source: "config",
    way: `command ${join(it.path, "count.sh")}`,
    at: `${it.home}/config.yaml:1:19`,
  });
});

test("a secret is granted by name: env.inherit: true grants none, under no name; a name in the list does", async () => {
  const inherits = (inherit: string): string =>
    inARow({ a: 'echo "[$TOKEN][$CI_TOKEN][$PLAIN]"' }, "secrets: [TOKEN]\n")
      .replace("data: {", `data: { env: { inherit: ${inherit} },`)
      .replace("nodes:\n", `nodes:\n  - { id: z, type: text, data: { title: Z, content: "\${TOKEN}" } }\n`);
  const it = folder({ "all.flow.yaml": inherits("true"), "named.flow.yaml": inherits("[TOKEN]") });
  writeHome(it, "config.yaml", "secrets: { TOKEN: { env: CI_TOKEN } }\n");
  const env = { CI_TOKEN: "value-under-another-name", PLAIN: "plain" };
  const result = async (name: string, given: Record<string, string>): Promise<string> =>
    JSON.parse((await it.run(`run ${name}.flow.yaml --quiet`, { env: given })).stdout).a;
  expect(await result("all", env)).toBe("[][][plain]");
  expect(await result("all", { TOKEN: "value-in-the-environment", PLAIN: "plain" })).toBe("[][][plain]");
  expect(await result("named", env)).toBe("[***][][]");
});

test("a subflow gets the secrets that it declares, from the run's sources, masked in both", async () => {
  const child = `curlew: 1\nname: Child\nsecrets: [TOKEN]\nnodes:\n  - { id: c, type: cli, data: { title: C, content: 'echo "\${TOKEN}"; printf %s "\${TOKEN}" | tr a-z n-za-m >&2' } }\n`;
  const it = folder({
    "sub/child.flow.yaml": child,
    "f.flow.yaml": `curlew: 1\nname: Parent\nnodes:\n  - { id: s, type: subflow, data: { title: S, workflow: sub/child.flow.yaml } }\n`,
  });
  const missing = await it.run("run f.flow.yaml");
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('Node "c" of the subflow') });
  await it.run("secrets set TOKEN", { stdin: "value-of-the-child" });
  const ran = await it.run("run f.flow.yaml --json");
  expect(ran.code).toBe(0);
  expect(ran.stdout).toContain("***");
  expect(ran.stdout).not.toContain("value-of-the-child");
  const logs = await it.run("runs logs latest");
  expect(logs.stdout + logs.stderr).toContain(rot13("value-of-the-child"));
});

test("a secret that a parent passes to its subflow is masked there too", async () => {
  const child = `curlew: 1\nname: Child\ninputs: { token: { type: string } }\nnodes:\n  - { id: c, type: cli, data: { title: C, content: 'echo "\${token}"' } }\n`;
  const it = folder({
    "child.flow.yaml": child,
    "f.flow.yaml": `curlew: 1\nname: Parent\nsecrets: [TOKEN]\nnodes:\n  - { id: s, type: subflow, data: { title: S, workflow: child.flow.yaml, inputs: { token: "\${TOKEN}" } } }\n`,
  });
  const ran = await it.run("run f.flow.yaml --json", { env: { TOKEN: "value-of-the-parent" } });
  expect(ran.code).toBe(0);
  expect(ran.stdout).not.toContain("value-of-the-parent");
  for (const run of JSON.parse((await it.run("runs --json")).stdout))
    expect((await it.run(`runs show ${run.id} --json`)).stdout).not.toContain("value-of-the-parent");
});

test("without a declared secret no source is read", async () => {
  const it = folder({ "f.flow.yaml": inARow({ a: "echo hi" }) });
  const asked = join(it.home, "asked");
  writeHome(it, "config.yaml", `secrets:\n  TOKEN: { command: "echo x | tee ${asked}" }\n`);
  writeHome(it, "secrets.age", "broken");
  expect(await it.run("run f.flow.yaml --quiet")).toEqual({ code: 0, stdout: "hi\n", stderr: "" });
  expect(existsSync(asked)).toBe(false);
});

test("a secret's command may ask on the terminal, and has its own time limit", async () => {
  const it = folder({ "f.flow.yaml": FLOW });
  writeHome(
    it,
    "config.yaml",
    `secrets: { TOKEN: { command: 'printf "PIN? " > /dev/tty; read -r pin; echo "value-$pin"' } }\n`,
  );
  const run = onTerminal(it, "run f.flow.yaml --quiet");
  await run.says("PIN? ", "stdout");
  run.process.stdin.write("abcd\r");
  const ran = await run.done;
  expect(ran.code).toBe(0);
  expect(ran.stdout).toContain(rot13("value-abcd"));
});

test("a secret's command does not read what a pipe gives to the run", async () => {
  const it = folder({ "f.flow.yaml": FLOW });
  writeHome(it, "config.yaml", `secrets: { TOKEN: { command: 'cat; echo value-alone' } }\n`);
  const ran = await it.run("run f.flow.yaml --quiet", { stdin: "from the pipe" });
  expect(ran).toMatchObject({ code: 0, stdout: `${rot13("value-alone")}\n` });
});
