// How many deliveries a hook accepts, with a stopped clock: per second, at once, waiting. One hook never uses another's
// share.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openLog } from "../../src/app/log.ts";
import { limits } from "../../src/base/limits.ts";
import { Inbox } from "../../src/server/hooks/inbox.ts";
import { type Hook, hookHandler } from "../../src/server/hooks/listener.ts";
import { HookSecrets } from "../../src/server/hooks/secrets.ts";
import { openStore } from "../../src/store/index.ts";
import { serverStore } from "../../src/store/server-store.ts";
import { tempFolder } from "../setup/folders.ts";

async function listening() {
  const home = tempFolder();
  const store = openStore(home);
  if (!store.ok) throw new Error(store.error.message);
  const log = await openLog(home, "info");
  const clock = { nowMs: 1_000_000, made: 0 };
  const newRunId = () => `id${clock.made++}`;
  const nowMs = () => clock.nowMs;
  // No run starts: deliveries wait.
  const inbox = new Inbox({
    store: serverStore(store.value),
    log,
    newRunId,
    start: () => new Promise(() => {}),
    tell: () => {},
    isOthers: () => false,
  });
  const secrets = new HookSecrets({ home, env: { TOKEN: "the-right-token" }, warn: () => {}, nowMs });
  const hook = (path: string): Hook => ({
    ...{ id: path, path: "a.flow.yaml", file: join(home, "a.flow.yaml") },
    trigger: { kind: "webhook", index: 0, path, verify: "token", secret: "TOKEN", respond: 200 },
  });
  const hooks = new Map(["one", "other"].map((path) => [path, hook(path)]));
  const hookAt = (path: string) => hooks.get(path);
  const isPaused = async () => false;
  const server = createServer(
    hookHandler({ inbox, secrets, log, nowMs, wallMs: nowMs, newRunId, hookAt, isPaused, isReady: () => true }),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    inbox.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await log.close();
    store.value.close();
  });
  const { port } = server.address() as AddressInfo;
  const send = async (path: string, token = "the-right-token"): Promise<number> => {
    const answer = await fetch(`http://127.0.0.1:${port}/h/${path}`, {
      method: "POST",
      headers: { "x-webhook-token": token },
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  const many = async (count: number, path: string, token?: string): Promise<Record<number, number>> => {
    const counted: Record<number, number> = {};
    for (let n = 0; n < count; n++) {
      const status = await send(path, token);
      counted[status] = (counted[status] ?? 0) + 1;
    }
    return counted;
  };
  return { clock, many, listed: () => serverStore(store.value).deliveries.list({ limit: 1_000 }) };
}

test("a hook accepts a hundred at once, then ten per second, and more than a hundred do not wait. The other hook is always open", async () => {
  const { clock, many } = await listening();
  expect(await many(50, "one")).toEqual({ 200: 50 });
  clock.nowMs += 500;
  expect(await many(50, "one")).toEqual({ 200: 50 });
  clock.nowMs += 1_000;
  expect(await many(3, "one"), "a hundred wait already").toEqual({ 429: 3 });
  expect(await many(5, "other")).toEqual({ 200: 5 });
});

test("a sender without a token uses up its own tries and no one else's deliveries, and a flood is not recorded", async () => {
  const { clock, many, listed } = await listening();
  expect(await many(limits.hookTriesPerSecond + 30, "one", "a-wrong-token")).toEqual({
    401: limits.hookTriesPerSecond,
    429: 30,
  });
  const page = listed();
  expect(page.ok && page.value.deliveries.length).toBe(limits.hookTriesPerSecond);
  clock.nowMs += 1_000;
  expect(await many(20, "one")).toEqual({ 200: 20 });
  expect(await many(limits.hookTriesPerSecond + 5, "nobody")).toEqual({ 404: limits.hookTriesPerSecond, 429: 5 });
});
