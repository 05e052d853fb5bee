// The cache, through the whole program (spec 1.2 `cache`, 3.3).

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Folder, folder } from "../cli/curlew.ts";

const node = (data: string, more = "") =>
  `curlew: 1\nname: T\n${more}nodes:\n  - {id: a, type: cli, data: {title: A, ${data}}}\n`;
const COUNTED = "content: \"echo x >> log; wc -l < log | tr -d ' '\", cache: {key: k, ttl: 1h}";

/** The output of each run in order. */
async function prints(at: Folder, ...args: string[]): Promise<string[]> {
  const all: string[] = [];
  for (const each of args) all.push((await at.run(`run ${each} --quiet`)).stdout.trim());
  return all;
}

test("the second run starts nothing, and says where its value comes from", async () => {
  const at = folder({ "t.flow.yaml": node(COUNTED) });
  expect((await at.run("run t.flow.yaml")).stdout).toBe("1\n");
  const second = await at.run("run t.flow.yaml");
  expect([second.stdout, second.stderr]).toEqual(["1\n", expect.stringContaining("a succeeded: from the cache")]);
  const shown = JSON.parse((await at.run("runs show latest --json")).stdout).nodes[0];
  expect(shown).toMatchObject({
    status: "succeeded",
    value: "1",
    attempts: [],
    cached: { key: "k", from: { path: "a" } },
  });
  expect((await at.run("runs show latest")).stdout).toContain("from the cache (run ");
  const events = (await at.run("run t.flow.yaml --json")).stdout;
  expect(events).toContain('"type":"cache.answered"');
  expect(at.read("log")).toBe("x\n");
});

test("another key, command, node or file has its own cached result", async () => {
  const at = folder({
    "t.flow.yaml": node(COUNTED.replace("key: k", 'key: "k ${n}"'), 'inputs: { n: {type: string, default: "1"} }\n'),
    "u.flow.yaml": node(COUNTED),
    "v.flow.yaml": node(COUNTED).replaceAll("id: a", "id: b"),
  });
  expect(
    await prints(at, "t.flow.yaml", "t.flow.yaml --input n=2", "t.flow.yaml", "u.flow.yaml", "v.flow.yaml"),
  ).toEqual(["1", "2", "1", "3", "4"]);
  at.write("u.flow.yaml", node(COUNTED.replace("wc -l", "wc  -l")));
  expect(await prints(at, "u.flow.yaml")).toEqual(["5"]);
  // When it runs and its title make no difference.
  at.write("u.flow.yaml", node(`${COUNTED.replace("wc -l", "wc  -l")}, timeout: 9s`).replace("title: A", "title: B"));
  expect(await prints(at, "u.flow.yaml")).toEqual(["5"]);
});

test("neither a secret value nor a secret key is cached", async () => {
  const secret = "sesame-open-sesame-7";
  const fetched = `curlew: 1
name: T
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo x >> log; cat token", cache: {key: k, ttl: 1h}}}
  - {id: v, type: variable, data: {title: V, variableName: v, secret: true}}
edges: [a -> v]
`;
  const at = folder({
    token: `${secret}\n`,
    "v.flow.yaml": fetched,
    "k.flow.yaml": node('content: "echo y >> log", cache: {key: "of ${TOKEN}", ttl: 1h}', "secrets: [TOKEN]\n"),
  });
  for (const file of ["v", "v", "k", "k"])
    expect((await at.run(`run ${file}.flow.yaml`, { env: { TOKEN: secret } })).code).toBe(0);
  expect(at.read("log")).toBe("x\nx\ny\n");
  await at.run("run k.flow.yaml", { env: { TOKEN: `${secret}-other` } });
  expect(at.read("log")).toBe("x\nx\ny\ny\n");
  expect(JSON.parse((await at.run("cache list --json")).stdout)).toMatchObject([{ key: "of ***" }, { key: "of ***" }]);
  for (const name of ["curlew.db", "curlew.db-wal"])
    if (existsSync(join(at.home, name))) expect(readFileSync(join(at.home, name)).includes(secret)).toBe(false);
});

test("a command that asks for approval runs, and does not use the cache", async () => {
  const at = folder({ "t.flow.yaml": node(`${COUNTED}, needsUserApproval: true`) });
  // Approved in advance, it may.
  expect(await prints(at, "t.flow.yaml --yes", "t.flow.yaml --yes")).toEqual(["1", "1"]);
  expect((await at.run("run t.flow.yaml")).code).toBe(3);
  expect((await at.run("approve latest a")).code).toBe(0);
  expect(at.read("log")).toBe("x\nx\n");
});

test("two runs at the same time both run it; with a slot for its key, the second uses the result of the first", async () => {
  const slow = 'content: "echo x >> log; until test -e go; do sleep 0.02; done", cache: {key: k, ttl: 1h}';
  const at = folder({ "t.flow.yaml": node(`${slow}, concurrency: {key: k, limit: 1}`) });
  const first = at.start("run t.flow.yaml");
  await first.says("a started");
  const second = at.start("run t.flow.yaml");
  await second.says("a waits for a concurrency slot (k)");
  at.write("go", "");
  expect((await second.done).stderr).toContain("a succeeded: from the cache");
  expect([(await first.done).code, at.read("log")]).toEqual([0, "x\n"]);
});
