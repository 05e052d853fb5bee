// Budgets between real processes with one data directory: races, kills, restarts (spec 3.3, 3.4).

import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Folder, folder } from "../cli/curlew.ts";

const lines = (at: Folder, name: string): string[] =>
  existsSync(join(at.path, name)) ? readFileSync(join(at.path, name), "utf8").trimEnd().split("\n") : [];

/** A node that writes to `log` and stays until a file of this name exists. */
const stays = (id: string, file: string, more: string): string =>
  `  - {id: ${id}, type: cli, data: {title: ${id}, content: "echo ${id} >> log; until test -e ${file}; do sleep 0.02; done", ${more}}}\n`;
const flow = (nodes: string, more = ""): string => `curlew: 1\nname: T\n${more}nodes:\n${nodes}`;
const SLOT = "concurrency: {key: k, limit: 2}";
const ONE = "concurrency: {key: k, limit: 1}";

test("with three processes and two slots, the third waits and starts when one becomes free", async () => {
  const files = Object.fromEntries(["a", "b", "c"].map((id) => [`${id}.flow.yaml`, flow(stays(id, `go-${id}`, SLOT))]));
  const at = folder(files);
  const first = [at.start("run a.flow.yaml"), at.start("run b.flow.yaml")];
  await Promise.all(first.map((run, n) => run.says(`${"ab"[n]} started`)));
  const third = at.start("run c.flow.yaml");
  await third.says("c waits for a concurrency slot (k)");
  expect(lines(at, "log").sort()).toEqual(["a", "b"]);
  const shown = JSON.parse((await at.run("runs show latest --json")).stdout);
  expect([shown.status, shown.nodes[0]]).toMatchObject([
    "waiting",
    { status: "waiting", waitingFor: "concurrency", waitingKey: "k", attempts: [] },
  ]);
  expect((await at.run("runs show latest")).stdout).toContain("waits for a concurrency slot (k)");
  at.write("go-a", "");
  await third.says("c started");
  for (const id of ["b", "c"]) at.write(`go-${id}`, "");
  expect(await Promise.all([...first, third].map(({ done }) => done))).toMatchObject([
    { code: 0 },
    { code: 0 },
    { code: 0 },
  ]);
});

test("two processes race for one rate budget, and no period has more starts than allowed", async () => {
  const node = (id: string) =>
    `  - {id: ${id}, type: cli, data: {title: T, content: "date +%s%3N >> starts", rateLimit: {key: "api", limit: 3, per: 2s}}}\n`;
  const four = flow(["a", "b", "c", "d"].map(node).join(""));
  const at = folder({ "t.flow.yaml": four });
  const ran = await Promise.all([1, 2].map(() => at.start("run t.flow.yaml").done));
  expect(ran.map(({ code }) => code)).toEqual([0, 0]);
  expect(ran.map(({ stderr }) => stderr).join()).toContain("waits for a rate budget (api), ");
  const events = await startsOf(at);
  expect(events).toHaveLength(8);
  for (const [n, time] of events.entries()) {
    // The record is from just after a start was granted; between the two is the work of one turn.
    const later = events[n + 3];
    if (later !== undefined) expect(later - time).toBeGreaterThan(1_500);
  }
});

test("a late call counts from its arrival, because that is what a service counts", async () => {
  const arrivals: number[] = [];
  const service = createServer((_, answer) => {
    arrivals.push(performance.now());
    answer.end("ok");
  }).listen(0, "127.0.0.1");
  await once(service, "listening");
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`;
  const node = (id: string, content: string) =>
    `  - {id: ${id}, type: cli, data: {title: T, content: "${content}", rateLimit: {key: api, limit: 1, per: 3s}}}\n`;
  const at = folder({
    "late.flow.yaml": flow(node("late", `until test -e go; do sleep 0.02; done; curl -sS ${url}`)),
    "next.flow.yaml": flow(node("next", `curl -sS ${url}`)),
  });
  const late = at.start("run late.flow.yaml");
  await late.says("late started");
  const next = at.start("run next.flow.yaml");
  await next.says("next waits for a rate budget (api)");
  at.write("go", "");
  expect((await Promise.all([late.done, next.done])).map(({ code }) => code)).toEqual([0, 0]);
  service.close();
  const [first = 0, second = 0] = arrivals;
  expect(second - first).toBeGreaterThanOrEqual(2_990);
});

test("after kill -9 a slot stays taken while its command lives, and is free when the command ends", async () => {
  const at = folder({
    "a.flow.yaml": flow(stays("a", "go-a", ONE)),
    "b.flow.yaml": flow(stays("b", "go-b", ONE)),
  });
  const first = at.start("run a.flow.yaml");
  await first.says("a started");
  await seen(at, "log", "a");
  first.process.kill("SIGKILL");
  await first.done;
  const second = at.start("run b.flow.yaml");
  await second.says("b waits for a concurrency slot (k)");
  expect(lines(at, "log")).toEqual(["a"]);
  at.write("go-a", "");
  await second.says("b started");
  at.write("go-b", "");
  expect((await second.done).code).toBe(0);
});

test("a wait for a rate budget survives kill -9, and the node runs once", async () => {
  const node = (id: string) =>
    `  - {id: ${id}, type: cli, data: {title: T, content: "echo ${id} >> log", rateLimit: {key: k, limit: 1, per: 4s}}}\n`;
  const at = folder({ "t.flow.yaml": flow(node("a") + node("b")) });
  const run = at.start("run t.flow.yaml");
  await run.says("b waits for a rate budget (k)");
  await run.says("a succeeded");
  run.process.kill("SIGKILL");
  await run.done;
  const before = JSON.parse((await at.run("runs show latest --json")).stdout).nodes[1];
  expect(before).toMatchObject({ id: "b", status: "waiting", waitingFor: "rate", waitingKey: "k" });
  const resumed = await at.run("runs resume latest");
  expect([resumed.code, lines(at, "log")]).toEqual([0, ["a", "b"]]);
  const [first = 0, second = 0] = await startsOf(at);
  expect(second - first).toBeGreaterThanOrEqual(3_990);
});

/** The time of each `attempt.started` in all runs, in order. */
async function startsOf(at: Folder): Promise<number[]> {
  const runs = JSON.parse((await at.run("runs --json")).stdout) as { id: string }[];
  const all: number[] = [];
  for (const { id } of runs) {
    const { nodes } = JSON.parse((await at.run(`runs show ${id} --json`)).stdout) as {
      nodes: { attempts: { startedAt: string }[] }[];
    };
    all.push(...nodes.flatMap(({ attempts }) => attempts.map(({ startedAt }) => Date.parse(startedAt))));
  }
  return all.sort((one, other) => one - other);
}

/** Waits until the command has written this line. */
async function seen(at: Folder, name: string, line: string): Promise<void> {
  while (!lines(at, name).includes(line)) await new Promise((resolve) => setImmediate(resolve));
}
