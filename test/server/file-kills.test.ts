// kill -9 of a real `curlew serve` while files come into a watched folder (spec 2.5). Each file becomes one run and
// takes effect once, whether a server was running, being killed, or not running. CHECK_FULL=1 brings 300 files instead
// of 60; CHECK_SEED=n starts there.

import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { folder } from "../cli/curlew.ts";
import { asked } from "../setup/on-postgres.ts";
import { until } from "./until.ts";

const COUNT = process.env.CHECK_FULL === "1" ? 300 : 60;
const SEED = Number(process.env.CHECK_SEED ?? Math.floor(Math.random() * 1e9));

const INBOX = `curlew: 1
name: Inbox
on: [{ file: { paths: ["inbox/*.json"], on: [add] } }]
nodes:
  - { id: take, type: cli, data: { title: Take, cwd: ., content: 'echo "\${event.path}" >> taken' } }
`;

test(`${COUNT} files while the server is killed (seed ${SEED}): each starts one run, which takes effect once`, {
  timeout: 120_000 + COUNT * 200,
}, async () => {
  let state = SEED >>> 0;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const it = folder({ "a.flow.yaml": INBOX, "inbox/before.json": "{}" });
  const serve = () => it.start("serve --port 0 --hooks-port 0 .");
  const counted = async (rows: string): Promise<unknown> =>
    (await asked(it.home, `SELECT count(*) AS n FROM ${rows}`))[0]?.n;
  const taken = (): string[] => (existsSync(join(it.path, "taken")) ? it.read("taken").trim().split("\n") : []);
  let brought = 0;
  // Half of them are written in place, half come with a rename.
  const bring = (): void => {
    const name = `inbox/${brought++}.json`;
    const first = random() < 0.5 ? name : `elsewhere/${brought}`;
    it.write(first, "{}");
    if (first !== name) renameSync(join(it.path, first), join(it.path, name));
  };

  let server = serve();
  onTestFinished(() => void server.process.kill("SIGKILL"));
  await server.says("hooks");
  await until(async () => (await counted("watched")) === 1);
  let kills = 0;
  while (brought < COUNT) {
    const some = 1 + Math.floor((random() * COUNT) / 10);
    for (let n = 0; n < some && brought < COUNT; n++) bring();
    // Anywhere between the noticed change and the last effect, and sometimes before there is a server.
    const wanted = Math.floor(random() * (brought + 1));
    if (random() < 0.7) await until(() => taken().length >= wanted);
    server.process.kill("SIGKILL");
    await server.done;
    kills += 1;
    if (random() < 0.5 && brought < COUNT) bring();
    server = serve();
  }
  await until(() => taken().length >= COUNT);
  await until(async () => (await counted("runs WHERE ended_at IS NULL")) === 0);
  server.process.kill("SIGTERM");
  await server.done;
  const files = Array.from({ length: COUNT }, (_, n) => `inbox/${n}.json`).toSorted();
  expect(taken().toSorted()).toEqual(files);
  expect(await counted("runs")).toBe(COUNT);
  expect(kills).toBeGreaterThan(4);
});
