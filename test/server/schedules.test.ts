// Schedules and file watches of a real server: each time starts one run, even across restarts, and a file starts one
// once its writing has stopped.

import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Page, RunItem, WorkflowItem } from "../../src/api/shapes.ts";
import { asked, storeOf } from "../setup/on-postgres.ts";
import { get, triggers } from "./hooking.ts";
import { type Served, served, servedIn } from "./served.ts";
import { until } from "./until.ts";

function scheduled(schedule: string, content = "echo hi", more = ""): string {
  return `curlew: 1
name: Scheduled
on: [{ schedule: ${schedule} }]
${more}
nodes:
  - { id: c, type: cli, data: { title: c, content: ${JSON.stringify(content)} } }
`;
}

const runs = async (server: Served) => (await get<Page<RunItem>>(server, "/runs")).items;
const hourAgo = () => Date.now() - 3_600_000;

/** Closes the server; its schedules have not been checked since. */
async function asleepSince(server: Served, ms: number): Promise<void> {
  await server.close();
  await asked(server.home, `UPDATE triggers SET since_ms = ${ms}`);
}

/** A trigger can be listed before it is on record, and counts only from then on. */
async function onRecord(server: Served, count: number): Promise<void> {
  await until(async () => (await asked(server.home, "SELECT id FROM triggers")).length === count);
}

async function armedIn(files: Record<string, string>): Promise<Served> {
  const server = await served(files);
  await onRecord(server, Object.keys(files).length);
  return server;
}

test("a schedule is listed with its next times, in its zone, and on its workflow", async () => {
  const server = await armedIn({ "a.flow.yaml": scheduled('{ cron: "30 9 * * *", timezone: Asia/Tokyo }') });
  const [item] = await triggers(server, "schedule");
  expect(item).toMatchObject({
    title: "schedule 30 9 * * *, Asia/Tokyo (catchUp latest, overlap skip)",
    fields: { cron: "30 9 * * *", timezone: "Asia/Tokyo", catchUp: "latest", overlap: "skip" },
    paused: false,
  });
  expect(item!.next).toHaveLength(5);
  for (const at of item!.next!) expect(at).toMatch(/T00:30:00.000Z$/);
  const [workflow] = (await get<Page<WorkflowItem>>(server, "/workflows")).items;
  expect(workflow!.nextAt).toBe(item!.next![0]);
  server.write("a.flow.yaml", scheduled('{ cron: "0 * * * *", timezone: UTC }'));
  await until(async () => (await triggers(server, "schedule"))[0]?.fields.cron === "0 * * * *");
});

test("times that passed without a server are caught up as the document says, and once", async () => {
  const every = (more: string) => scheduled(`{ cron: "0 */2 * * *", timezone: UTC, ${more} }`);
  const first = await armedIn({
    "latest.flow.yaml": every("catchUp: latest"),
    "all.flow.yaml": every("catchUp: all, overlap: queue"),
    "none.flow.yaml": every("catchUp: none"),
  });
  await asleepSince(first, Date.now() - 12 * 3_600_000);
  for (const round of ["first", "second"]) {
    const server = await servedIn(first.home, first.folder);
    await until(async () => {
      const all = await runs(server);
      return all.length >= 7 && all.every(({ status }) => status === "succeeded");
    });
    const all = await runs(server);
    const of = (file: string) => all.filter(({ file: at }) => at.endsWith(`/${file}.flow.yaml`));
    const late = Date.now() % 7_200_000 < 40_000 ? 1 : 0;
    expect(of("latest"), round).toHaveLength(1);
    expect(of("none").length, round).toBeLessThanOrEqual(late);
    const times = of("all").map(({ trigger }) => trigger.by!);
    expect(times.length, round).toBe(6);
    expect(new Set(times).size).toBe(6);
    expect([...times].sort().reverse(), "one after the other, oldest first").toEqual(times);
    expect(of("latest")[0]!.trigger).toEqual({ kind: "schedule", by: times[0], at: times[0] });
    // A run can be listed before its trigger has recorded it.
    const last = async () =>
      (await triggers(server, "schedule")).find(({ workflow }) => workflow === "latest.flow.yaml")?.last;
    await expect.poll(last, { timeout: 20_000 }).toEqual({ at: times[0], run: of("latest")[0]!.id });
    await server.close();
  }
});

