// How the LLM node behaves while it calls: live tokens, limits, cancel, retry, budget, cache, a crash (spec 1.2 LLM,
// 3.2-3.4).

import { expect, test } from "vitest";
import { folder } from "../cli/curlew.ts";
import { gate, model, refuses, says } from "./servers.ts";

const doc = (data: string, more = ""): string =>
  `curlew: 1\nname: T\n${more}nodes:\n  - {id: ask, type: llm, data: {title: Ask, model: ollama/m, content: "Judge it.", ${data}}}\n`;
const shown = async (at: ReturnType<typeof folder>) => JSON.parse((await at.run("runs show latest --json")).stdout);

test("followers see tokens as they come", async () => {
  const { opened, open } = gate();
  const it = await model(says(["The first\n", "and the last"], { between: () => opened }));
  const at = folder({ "t.flow.yaml": doc("temperature: 0") });
  const run = at.start("run t.flow.yaml", { env: { OLLAMA_HOST: it.url } });
  await run.says("started: T");
  await it.askedTimes(1);
  const follows = at.start("runs logs latest ask -f");
  await follows.says("The first", "stdout");
  open();
  expect((await run.done).stdout).toBe("The first\nand the last\n");
  expect((await follows.done).stdout).toBe("The first\nand the last");
});

test("Ctrl-C ends the request at once, and the server sees it", async () => {
  const it = await model(says(["So", "never"], { between: () => new Promise(() => {}) }));
  const at = folder({ "t.flow.yaml": doc("temperature: 0") });
  const run = at.start("run t.flow.yaml", { env: { OLLAMA_HOST: it.url } });
  await it.askedTimes(1);
  run.process.kill("SIGINT");
  await it.hungUp(1);
  expect((await run.done).code).toBe(130);
  expect(await shown(at)).toMatchObject({ status: "cancelled", nodes: [{ attempts: [{ status: "cancelled" }] }] });
});

test.for([
  ["timeout: 300ms", "timed-out", "after 300ms"],
  ["idleTimeout: 300ms", "timed-out-idle", "it sent nothing for 300ms"],
])("%s ends an answer that does not come on", async ([data, code, words]) => {
  const it = await model(says(["So", "never"], { between: () => new Promise(() => {}) }));
  const at = folder({ "t.flow.yaml": doc(data!) });
  const ran = await at.run("run t.flow.yaml", { env: { OLLAMA_HOST: it.url } });
  expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining(`error[${code}]`)]);
  expect(ran.stderr).toContain(words);
  // On a busy machine the time limit may pass before anything was sent.
  if (it.asked.length > 0) await it.hungUp(1);
});

test("an answer whose tokens keep coming is not idle, however long it takes", async () => {
  const slow = () => new Promise<void>((resolve) => setTimeout(resolve, 100));
  const it = await model(says(Array(20).fill("x"), { between: slow }));
  const at = folder({ "t.flow.yaml": doc("idleTimeout: 1500ms") });
  expect((await at.run("run t.flow.yaml --quiet", { env: { OLLAMA_HOST: it.url } })).stdout).toBe(
    `${"x".repeat(20)}\n`,
  );
});

test("temporary failures are retried with a record of each attempt, no sooner than the server says", async () => {
  const it = await model(
    refuses(429, "slow down", { "retry-after": "1" }),
    refuses(503, "busy"),
    says(["a", "b"], { cut: true }),
    says("ok"),
  );
  const at = folder({ "t.flow.yaml": doc("retry: {maxAttempts: 5, initialInterval: 1ms, jitter: none}") });
  const ran = await at.run("run t.flow.yaml", { env: { OLLAMA_HOST: it.url } });
  expect([ran.code, ran.stdout]).toEqual([0, "ok\n"]);
  const { attempts } = (await shown(at)).nodes[0];
  expect(attempts.map(({ cause }: { cause: string }) => cause)).toEqual([
    "llm-rate-limited",
    "llm-unavailable",
    "llm-stream-broken",
    "succeeded",
  ]);
  expect(Date.parse(attempts[1].startedAt) - Date.parse(attempts[0].endedAt)).toBeGreaterThanOrEqual(950);
  // A rejected call has cost nothing as far as anyone can tell; an answer that broke off has.
  expect(attempts.map(({ usage }: { usage?: { estimated?: true } }) => usage?.estimated)).toEqual([
    undefined,
    undefined,
    true,
    undefined,
  ]);
  expect(attempts[0]).toMatchObject({ http: [{ status: 429, headers: { "retry-after": "1" } }] });
});

