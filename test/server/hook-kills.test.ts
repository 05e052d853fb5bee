// kill -9 of a real `curlew serve` while deliveries come, each sent one to three times (spec 4.4 "webhooks"). Each
// delivery that was answered with 2xx becomes exactly one run, whatever was killed when. CHECK_FULL=1 sends 10,000
// instead of 300; CHECK_SEED=n starts there.

import { createServer } from "node:net";
import { expect, test } from "vitest";
import { folder } from "../cli/curlew.ts";
import { storeOf } from "../setup/on-postgres.ts";
import { signWebhook } from "./sign-webhook.ts";
import { until } from "./until.ts";

const COUNT = process.env.CHECK_FULL === "1" ? 10_000 : 300;
const SEED = Number(process.env.CHECK_SEED ?? Math.floor(Math.random() * 1e9));
const SECRET = "a-secret-of-the-hook";
/** Each hook accepts ten per second. */
const HOOKS = 40;
const LANES = 16;

test(`${COUNT} deliveries while the server is killed (seed ${SEED}): no acknowledged one is lost, none runs twice`, {
  timeout: 120_000 + COUNT * 60,
}, async () => {
  const random = randomFrom(SEED);
  const hooks = Array.from(
    { length: HOOKS },
    (_, n) => `  - webhook: { path: h${n}, verify: github, secret: HOOK_SECRET }\n`,
  );
  const it = folder({
    "hook.flow.yaml": `curlew: 1\nname: Hook\nsecrets: [HOOK_SECRET]\non:\n${hooks.join("")}nodes:\n  - { id: t, type: text, data: { title: t, content: "\${event.n}" } }\n`,
  });
  const hooksPort = await freePort();
  const serve = () => it.start(`serve --port 0 --hooks-port ${hooksPort} .`, { env: { HOOK_SECRET: SECRET } });
  let server = serve();
  let kills = 0;
  let killing: Promise<void> | undefined;
  let leftUntilKill = 10;
  // While one is being killed others are under way.
  const kill = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, random() * 20));
    server.process.kill("SIGKILL");
    await server.done;
    kills += 1;
    server = serve();
    leftUntilKill = 30 + Math.floor((random() * COUNT) / 3);
    killing = undefined;
  };

  const open = Array.from({ length: COUNT }, (_, n) => n);
  let sent = 0;
  const lane = async (): Promise<void> => {
    for (let n = open.shift(); n !== undefined; n = open.shift()) {
      let left = 1 + Math.floor(random() * 3);
      while (left > 0) {
        sent += 1;
        if (await acknowledged(n, hooksPort)) {
          left -= 1;
          leftUntilKill -= 1;
          if (leftUntilKill <= 0) killing ??= kill();
        } else await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  await killing;

  // The last server lives and finishes the acknowledged ones.
  const events = new Map<string, number>();
  await until(async () => {
    const { journal, deliveries, close } = await storeOf(it.home);
    try {
      const waiting = await deliveries.open();
      if (!waiting.ok || waiting.value.length > 0) return false;
      events.clear();
      for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
        const page = await journal.listRuns({ limit: 1_000, ...(cursor === undefined ? {} : { cursor }) });
        if (!page.ok) throw new Error(page.error.message);
        if (page.value.runs.some(({ endedAt }) => endedAt === undefined)) return false;
        for (const { id } of page.value.runs) {
          const started = await journal.read(id, 1, 1);
          const first = started.ok ? started.value[0] : undefined;
          const event = first?.type === "run.started" ? String(first.inputs.event) : "";
          events.set(event, (events.get(event) ?? 0) + 1);
        }
        cursor = page.value.next;
      }
      return true;
    } finally {
      await close();
    }
  });
  server.process.kill("SIGTERM");
  await server.done;
  const wanted = new Map(Array.from({ length: COUNT }, (_, n) => [`{"n":${n}}`, 1]));
  const lost = [...wanted.keys()].filter((event) => !events.has(event));
  const doubled = [...events].filter(([event, times]) => times !== 1 || !wanted.has(event));
  expect({ lost, doubled }).toEqual({ lost: [], doubled: [] });
  expect(kills).toBeGreaterThan(2);
  expect(sent).toBeGreaterThan(COUNT);
});

async function acknowledged(n: number, port: number): Promise<boolean> {
  const body = `{"n":${n}}`;
  const signed = signWebhook("github", {
    body: Buffer.from(body),
    secret: SECRET,
    nowMs: Date.now(),
    id: `delivery-${n}`,
  });
  try {
    const headers = { "content-type": "application/json", ...signed };
    const answer = await fetch(`http://127.0.0.1:${port}/h/h${n % HOOKS}`, { method: "POST", body, headers });
    await answer.arrayBuffer();
    if (![200, 408, 429, 503].includes(answer.status)) throw new Error(`answered ${answer.status}`);
    return answer.status === 200;
  } catch (reason) {
    if (reason instanceof TypeError) return false;
    throw reason;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
