// A server that is killed, and the next one: runs continue automatically, nothing happens twice, and followers miss
// nothing (spec 3.4).

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { StartedRun } from "../../src/api/shapes.ts";
import { readServerFile } from "../../src/app/instance.ts";
import { limits } from "../../src/base/limits.ts";
import { type Folder, folder, inARow } from "../cli/curlew.ts";
import { isOnPostgres, onOneMachine } from "../setup/on-postgres.ts";
import { servedIn } from "./served.ts";
import { eventOf, type Following, follow, isLive, messageOf, ofType } from "./streams.ts";

const COUNT = `
curlew: 1
name: count
nodes:
  - { id: pages, type: loop-start, data: { title: Pages, iterations: 12 } }
  - id: page
    type: cli
    data: { title: Page, content: 'echo "\${i}" >> log; sleep 0.1; echo "page \${i}"', cwd: . }
  - { id: all, type: loop-end, data: { title: All } }
  - id: held
    type: cli
    data: { title: Held, content: 'echo held >> log; until test -e free; do sleep 0.05; done; echo done', cwd: . }
  - id: gate
    type: cli
    data: { title: Gate, content: 'echo gate >> log', cwd: ., needsUserApproval: true }
edges:
  - pages -> page -> all -> held
  - all -> gate
`;

const HELLO = `
curlew: 1
name: hello
nodes:
  - { id: hello, type: cli, data: { title: Hello, content: echo hello } }
`;

interface Up {
  url: string;
  token: string;
  pid: number;
}

/** A server in a separate process. */
async function serve(it: Folder): Promise<Up> {
  const before = readServerFile(it.home)?.pid;
  const server = it.start(["serve", ".", "--port", "0", "--hooks-port", "0"]);
  onTestFinished(() => void server.process.kill("SIGKILL"));
  await expect.poll(() => readServerFile(it.home)?.pid ?? before, { timeout: 20_000 }).not.toBe(before);
  return readServerFile(it.home)!;
}

