// `curlew triggers` beside a running server: listed, paused, the inbox, replayed; and what it says when there is none (spec 2.2, 2.5).

import { expect, test } from "vitest";
import type { DeliveryItem, Triggers } from "../../src/api/shapes.ts";
import { folder, type Ran } from "../cli/curlew.ts";
import { armed, deliveries, flow, get, github, result, send, signed, started, withSecret } from "./hooking.ts";
import { type Served, served } from "./served.ts";
import { until } from "./until.ts";

const every = `curlew: 1
name: Every hour
on:
  - schedule: { cron: "0 * * * *", timezone: Europe/Berlin }
  - file: { paths: ["inbox/*.json"] }
nodes:
  - { id: t, type: text, data: { title: t, content: hi } }
`;

async function both(): Promise<{ server: Served; run: (...args: string[]) => Promise<Ran> }> {
  const server = await served({ "hook.flow.yaml": github, "every.flow.yaml": every }, withSecret);
  await armed(server);
  const shell = folder();
  return { server, run: (...args) => shell.run(["triggers", ...args, "--home", server.home]) };
}

test("they are listed with where they are reached, when they come, and why one stands still", async () => {
  const { server, run } = await both();
  const { code, stdout } = await run();
  expect(code).toBe(0);
  expect(stdout).toContain(`webhook ${server.running.hooksUrl}/h/gh/push (verify github, secret HOOK_SECRET)`);
  expect(stdout).toMatch(
    /^schedule-[0-9a-f]{12} {2}active {2}every\.flow\.yaml\n {2}schedule 0 \* \* \* \*, Europe\/Berlin/m,
  );
  expect(stdout).toMatch(/next \d{4}-\d\d-\d\d \d\d:00:00, /);
  expect(stdout).toContain("file inbox/*.json (add, change)");
  expect(JSON.parse((await run("list", "--json")).stdout)).toEqual(await get<Triggers>(server, "/triggers"));

  server.write("every.flow.yaml", "nodes: [");
  await until(async () => (await get<Triggers>(server, "/triggers")).schedules[0]?.problem !== undefined);
  expect((await run()).stdout).toMatch(/stands still {2}every\.flow\.yaml\n.*\n {2}every\.flow\.yaml has errors/);
});

test("one is paused and resumed by its path, its id, or the beginning of that; what is meant by nothing is said", async () => {
  const { server, run } = await both();
  const paused = async () => (await get<Triggers>(server, "/triggers")).hooks[0]!.paused;
  expect(await run("pause", "gh/push")).toMatchObject({ code: 0, stdout: "" });
  expect(await paused()).toBe(true);
  expect((await run()).stdout).toMatch(/^webhook-[0-9a-f]{12} {2}paused/m);
  expect((await run("resume", "webhook-")).code).toBe(0);
  expect(await paused()).toBe(false);
  const [schedule] = (await get<Triggers>(server, "/triggers")).schedules;
  expect((await run("pause", schedule!.id)).stderr).toContain("starts nothing until it is resumed");
  for (const [words, code, says] of [
    [["pause", "gh/psuh"], "unknown-trigger", "gh/push"],
    [["pasue", "gh/push"], "unknown-command", "pause"],
    [["replay", "latest"], "unknown-delivery", "deliveries"],
    [["pause"], "missing-argument", ""],
  ] as const) {
    const ran = await run(...words);
    expect([ran.code, ran.stdout]).toEqual([2, ""]);
    expect(ran.stderr).toContain(`error[${code}]`);
    expect(ran.stderr).toContain(says);
  }
});

test("the inbox: what came, one delivery with its body, and a replay whose run is named on stdout", async () => {
  const { server, run } = await both();
  const other = flow("{ path: x, verify: none }").replace("got ${event}", "other ${delivery.query.b}");
  server.write("sub/other.flow.yaml", other);
  await armed(server, 2);
  const body = '{"a":1}\u001b[31mred';
  await send(server, "gh/push?b=2", body, { ...signed(body, "one"), "x-y": "z" });
  await send(server, "gh/push", "{}", {});
  await started(server, 1);
  const [refused, came] = await deliveries(server);
  const listed = await run("deliveries");
  expect(listed.stdout.split("\n")[0]).toMatch(/refused .*gh\/push .*webhook-unsigned$/);
  expect(listed.stdout.split("\n")[1]).toMatch(new RegExp(`started .*run ${came!.run!.slice(0, 10)}$`));
  expect(JSON.parse((await run("deliveries", "--limit", "1", "--json")).stdout)).toEqual([refused]);
  expect((await run("deliveries", "--hook", "nobody")).stdout).toBe("");

  const shown = await run("show", came!.id.slice(0, 14));
  expect(shown.stdout).toMatch(/^state {6}started\n/);
  expect(shown.stdout).toMatch(/^x-y: z$.*^\?b: 2\n\n{"a":1}/ms);
  expect(shown.stdout).not.toContain("\u001b");
  expect(JSON.parse((await run("show", "latest", "--json")).stdout)).toMatchObject({ id: refused!.id });

  const again = await run("replay", came!.id);
  expect(again.stderr).toContain("curlew runs logs");
  expect(await result(server, again.stdout.trim())).toContain("got ");
  const elsewhere = await run("replay", came!.id, "--workflow", "sub/other.flow.yaml", "--json");
  const item = JSON.parse(elsewhere.stdout) as DeliveryItem;
  expect(item).toMatchObject({ workflow: "sub/other.flow.yaml", replayOf: came!.id });
  expect(await result(server, item.run!)).toBe("other 2");
  expect((await run("replay", refused!.id)).stderr).toContain("error[delivery-without-body]");
});

test("without a server each says that one is needed", async () => {
  const it = folder();
  for (const words of ["", "pause x", "resume x", "deliveries", "show latest", "replay latest"]) {
    const ran = await it.run(`triggers ${words}`);
    expect([ran.code, ran.stdout]).toEqual([2, ""]);
    expect(ran.stderr).toContain("error[no-server]");
    expect(ran.stderr).toContain("curlew serve");
  }
});
