// `curlew backup`: a copy made while runs are active. It is a data directory with the same history, where waiting runs
// can continue.

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { filesOf } from "../secrets/hunt.ts";
import { onOneMachine } from "../setup/on-postgres.ts";
import { folder } from "./curlew.ts";

vi.setConfig({ testTimeout: 120_000 });

/** test/cluster/command-line.test.ts has the refusal. */
const test = onOneMachine("`curlew backup` copies a history in files, and refuses one in PostgreSQL.");

const WAITS = `curlew: 1
name: waits
nodes:
  - { id: ask, type: cli, data: { title: Ask, content: "echo very-secret-token" } }
  - { id: keep, type: variable, data: { title: Keep, variableName: token, secret: true } }
  - { id: big, type: cli, data: { title: Big, content: "seq 20000" } }
  - id: gate
    type: cli
    data: { title: Gate, content: 'printf "%s %s" "\${token}" "$(wc -l)" > got', needsUserApproval: true, stdin: { source: parent-index } }
edges: [ ask -> keep -> big -> gate ]
`;
const HELD = `curlew: 1
name: held
nodes:
  - { id: reads, type: cli, data: { title: Reads, content: 'echo begun; cat hold \${token|file}' } }
secrets: [token]
`;

test("a backup made during a run is a data directory: same runs, all outputs, and waiting runs can continue", async () => {
  const it = folder({ "waits.flow.yaml": WAITS, "held.flow.yaml": HELD });
  expect(await it.run("run waits.flow.yaml")).toMatchObject({ code: 3 });
  execFileSync("mkfifo", [join(it.path, "hold")]);
  const held = it.start("run held.flow.yaml --json", { env: { token: "another-secret" } });
  await held.says('"attempt.started"', "stdout");
  expect(await it.run("backup saved")).toMatchObject({
    code: 0,
    stdout: "",
    stderr: expect.stringMatching(/^2 runs with \d+ events, /),
  });
  const saved = join(it.path, "saved");
  writeFileSync(join(it.path, "hold"), "");
  expect(await held.done).toMatchObject({ code: 0 });

  expect(readdirSync(it.path).filter((name) => name.includes(".part-"))).toEqual([]);
  expect(filesOf(saved).filter((file) => (statSync(file).mode & 0o777) !== 0o600)).toEqual([]);
  expect(statSync(saved).mode & 0o777).toBe(0o700);
  expect(filesOf(saved).filter((file) => file.endsWith(".key"))).toEqual([]);
  const other = { env: { CURLEW_HOME: saved } };
  expect(await it.run("doctor --store", other)).toMatchObject({ code: 0, stdout: expect.stringContaining("2 runs") });
  const ids = async (given: object) =>
    JSON.parse((await it.run("runs --json", given)).stdout).map(({ id }: { id: string }) => id);
  expect(await ids(other)).toEqual(await ids({}));
  const [, waiting] = await ids({});
  expect((await it.run(`runs logs ${waiting} big --tail 1`, other)).stdout).toBe("20000\n");
  expect(await it.run(`approve ${waiting} gate`, other)).toMatchObject({ code: 0 });
  expect(it.read("got")).toBe("very-secret-token 19999");
  // The original is unchanged.
  expect(await it.run(`approvals ${waiting}`)).toMatchObject({ code: 0, stdout: expect.stringContaining("gate") });
});

test("no file is overwritten, and a data directory without a history cannot be backed up", async () => {
  const it = folder({ "waits.flow.yaml": WAITS, saved: "mine" });
  expect(await it.run("backup here")).toMatchObject({ code: 2, stderr: expect.stringContaining("error[no-history]") });
  await it.run("run waits.flow.yaml");
  for (const target of ["saved", ".", ".home", ".home/copy"])
    expect(await it.run(["backup", target])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("error[backup-exists]"),
    });
  expect(it.read("saved")).toBe("mine");
  expect(await it.run("backup no/such/place")).toMatchObject({
    ...{ code: 2, stdout: "" },
    stderr: expect.stringMatching(/error\[cannot-write\]: The folder \S+\/no\/such does not exist\./),
  });
  expect(existsSync(join(it.path, "no"))).toBe(false);
  if (process.platform === "linux")
    expect((await it.run("backup /proc/copy")).stderr).toMatch(/Choose another folder for the backup\.$/m);
  expect(await it.run("backup fine --json")).toMatchObject({ code: 0 });
  expect(await it.run("backup fine")).toMatchObject({ code: 2 });
});