async function post(up: Up, path: string, body: unknown = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${up.token}`, "content-type": "application/json" };
  return fetch(`${up.url}/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

const runEvents = (stream: Following) =>
  stream.messages.map(messageOf).flatMap((message) => (message.kind === "run" ? [message] : []));

test("killed in the middle: the next server continues, commands are adopted, and two clients see every event once", async () => {
  const it = folder({ "count.flow.yaml": COUNT });
  const first = await serve(it);
  const streams = [await follow(first, "/events"), await follow(first, "/events")];
  for (const stream of streams) await stream.until(isLive);
  const { id } = (await (await post(first, "/workflows/count.flow.yaml/runs")).json()) as StartedRun;
  const passes = () => runEvents(streams[0]!).filter(({ event }) => event.type === "pass.succeeded").length;
  await streams[0]!.until(() => passes() >= 4);
  process.kill(first.pid, "SIGKILL");
  for (const stream of streams) await stream.until(() => false).catch(() => {});

  const second = await serve(it);
  const last = streams.map((stream) => String(runEvents(stream).at(-1)!.position));
  const later = await Promise.all(last.map((position) => follow(second, "/events", position)));
  // Killed again, while one command runs and one waits for approval.
  const isHeld = (stream: Following) =>
    stream.until((message) => {
      const event = eventOf(message);
      return event?.type === "attempt.started" && event.node === "held";
    });
  await isHeld(later[0]!);
  await later[0]!.until(ofType("approval.requested", id));
  await expect.poll(() => readFileSync(join(it.path, "log"), "utf8")).toContain("held");
  process.kill(second.pid, "SIGKILL");
  for (const stream of later) await stream.until(() => false).catch(() => {});

  const third = await serve(it);
  const lastly = await Promise.all(
    later.map((stream, n) => follow(third, "/events", String(runEvents(stream).at(-1)?.position ?? last[n]))),
  );
  const approvals = await fetch(`${third.url}/api/v1/approvals`, {
    headers: { authorization: `Bearer ${third.token}` },
  });
  const [request] = ((await approvals.json()) as { items: { id: string }[] }).items;
  expect((await post(third, `/approvals/${request!.id}/grant`)).status).toBe(200);
  writeFileSync(join(it.path, "free"), "");
  for (const stream of lastly) await stream.until(ofType("run.succeeded", id));
  for (const n of [0, 1]) {
    const seen = [streams[n]!, later[n]!, lastly[n]!].flatMap(runEvents).filter(({ event }) => event.run === id);
    expect(seen.map(({ event }) => event.seq)).toEqual(seen.map((_each, index) => index + 1));
  }
  const log = readFileSync(join(it.path, "log"), "utf8").trim().split("\n");
  expect(log.toSorted()).toEqual(
    Array.from({ length: 12 }, (_, n) => String(n + 1))
      .concat("gate", "held")
      .toSorted(),
  );
});

test("the server shows a run of the command line live, and the command line cancels a run of the server", async () => {
  const it = folder({ "hello.flow.yaml": HELLO, "count.flow.yaml": COUNT });
  const up = await serve(it);
  const stream = await follow(up, "/events");
  await stream.until(isLive);
  expect(await it.run("run hello.flow.yaml --quiet")).toMatchObject({ code: 0, stdout: "hello\n" });
  const own = eventOf(await stream.until(ofType("run.succeeded")))!.run;
  const events = runEvents(stream).filter(({ event }) => event.run === own);
  expect(events.map(({ event }) => event.seq)).toEqual(events.map((_each, index) => index + 1));

  const detached = await it.run("run count.flow.yaml --detach");
  const says = isOnPostgres ? "A machine with a free slot takes it." : "The server runs it.";
  expect([detached.code, detached.stderr]).toEqual([0, expect.stringContaining(says)]);
  const id = detached.stdout.trim();
  await stream.until(ofType("attempt.started", id));
  const cancelled = await it.run(["runs", "cancel", id]);
  expect(cancelled).toMatchObject({ code: 0, stderr: expect.stringContaining("cancelled") });
  // The server is still there.
  const again = await it.run("run hello.flow.yaml --detach");
  await stream.until(ofType("run.succeeded", again.stdout.trim()));
});

const local = onOneMachine("a run is detached to any machine of the cluster, from any folder.");
local.each([["a file elsewhere", ["run", "../HELLO", "--detach"], "not-served"]])(
  "%s is not detached",
  async (_what, args, code) => {
    const elsewhere = folder({ "hello.flow.yaml": HELLO });
    const it = folder({ "hello.flow.yaml": HELLO });
    await serve(it);
    const given = Array.isArray(args)
      ? args.map((each) => each.replace("../HELLO", `${elsewhere.path}/hello.flow.yaml`))
      : args;
    expect(await it.run(given)).toMatchObject({ code: 2, stderr: expect.stringContaining(`error[${code}]`) });
  },
);

test("an orderly shutdown leaves runs to the next server", async () => {
  const it = folder({ "count.flow.yaml": COUNT });
  const up = await serve(it);
  const { id } = (await (
    await post(up, "/workflows/count.flow.yaml/runs", { approve: ["gate"] })
  ).json()) as StartedRun;
  await (await follow(up, `/runs/${id}/events`)).until(ofType("pass.succeeded"));
  process.kill(up.pid, "SIGTERM");
  await expect.poll(() => existsSync(join(it.home, "server.json")), { timeout: 40_000 }).toBe(false);
  const next = await serve(it);
  writeFileSync(join(it.path, "free"), "");
  await (await follow(next, `/runs/${id}/events`)).until(ofType("run.succeeded"));
  const log = readFileSync(join(it.path, "log"), "utf8").trim().split("\n");
  expect(log.toSorted()).toEqual(
    Array.from({ length: 12 }, (_, n) => String(n + 1))
      .concat("gate", "held")
      .toSorted(),
  );
});

test("a run whose process is killed is continued by a server that serves the same data directory", async () => {
  const { interruptedLookMs } = limits;
  onTestFinished(() => void Object.assign(limits, { interruptedLookMs }));
  Object.assign(limits, { interruptedLookMs: 20 });
  const it = folder({ "held.flow.yaml": inARow({ held: "cat fifo; echo done" }) });
  execFileSync("mkfifo", [join(it.path, "fifo")]);
  const up = await servedIn(it.home, it.path);
  const run = it.start("run held.flow.yaml --json");
  await run.says('"attempt.started"', "stdout");
  run.process.kill("SIGKILL");
  await run.done;
  await writeFile(join(it.path, "fifo"), "");
  const stream = await follow({ url: up.url, token: up.token }, "/events", "0");
  await stream.until(ofType("run.succeeded"));
});
