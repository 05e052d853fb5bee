// `curlew secrets`: set, list, rm, and how a run uses a secret of the local store.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { storeOf } from "../setup/on-postgres.ts";
import { type Folder, folder, inARow } from "./curlew.ts";
import { onTerminal } from "./on-terminal.ts";

const VALUE = "tok-'\"$(touch x)`äöü \\\nsecond line, end";
const sha = (text: string): string => createHash("sha256").update(text).digest("hex");
const ROT13 = 'printf %s "${TOKEN}" | tr a-z n-za-m';
const flow = (content: string, more = "secrets: [TOKEN]\n"): string => inARow({ a: content }, more);

test("a saved secret reaches a command byte by byte; one newline at its end belongs to the file, not to the secret", async () => {
  const it = folder({ "f.flow.yaml": flow('printf %s "${TOKEN}" | sha256sum | cut -c1-64') });
  const saved = await it.run("secrets set TOKEN", { stdin: `${VALUE}\n\n` });
  expect(saved).toEqual({
    code: 0,
    stdout: "",
    stderr: `Saved TOKEN, encrypted; the key is in ${it.home}/secrets.key.\n`,
  });
  expect(await it.run("run f.flow.yaml")).toMatchObject({ code: 0, stdout: `${sha(`${VALUE}\n`)}\n` });
  await it.run("secrets set TOKEN", { stdin: `${VALUE}\r\n` });
  expect(await it.run("run f.flow.yaml")).toMatchObject({ code: 0, stdout: `${sha(VALUE)}\n` });
});

test("list shows names and times, never values", async () => {
  const it = folder({});
  expect(await it.run("secrets")).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining("set NAME") });
  await it.run("secrets set B_TOKEN", { stdin: "value-of-b" });
  await it.run("secrets set A_TOKEN", { stdin: "value-of-a" });
  const listed = await it.run("secrets list");
  expect(listed.stdout).toMatch(/^A_TOKEN {2}store {2}set \d{4}-\d\d-\d\d \d\d:\d\d UTC\nB_TOKEN {2}store .*\n$/);
  const json = JSON.parse((await it.run("secrets --json")).stdout);
  expect(json).toEqual(["A_TOKEN", "B_TOKEN"].map((name) => ({ name, source: "store", setAt: expect.any(String) })));
});

test("rm removes a secret; each change is in the audit log, without the value", async () => {
  const it = folder({});
  await it.run("secrets set A_TOKEN", { stdin: "value-of-a" });
  const near = await it.run("secrets rm A_TOKE");
  expect(near).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean "A_TOKEN"?') });
  expect(await it.run("secrets rm A_TOKEN")).toMatchObject({ code: 0, stderr: "Removed A_TOKEN.\n" });
  expect((await it.run("secrets")).stdout).toBe("");
  const log = await it.run("audit --json");
  expect(log.stdout.match(/secret\.(set|removed)/g)).toEqual(["secret.removed", "secret.set"]);
  expect(log.stdout).not.toContain("value-of");
});

test.each([
  ["a value on the command line", ["TOKEN", "hunter22"], "", "secret-on-command-line"],
  ["a value behind a dash", ["TOKEN", "--hunter22"], "", "secret-on-command-line"],
  ["NAME=VALUE", ["TOKEN=hunter22"], "", "secret-on-command-line"],
  ["an invalid name", ["9-hunter22"], "", "bad-name"],
  ["nothing", ["TOKEN"], "", "secret-too-short"],
  ["a line break alone", ["TOKEN"], "\n", "secret-too-short"],
  ["too few bytes", ["TOKEN"], "abcde\n", "secret-too-short"],
  ["a NUL character", ["TOKEN"], "hunter22\0", "secret-unusable"],
  ["too many bytes", ["TOKEN"], "hunter22".repeat(9_000), "secret-unusable"],
])("set refuses %s, shows no value and changes nothing", async (_what, words, stdin, code) => {
  const it = folder({});
  const ran = await it.run(["secrets", "set", ...words], { stdin });
  expect(ran).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(`error[${code}]`) });
  expect(ran.stderr).not.toContain("hunter22");
  expect(existsSync(join(it.home, "secrets.age"))).toBe(false);
});

test("on a terminal the value is typed and not shown", async () => {
  const it = folder({ "f.flow.yaml": flow(ROT13) });
  const run = onTerminal(it, "secrets set TOKEN");
  await run.says("Value of TOKEN (not shown): ", "stdout");
  run.process.stdin.write("typed-by-hand\r");
  const ran = await run.done;
  expect(ran.code).toBe(0);
  expect(ran.stdout).not.toContain("typed-by-hand");
  expect((await it.run("run f.flow.yaml")).stdout).toBe("glcrq-ol-unaq\n");
});