test.for([
  [401, "no such key"],
  [400, "bad request"],
  [404, "no such model"],
  [429, "You exceeded your current quota (insufficient_quota)"],
] as const)("HTTP %i is asked once only, also with retry: %s", async ([status, message]) => {
  const it = await model(refuses(status, message));
  const at = folder({ "t.flow.yaml": doc("retry: {initialInterval: 1ms}") });
  expect((await at.run("run t.flow.yaml", { env: { OLLAMA_HOST: it.url } })).code).toBe(1);
  expect(it.asked).toHaveLength(1);
});

test("a budget stops the node before it calls, while the model answers, and after", async () => {
  const it = await model(says("fine", { usage: [90, 20] }));
  const env = { OLLAMA_HOST: it.url };
  const long = `${"word ".repeat(200)}`;
  const at = folder({ "t.flow.yaml": doc("budget: {tokens: 100}").replace("Judge it.", long) });
  expect((await at.run("run t.flow.yaml", { env })).stderr).toContain(
    "does not allow to ask: about 250 tokens to send",
  );
  expect(it.asked).toHaveLength(0);
  at.write("t.flow.yaml", doc("budget: {tokens: 100}"));
  expect((await at.run("run t.flow.yaml", { env })).stderr).toContain("is used up: 110 tokens used, 100 allowed");
  // The rest of the budget is the most that the model may answer.
  expect(it.asked[0]?.body.max_tokens).toBe(97);
  // Curlew hangs up on a server that ignores that limit.
  const babbles = await model(
    says(Array(1_000).fill("many words "), { finish: null, between: () => new Promise((go) => setImmediate(go)) }),
  );
  const ran = await at.run("run t.flow.yaml", { env: { OLLAMA_HOST: babbles.url } });
  expect(ran.stderr).toContain("stopped the reply after the remaining 97 tokens");
  const [attempt] = (await shown(at)).nodes[0].attempts;
  expect(attempt).toMatchObject({ cause: "llm-budget-exceeded", usage: { estimated: true } });
});

test("a budget holds for all attempts of a node together, and in US dollars only with a price", async () => {
  const it = await model(says("cut", { finish: null, done: false }));
  const at = folder({
    "t.flow.yaml": doc("budget: {tokens: 12}, retry: {maxAttempts: 9, initialInterval: 1ms, jitter: none}"),
  });
  const ran = await at.run("run t.flow.yaml", { env: { OLLAMA_HOST: it.url } });
  expect(ran.stderr).toContain("llm-budget-exceeded");
  // Each took three tokens to send and one that came, as estimated; the fourth does not fit.
  expect(it.asked).toHaveLength(3);
  at.write("t.flow.yaml", doc("budget: {usd: 0.001}"));
  expect((await at.run("run t.flow.yaml", { env: { OLLAMA_HOST: it.url } })).stderr).toContain("llm-price-unknown");
  at.write(".home/config.yaml", "llm: { prices: { ollama/m: { input: 100, output: 200 } } }\n");
  const full = await model(says("costly", { usage: [4, 5] }));
  expect((await at.run("run t.flow.yaml", { env: { OLLAMA_HOST: full.url } })).stderr).toContain(
    "is used up: $0.0014 used, $0.001 allowed",
  );
  expect(full.asked[0]?.body.max_tokens).toBe(3);
});

test("a cached answer is used as long as the cache says", async () => {
  const it = await model(says("once"), says("twice"));
  const at = folder({ "t.flow.yaml": doc("cache: {key: k, ttl: 1h}") });
  const env = { OLLAMA_HOST: it.url };
  expect((await at.run("run t.flow.yaml --quiet", { env })).stdout).toBe("once\n");
  expect((await at.run("run t.flow.yaml --quiet", { env })).stdout).toBe("once\n");
  expect(it.asked).toHaveLength(1);
});

test("an attempt whose program was killed is lost, and repeated only if the node says so", async () => {
  const { opened, open } = gate();
  const it = await model(says(["So", " on"], { between: () => opened }));
  const env = { OLLAMA_HOST: it.url };
  for (const [data, code, asked] of [
    ["temperature: 0", 1, 1],
    ["onLost: retry", 0, 3],
  ] as const) {
    const at = folder({ "t.flow.yaml": doc(data) });
    const run = at.start("run t.flow.yaml", { env });
    await it.askedTimes(asked === 1 ? 1 : 2);
    run.process.kill("SIGKILL");
    await run.done;
    if (asked === 3) open();
    const resumed = await at.run("runs resume latest", { env });
    expect(resumed.code, resumed.stderr).toBe(code);
    expect(it.asked).toHaveLength(asked);
    expect((await shown(at)).nodes[0].attempts[0]).toMatchObject({ status: "lost" });
  }
});