test("a time that was recorded without a start is started by the next server, under its id, once", async () => {
  const server = await armedIn({ "a.flow.yaml": scheduled('{ cron: "0 0 1 1 *" }') });
  const [{ id } = { id: "" }] = await triggers(server, "schedule");
  await server.close();
  const store = await storeOf(server.home);
  const run = "0123456789abcdefghjk";
  const start = {
    run,
    trigger: id,
    key: "2026-01-01T00:00:00.000Z",
    startedBy: { kind: "schedule" as const },
    file: join(server.folder, "a.flow.yaml"),
  };
  await store.triggers.decide(id, { sinceMs: Date.now() }, [start]);
  await store.close();
  for (let round = 0; round < 2; round++) {
    const next = await servedIn(server.home, server.folder);
    await until(async () => (await runs(next)).some(({ status }) => status === "succeeded"));
    expect((await runs(next)).map((item) => item.id)).toEqual([run]);
    await next.close();
  }
});

test("a paused schedule starts nothing, and its missed times stay missed", async () => {
  const server = await armedIn({ "a.flow.yaml": scheduled('{ cron: "*/10 * * * *", timezone: UTC }') });
  const [{ id } = { id: "" }] = await triggers(server, "schedule");
  expect((await server.api("POST", `/triggers/${id}/pause`, {})).status).toBe(204);
  expect((await triggers(server, "schedule"))[0]!.paused).toBe(true);
  await asleepSince(server, hourAgo());
  const next = await servedIn(server.home, server.folder);
  await until(async () => (await triggers(next, "schedule"))[0]?.paused === true);
  expect((await next.api("POST", `/triggers/${id}/resume`, {})).status).toBe(204);
  expect((await triggers(next, "schedule"))[0]!.paused).toBe(false);
  expect(await runs(next)).toEqual([]);
});

test("overlap: skip leaves out, queue waits, cancel ends the earlier run, allow runs beside it", async () => {
  const held = (overlap: string) =>
    scheduled(`{ cron: "*/10 * * * *", timezone: UTC, overlap: ${overlap} }`, "read _ < held", "");
  const kinds = ["skip", "queue", "cancel", "allow"];
  const first = await served(Object.fromEntries(kinds.map((kind) => [`${kind}/a.flow.yaml`, held(kind)])));
  for (const kind of kinds) execFileSync("mkfifo", [join(first.folder, kind, "held")]);
  await onRecord(first, kinds.length);
  await asleepSince(first, hourAgo());
  const second = await servedIn(first.home, first.folder);
  const of = async (server: Served, kind: string) =>
    (await runs(server)).filter(({ file }) => file.includes(`/${kind}/`));
  await until(async () => (await runs(second)).filter(({ status }) => status === "running").length === 4);
  await asleepSince(second, hourAgo());
  // Earlier times are known; a time between them is a new one.
  await asked(second.home, "UPDATE trigger_starts SET key = 'before ' || key");
  const third = await servedIn(first.home, first.folder);
  await until(async () => (await of(third, "allow")).filter(({ status }) => status === "running").length === 2);
  await until(async () => (await of(third, "cancel")).map(({ status }) => status).join() === "running,cancelled");
  expect((await of(third, "skip")).map(({ status }) => status)).toEqual(["running"]);
  expect((await of(third, "queue")).map(({ status }) => status)).toEqual(["running"]);
  const skipped = (await triggers(third, "schedule")).find(({ workflow }) => workflow === "skip/a.flow.yaml");
  expect(skipped!.last?.skipped).toContain("had not ended");
  writeFileSync(join(first.folder, "queue", "held"), "go\n");
  await until(async () => (await of(third, "queue")).map(({ status }) => status).join() === "running,succeeded");
}, 30_000);

