// A run that leaves the history is reported to all its viewers, whoever removed it. And streams from a position that
// does not exist (spec 2.4).

import { expect, test } from "vitest";
import { folder } from "../cli/curlew.ts";
import { clusterEnv } from "../setup/on-postgres.ts";
import { start } from "./asking.ts";
import { served } from "./served.ts";
import { follow, isLive } from "./streams.ts";

const HELLO = `curlew: 1
name: Hello
nodes:
  - { id: t, type: text, data: { title: t, content: hello } }
`;

test("a run removed over HTTP, by the command line, or by age: every follower learns of it, and its own stream ends", async () => {
  const server = await served({ "a.flow.yaml": HELLO });
  const runs: string[] = [];
  for (let n = 0; n < 4; n++) runs.push((await start(server, "a.flow.yaml", {}, "?wait=20")).id);
  const all = await follow(server, "/events");
  const own = await follow(server, `/runs/${runs[0]}/events`);
  await all.until(isLive);
  await own.until(isLive);
  const isGone = (run: string) => (message: { event?: string | undefined; data: string }) =>
    message.event === "removed" && JSON.parse(message.data).run === run;
  expect((await server.api("DELETE", `/runs/${runs[0]}`)).status).toBe(204);
  await all.until(isGone(runs[0]!));
  await own.until(isGone(runs[0]!));
  await expect(own.until(() => false)).rejects.toThrow("ended");

  const shell = folder();
  const env = clusterEnv(server.home);
  expect((await shell.run(["runs", "rm", runs[1]!, "--home", server.home], { env })).code).toBe(0);
  await all.until(isGone(runs[1]!));
  const old = ["runs", "rm", "--keep", "1", "--older-than", "0s", "--home", server.home];
  expect((await shell.run(old, { env })).code).toBe(0);
  await all.until(isGone(runs[2]!));
  expect((await server.api("GET", `/runs/${runs[1]}`)).status).toBe(404);
});

test("an unknown position, as after restoring a backup, continues from now; an invalid one is rejected", async () => {
  const server = await served({ "a.flow.yaml": HELLO });
  const { id } = await start(server, "a.flow.yaml", {}, "?wait=20");
  for (const place of ["999999999999999", "4000"]) {
    const all = await follow(server, "/events", place);
    await all.until(isLive);
    const run = await start(server, "a.flow.yaml");
    await all.until(({ event, data }) => event === "run" && JSON.parse(data).event.run === run.id);
    const own = await follow(server, `/runs/${id}/events`, place);
    await own.until(isLive);
  }
  for (const place of ["-1", "1e3", "0x10", "1.5", "x", "9".repeat(400), "1, 2"])
    for (const path of ["/events", `/runs/${id}/events`])
      expect((await server.api("GET", path, undefined, { "last-event-id": place })).status, place).toBe(400);
});
