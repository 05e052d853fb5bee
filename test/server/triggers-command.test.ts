// `curlew triggers` beside a running server, and its error without one (spec 2.5).

import { expect, test } from "vitest";
import { folder, type Ran } from "../cli/curlew.ts";
import { armed, get, github, triggers, withSecret } from "./hooking.ts";
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

test("they are listed with their URLs, their next times, and why one is inactive", async () => {
  const { server, run } = await both();
  const { code, stdout } = await run();
  expect(code).toBe(0);
  expect(stdout).toContain(`webhook ${server.running.hooksUrl}/h/gh/push (verify github, secret HOOK_SECRET)`);
  expect(stdout).toMatch(
    /^schedule-[0-9a-f]{12} {2}active {2}every\.flow\.yaml\n {2}schedule 0 \* \* \* \*, Europe\/Berlin/m,
  );
  expect(stdout).toMatch(/next \d{4}-\d\d-\d\d \d\d:00:00, /);
  expect(stdout).toContain("file inbox/*.json (add, change)");
  expect(JSON.parse((await run("list", "--json")).stdout)).toEqual(await get(server, "/triggers"));

  server.write("every.flow.yaml", "nodes: [");
  await until(async () => (await triggers(server, "schedule"))[0]?.problem !== undefined);
  expect((await run()).stdout).toMatch(/stands still {2}every\.flow\.yaml\n.*\n {2}every\.flow\.yaml has errors/);
});

test("a trigger of ended runs shows the time of its last start, and the run that caused it", async () => {
  const fails = 'curlew: 1\nnodes:\n  - { id: a, run: "exit 3" }\n';
  const after = 'curlew: 1\non: [{ run: { workflow: fails.flow.yaml } }]\nnodes:\n  - { id: a, text: "${event}" }\n';
  const server = await served({ "fails.flow.yaml": fails, "after.flow.yaml": after });
  await until(async () => (await triggers(server, "run")).length === 1);
  const shell = folder();
  const begun = await server.api("POST", "/workflows/fails.flow.yaml/runs", {});
  const { id } = (await begun.json()) as { id: string };
  await until(async () => (await triggers(server, "run"))[0]?.last !== undefined);
  const { stdout } = await shell.run(["triggers", "--home", server.home]);
  expect(stdout).toMatch(new RegExp(`\\n {2}last \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d, ${id}, run \\w{10}\\n`));
});

test("without a server it says that it needs one", async () => {
  const ran = await folder().run("triggers");
  expect([ran.code, ran.stdout]).toEqual([2, ""]);
  expect(ran.stderr).toContain("error[no-server]");
  expect(ran.stderr).toContain("curlew serve");
});
