// `curlew run --detach` with the options of `run`: inputs from a file, secrets of an --env-file, a first node; and its
// errors (spec 2.2, 4.2).

import { expect } from "vitest";
import type { RunView } from "../../src/scheduler/view.ts";
import { type Folder, folder, type Ran } from "../cli/curlew.ts";
import { onOneMachine } from "../setup/on-postgres.ts";
import { view } from "./asking.ts";
import { type Served, servedIn } from "./served.ts";
import { until } from "./until.ts";

const local = onOneMachine("another machine may take the run, so --env-file and --from are refused with --detach.");

const CALL = `curlew: 1
name: Call
secrets: [TOKEN]
inputs: { who: { type: string, default: nobody }, times: { type: integer, default: 1 } }
nodes:
  - { id: count, type: cli, data: { title: c, content: "echo x >> counted; wc -l < counted" } }
  - { id: use, type: cli, data: { title: u, content: 'printf "%s" "\${TOKEN} \${who} \${times}"' } }
edges: [count -> use]
`;
const VALUE = "very-secret-token-0815";

async function beside(files: Record<string, string>): Promise<{ it: Folder; server: Served }> {
  const it = folder(files);
  const server = await servedIn(it.home, it.path);
  return { it, server };
}

async function ended(ran: Ran, server: Served): Promise<RunView> {
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("The server runs it.")]);
  let shown = await view(server, ran.stdout.trim());
  await until(async () => {
    shown = await view(server, ran.stdout.trim());
    return shown.endedAt !== undefined;
  });
  return shown;
}

local("inputs from a file and secrets of an --env-file reach the run, and no value is left anywhere", async () => {
  const { it, server } = await beside({
    "call.flow.yaml": CALL,
    "x.env": `TOKEN=${VALUE}\nUNUSED=never-sent-anywhere\n`,
    "in.json": '{"who":"ada","times":3}',
  });
  const run = await ended(
    await it.run("run call.flow.yaml --detach --env-file x.env --input-file in.json --input who=bob"),
    server,
  );
  expect(run).toMatchObject({ status: "succeeded", inputs: { who: "bob", times: 3 } });
  expect(run.result).toMatch(/^\S+ bob 3$/);
  expect(JSON.stringify(run)).not.toContain(VALUE);
  const stdin = await it.run("run call.flow.yaml --detach --env-file x.env --input-file -", { stdin: '{"times":5}' });
  expect((await ended(stdin, server)).inputs).toEqual({ who: "nobody", times: 5 });
  const events = await (
    await server.api("GET", `/runs/${run.id}/events`, undefined, { accept: "application/json" })
  ).text();
  expect(events).not.toContain(VALUE);
  expect(events).not.toContain("never-sent-anywhere");
});

local("--from uses the last run of the file, in the server: earlier nodes keep their results", async () => {
  const { it, server } = await beside({ "call.flow.yaml": CALL, "x.env": `TOKEN=${VALUE}\n` });
  const first = await it.run("run call.flow.yaml --detach --from use");
  expect([first.code, first.stderr]).toEqual([2, expect.stringContaining("error[no-previous-run]")]);
  const whole = await ended(await it.run("run call.flow.yaml --detach --env-file x.env --input who=eve"), server);
  const again = await ended(await it.run("run call.flow.yaml --detach --env-file x.env --from use"), server);
  expect(again).toMatchObject({ status: "succeeded", inputs: { who: "eve" } });
  expect(it.read("counted")).toBe("x\n");
  expect(again.id).not.toBe(whole.id);
});

local.each([
  ["a variable that isn't a secret", "--env-file x.env", "env-not-forwarded", "PLACE"],
  ["a dry run", "--dry-run", "conflicting-options", "--dry-run"],
  ["other inputs with --from", "--from use --input who=x", "from-and-input", "--input"],
])("%s is refused, and nothing runs", async (_what, options, code, says) => {
  const named = CALL.replace("${times}", "${times} ${PLACE}");
  const { it, server } = await beside({ "call.flow.yaml": named, "x.env": `TOKEN=${VALUE}\nPLACE=here\n` });
  const ran = await it.run(`run call.flow.yaml --detach ${options}`);
  expect([ran.code, ran.stdout]).toEqual([2, ""]);
  expect(ran.stderr).toContain(`error[${code}]`);
  expect(ran.stderr).toContain(says);
  expect(((await (await server.api("GET", "/runs")).json()) as { items: unknown[] }).items).toEqual([]);
});
