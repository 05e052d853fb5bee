// Workflows keep values between runs. Curlew stores a value when its node succeeds, or not at all.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder, MAIN } from "./curlew.ts";

/** `set` in a command, without the time of a process. */
const set = (name: string, value: string) => `printf '["${name}","${value}"]\\n' >> "$CURLEW_STATE"`;

const document = (run: string, more = "") =>
  `curlew: 1\nname: T\nstate: { last_id: 0 }\n${more}nodes:\n  - id: a\n    run: |\n      ${run}\n`;

const stored = async (it: ReturnType<typeof folder>) =>
  JSON.parse((await it.run("state list --json")).stdout).map(({ name, value }: Record<string, string>) => [
    name,
    value,
  ]);

test("a run begins where the run before it stopped, and each file has its own state", async () => {
  const it = folder({
    "t.flow.yaml": document(
      `n=\${state.last_id}; echo "$n"; printf '["last_id","%s"]\\n' "$((n + 5))" >> "$CURLEW_STATE"`,
    ),
  });
  expect((await it.run("run t.flow.yaml")).stdout).toBe("0\n");
  expect((await it.run("run t.flow.yaml")).stdout).toBe("5\n");
  expect(await it.run("state get last_id --workflow t.flow.yaml")).toMatchObject({ code: 0, stdout: "10\n" });
  it.write("other.flow.yaml", it.read("t.flow.yaml"));
  expect((await it.run("run other.flow.yaml")).stdout).toBe("0\n");
});

test("curlew state set in a command stores its value when the node succeeds", async () => {
  const it = folder({
    "t.flow.yaml": document(`"${process.execPath}" ${MAIN} state set last_id "it's \\"5\\"" && echo done`),
  });
  expect(await it.run("run t.flow.yaml")).toMatchObject({ code: 0 });
  expect(await stored(it)).toEqual([["last_id", 'it\'s "5"']]);
});

test("a failed, cancelled, or repeated attempt stores nothing, and its retry starts from what was stored", async () => {
  const it = folder({
    "t.flow.yaml": document(
      `test -s "$CURLEW_STATE" && exit 9; echo \${state.last_id} >> seen; ${set("last_id", "3")}; test -e ok || { touch ok; exit 1; }`,
      "defaults: { retry: { maxAttempts: 2, initialInterval: 1ms, on: [1] } }\n",
    ),
    "fails.flow.yaml": document(`${set("last_id", "4")}; exit 1`),
  });
  expect((await it.run("run t.flow.yaml")).code).toBe(0);
  expect(it.read("seen")).toBe("0\n0\n");
  expect((await it.run("run fails.flow.yaml")).code).toBe(1);
  expect(await stored(it)).toEqual([["last_id", "3"]]);
});

test("a secret is never stored, in no form and in no file", async () => {
  const token = "tok-5f1c9e8a7b6d";
  const it = folder({
    "t.flow.yaml": document(`printf '["last_id","x-%s"]\\n' \${TOKEN} >> "$CURLEW_STATE"`, "secrets: [TOKEN]\n"),
    "v.flow.yaml": `curlew: 1
name: V
state: { last_id: 0 }
secrets: [TOKEN]
nodes:
  - { id: a, type: variable, variableName: last_id, content: "x-\${TOKEN}", persist: true }
`,
  });
  const env = { TOKEN: token };
  for (const file of ["t", "v"]) {
    const ran = await it.run(`run ${file}.flow.yaml`, { env });
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("error[state-secret]") });
  }
  const byHand = await it.run(`state set last_id x-${token} --workflow t.flow.yaml`, { env });
  expect(byHand).toMatchObject({ code: 2, stderr: expect.stringContaining("error[state-secret]") });
  expect(await stored(it)).toEqual([]);
  for (const path of readdirSync(it.home, { recursive: true, encoding: "utf8" }).map((name) => join(it.home, name)))
    if (statSync(path).isFile()) expect(readFileSync(path, "latin1"), path).not.toContain(token);
  // Stored before it was a secret: the run does not start with it.
  expect((await it.run(`state set last_id x-${token} --workflow t.flow.yaml`)).code).toBe(0);
  expect(await it.run("run t.flow.yaml", { env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("curlew state rm last_id"),
  });
});

test("state is set, shown, and removed by hand", async () => {
  const it = folder({ "t.flow.yaml": document("echo ${state.last_id}") });
  expect(await it.run("state set lst_id 3 --workflow t.flow.yaml")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'error[state-undeclared]: The workflow has no state "lst_id". Did you mean "last_id"?',
    ),
  });
  expect(await it.run("state set last_id 3")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("[state-of-which]"),
  });
  expect(await it.run("state set last_id 3 --workflow t.flow.yaml")).toMatchObject({ code: 0, stderr: "" });
  expect((await it.run("run t.flow.yaml")).stdout).toBe("3\n");
  expect((await it.run("state")).stdout).toMatch(/^last_id {2}3 {2}\S+t\.flow\.yaml {2}.* ago\n$/);
  expect((await it.run("state rm last_id --workflow t.flow.yaml")).code).toBe(0);
  for (const verb of ["rm", "get"])
    expect(await it.run(`state ${verb} last_id --workflow t.flow.yaml`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("[state-unset]"),
    });
  for (const verb of ["rm", "get"])
    expect((await it.run(`state ${verb} last_id --workflow u.flow.yaml`)).stderr).toContain(
      "There is no file u.flow.yaml.",
    );
  expect((await it.run("run t.flow.yaml")).stdout).toBe("0\n");
  const log = (await it.run("audit --json")).stdout;
  expect(log.match(/"type":\s*"state\.\w+"/g)?.map((type) => type.split('"')[3])).toEqual([
    "state.removed",
    "state.set",
  ]);
});