/** Command line and environment of a process, where they can be read. */
function factsOf(pid: string): { cmdline: string; environ: string } {
  const read = (name: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${name}`, "latin1");
    } catch {
      return "";
    }
  };
  return { cmdline: read("cmdline"), environ: read("environ") };
}

test.each(["", " --quiet", " --json"])(
  "a secret that is in the workflow as plain text is masked in the summary too (run%s)",
  async (how) => {
    const it = folder({ "f.flow.yaml": flow(': "${TOKEN}"; echo postgres-main; exit 3') });
    const { code, stdout, stderr } = await it.run(`run f.flow.yaml${how}`, { env: { TOKEN: "postgres-main" } });
    expect(code).toBe(1);
    expect(stderr).toContain('command: : "${TOKEN}"; echo ***; exit 3\n');
    expect(stdout + stderr).not.toContain("postgres-main");
  },
);

test.runIf(process.platform === "linux")(
  "while it runs, a secret is on no command line, and in the environment of its command alone",
  async () => {
    const value = "sk-live-never-on-a-command-line";
    const it = folder({
      "f.flow.yaml": flow('echo "pid $$"; read line < go; printf %s "${TOKEN}" | wc -c'),
    });
    execFileSync("mkfifo", [join(it.path, "go")]);
    await it.run("secrets set TOKEN", { stdin: value });
    const run = it.start("run f.flow.yaml --json");
    await run.says("attempt.started", "stdout");
    const holders = (): Map<string, { cmdline: string; environ: string }> =>
      new Map(
        readdirSync("/proc")
          .filter((name) => /^\d+$/.test(name))
          .map((pid) => [pid, factsOf(pid)]),
      );
    // The command has started when it opens the file that it waits for.
    let seen = holders();
    const isThere = (): boolean =>
      [...seen.values()].some(({ cmdline, environ }) => cmdline.includes(it.home) && environ.includes(value));
    while (!isThere()) seen = holders();
    for (const { cmdline } of seen.values()) expect(cmdline).not.toContain(value);
    expect(seen.get(String(run.process.pid))!.cmdline).toContain("f.flow.yaml");
    expect(seen.get(String(run.process.pid))!.environ).not.toContain(value);
    execFileSync("sh", ["-c", "echo > go"], { cwd: it.path });
    const ran = await run.done;
    expect(ran.code).toBe(0);
  },
);

/** The recorded bytes, read without Curlew. */
async function recordOf(it: Folder): Promise<{ id: string; events: number }[]> {
  const { journal, close } = await storeOf(it.home);
  const page = await journal.listRuns({});
  const record = [];
  for (const { id } of page.ok ? page.value.runs : []) {
    const seq = await journal.lastSeq(id);
    record.push({ id, events: seq.ok ? seq.value : -1 });
  }
  await close();
  return record;
}

async function waitingRun(it: Folder): Promise<string> {
  await it.run("secrets set TOKEN", { stdin: "first-value" });
  expect((await it.run("run f.flow.yaml")).code).toBe(3);
  await it.run("secrets rm TOKEN");
  return (await recordOf(it))[0]!.id;
}

const WAITS = `curlew: 1
name: Waits
secrets: [TOKEN]
nodes:
  - { id: ask, type: cli, data: { title: Ask, content: 'printf %s "\${TOKEN}" | tr a-z n-za-m', needsUserApproval: true } }
`;

test.each(["runs resume", "approve", "reject"])(
  "curlew %s reads the secrets again, and reports a missing one before it records anything",
  async (command) => {
    const it = folder({ "f.flow.yaml": WAITS });
    const id = await waitingRun(it);
    const before = await recordOf(it);
    const ran = await it.run(`${command} ${id}${command.startsWith("runs") ? "" : " ask"}`);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("error[secret-missing]") });
    expect(ran.stderr).toContain("curlew secrets set TOKEN");
    expect(await recordOf(it)).toEqual(before);
  },
);

test("a run continues with the same secret from another source, and the approved command runs", async () => {
  const it = folder({ "f.flow.yaml": WAITS, "given.env": "TOKEN=first-value\n", "other.env": "TOKEN=other-value\n" });
  const id = await waitingRun(it);
  expect(await it.run(`approve ${id} ask --env-file other.env`)).toMatchObject({ code: 3 });
  expect(await it.run(`approve ${id} ask --env-file given.env`)).toMatchObject({ code: 3 });
  const done = await it.run(`approve ${id} ask --env-file given.env`);
  expect(done).toMatchObject({ code: 0, stdout: "svefg-inyhr\n" });
}, 120_000);
