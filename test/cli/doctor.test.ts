// `curlew doctor` names each problem with what helps, as text and as JSON; it changes nothing, and other runs continue.

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test, vi } from "vitest";
import { asked, isOnPostgres, onOneMachine } from "../setup/on-postgres.ts";
import { type Folder, folder, inARow } from "./curlew.ts";

vi.setConfig({ testTimeout: 120_000 });

/** test/cluster has the tests of doctor on a cluster. */
const local = onOneMachine(
  "`doctor --store` reads curlew.db and its outputs. `db check` reads a history in PostgreSQL.",
);

const FLOW = `curlew: 1
name: NAME
nodes:
  - { id: say, type: cli, data: { title: Say, content: "echo said" } }
  - { id: gate, type: cli, data: { title: Gate, content: "cat", needsUserApproval: true, stdin: { source: parent-index } } }
edges: [ say -> gate ]
`;

/** A data directory with a run that ended and one that waits. */
async function home(): Promise<Folder & { ended: string; waiting: string }> {
  const it = folder({ "a.flow.yaml": FLOW.replace("NAME", "first"), "b.flow.yaml": FLOW.replace("NAME", "second") });
  expect(await it.run("run a.flow.yaml --yes")).toMatchObject({ code: 0 });
  expect(await it.run("run b.flow.yaml")).toMatchObject({ code: 3 });
  const [waiting, ended] = JSON.parse((await it.run("runs --json")).stdout) as { id: string }[];
  return { ...it, ended: ended!.id, waiting: waiting!.id };
}

local("a data directory without problems", async () => {
  const it = await home();
  const sound = await it.run("doctor --store");
  expect(sound).toMatchObject({ code: 0, stderr: "" });
  expect(sound.stdout).toMatch(
    /^ok {5}store {5}2 runs, \d+ events: every record is unchanged, and every output is there.\n$/,
  );
  const all = await it.run("doctor --json");
  expect(all.code).toBe(0);
  const { sound: isSound, checks } = JSON.parse(all.stdout);
  expect(isSound).toBe(true);
  const looked = new Set(checks.map(({ what }: { what: string }) => what));
  expect([...looked].filter((what) => what !== "pwsh")).toEqual(
    "store runs home disk keyring node bash sh zsh curl jq bwrap certificates proxy".split(" "),
  );
});

test("a missing data directory is fine, and is not made", async () => {
  const it = folder();
  expect(await it.run("doctor")).toMatchObject({ code: 0 });
  expect(existsSync(it.home)).toBe(false);
});

local(
  "a damaged event is named, with its run and what helps; the other run continues, and the damaged one can be removed",
  async () => {
    const it = await home();
    await asked(
      it.home,
      `UPDATE events SET body = substr(body, 2) WHERE run = (SELECT key FROM runs WHERE id = '${it.ended}')`,
    );
    const told = await it.run("doctor --store");
    expect(told).toMatchObject({ code: 1, stderr: "" });
    expect(told.stdout).toContain(`[record-damaged] Event`);
    expect(told.stdout).toContain(`help: Put a backup in its place, or remove the run: curlew runs rm ${it.ended}.`);
    expect(await it.run(`runs show ${it.ended}`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("error[record-damaged]"),
    });
    expect(await it.run(`approve ${it.waiting} gate`)).toMatchObject({ code: 0, stdout: "said\n" });
    expect(await it.run(`runs rm ${it.ended}`)).toMatchObject({ code: 0 });
    expect(await it.run("doctor --store")).toMatchObject({ code: 0 });
  },
);

test("a damaged row of the index is reported beside the list, and its run counts for nothing", async () => {
  const it = await home();
  const check = isOnPostgres ? "db check" : "doctor --store";
  await asked(it.home, `UPDATE runs SET started_by = '{' WHERE id = '${it.ended}'`);
  const listed = await it.run("runs");
  expect(listed).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`warning[record-damaged]: The index entry of run ${it.ended}`),
  });
  expect(listed.stdout).toContain("second");
  expect(listed.stdout).not.toContain("first");
  expect(await it.run(check)).toMatchObject({ code: 1, stdout: expect.stringContaining("record-damaged") });
  expect(await it.run(`runs rm ${it.ended}`)).toMatchObject({ code: 0 });
  expect(await it.run(check)).toMatchObject({ code: 0 });
});

local.each([
  ["is not a database", (file: string) => writeFileSync(file, "Dear diary, ".repeat(1000)), "store-damaged"],
  ["is cut off", (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 5_000)), "store-damaged"],
  [
    "belongs to another program",
    (file: string) => {
      rmSync(file);
      new DatabaseSync(file).exec("CREATE TABLE cats (name)");
    },
    "store-foreign",
  ],
  ["is newer", (file: string) => new DatabaseSync(file).exec("PRAGMA user_version = 99"), "store-newer"],
])("a history that %s is reported as such, in JSON too", async (_what, make, code) => {
  const it = await home();
  make(join(it.home, "curlew.db"));
  const told = await it.run("doctor --store --json");
  expect(told).toMatchObject({ code: 1, stderr: "" });
  expect(JSON.parse(told.stdout)).toMatchObject({ sound: false, checks: [{ what: "store", status: "wrong", code }] });
  expect(await it.run("runs")).toMatchObject({ code: 2, stdout: "" });
});

local("output files: a missing one, a truncated one, and a folder without a run", async () => {
  const it = await home();
  const file = (run: string) => join(it.home, "runs", run, "2.out");
  rmSync(file(it.ended));
  writeFileSync(file(it.waiting), "sa");
  writeFileSync(join(it.home, "runs", it.waiting, "7.val"), "nobody's");
  await it.run(`runs show ${it.waiting}`);
  const { checks } = JSON.parse((await it.run("doctor --store --json")).stdout);
  const told = checks.map((one: { code: string; run: string }) => `${one.code} ${one.run}`);
  expect(told.toSorted()).toEqual([`output-missing ${it.ended}`, `output-truncated ${it.waiting}`]);
  for (const table of ["events", "runs"]) await asked(it.home, `DELETE FROM ${table}`);
  expect((await it.run("doctor --store")).stdout).toContain(`[outputs-without-run]`);
});

local.each([
  ["one bit of a line", "out", "echo aye"],
  ["one bit of a flood", "out", "head -c 3000000 /dev/zero"],
  ["one bit of what went to stderr", "err", "echo aye >&2; exit 3"],
  ["one bit of a value that no command printed", "val", "head -c 100000 /dev/zero | tr '\\0' x"],
])("output that changed on disk is found: %s", async (_what, kind, content) => {
  const text = "  - { id: t, type: text, data: { title: T, content: '${1} and more' } }\nedges: [a -> t]\n";
  const it = folder({ "t.flow.yaml": `${inARow({ a: content })}${kind === "val" ? text : ""}` });
  const run = JSON.parse((await it.run("run t.flow.yaml --json")).stdout.split("\n")[0]!).run;
  expect((await it.run("doctor --store")).code).toBe(0);
  const names = readdirSync(join(it.home, "runs", run)).filter((name) => name.endsWith(`.${kind}`));
  expect(names).toHaveLength(1);
  const file = join(it.home, "runs", run, names[0]!);
  const bytes = readFileSync(file);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(file, bytes);
  const { checks } = JSON.parse((await it.run("doctor --store --json")).stdout);
  expect(checks).toMatchObject([{ status: "wrong", code: "output-changed", run }]);
});