const watching = (paths: string, on = "") => `curlew: 1
name: Inbox
on: [{ file: { paths: ${paths}${on} } }]
nodes:
  - { id: t, type: text, data: { title: t, content: "\${event.change} \${event.path}" } }
`;

async function told(server: Served): Promise<string[]> {
  const all = await runs(server);
  const results = await Promise.all(all.map(({ id }) => get<{ result?: string }>(server, `/runs/${id}`)));
  return results.map(({ result }) => result ?? "").toSorted();
}

const tells = (server: Served, ...wanted: string[]) =>
  until(async () => JSON.stringify(await told(server)) === JSON.stringify(wanted.toSorted()));

test("a file that comes, changes or goes starts one run once its writing has stopped; existing files start none", async () => {
  const server = await served({
    "inbox/old.json": "{}",
    "a.flow.yaml": watching('["inbox/*.json"]', ", on: [add, change, remove]"),
  });
  const inbox = join(server.folder, "inbox");
  await onRecord(server, 1);
  writeFileSync(join(inbox, "new.json"), "{");
  for (let n = 0; n < 5; n++) {
    appendFileSync(join(inbox, "new.json"), " ");
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  writeFileSync(join(inbox, "note.txt"), "");
  await tells(server, "add inbox/new.json");
  appendFileSync(join(inbox, "old.json"), " ");
  await tells(server, "add inbox/new.json", "change inbox/old.json");
  renameSync(join(inbox, "new.json"), join(server.folder, "elsewhere.json"));
  await tells(server, "add inbox/new.json", "change inbox/old.json", "remove inbox/new.json");
  expect((await triggers(server, "file"))[0]).toMatchObject({
    last: { by: "inbox/new.json", run: expect.any(String) },
  });
  expect((await runs(server))[0]!.trigger).toEqual({ kind: "file", by: "inbox/new.json", at: expect.any(String) });
});

test("a file whose name contains a secret of the workflow starts a run that does not reveal it", async () => {
  const document = watching('["in/*"]').replace("nodes:", "secrets: [TOKEN]\nnodes:");
  const server = await served(
    { "a.flow.yaml": `${document}  - { id: u, type: text, data: { title: u, content: "\${TOKEN}" } }\n`, "in/old": "" },
    { env: { ...process.env, CURLEW_KEYRING: "off", TOKEN: "t0ken-of-the-file" } },
  );
  await onRecord(server, 1);
  writeFileSync(join(server.folder, "in/t0ken-of-the-file.csv"), "");
  await until(async () => (await runs(server)).length === 1);
  expect((await runs(server))[0]!.trigger).toEqual({ kind: "file", by: "in/***.csv", at: expect.any(String) });
});

test("changes without a running server are found, paused changes start nothing, and links are not followed", async () => {
  const server = await served({ "a.flow.yaml": watching('["in/**/*.csv"]'), "outside.csv": "" });
  mkdirSync(join(server.folder, "in"));
  await onRecord(server, 1);
  await server.close();
  mkdirSync(join(server.folder, "in/deep"));
  writeFileSync(join(server.folder, "in/deep/a.csv"), "");
  symlinkSync(server.folder, join(server.folder, "in/up"));
  symlinkSync(join(server.folder, "outside.csv"), join(server.folder, "in/link.csv"));
  const next = await servedIn(server.home, server.folder);
  await tells(next, "add in/deep/a.csv");
  const [{ id } = { id: "" }] = await triggers(next, "file");
  await next.api("POST", `/triggers/${id}/pause`, {});
  writeFileSync(join(server.folder, "in/paused.csv"), "");
  const seen = async () => (await asked(server.home, "SELECT path FROM watched ORDER BY path")).map(({ path }) => path);
  await until(async () => (await seen()).includes("in/paused.csv"));
  await next.api("POST", `/triggers/${id}/resume`, {});
  rmSync(join(server.folder, "in/deep"), { recursive: true });
  writeFileSync(join(server.folder, "in/b.csv"), "");
  await tells(next, "add in/deep/a.csv", "add in/b.csv");
  expect(await seen()).toEqual(["in/b.csv", "in/paused.csv"]);
});
