// `curlew db check` and `curlew db move` (spec 6.2), with a real database.

import { expect, test } from "vitest";
import { connect } from "../../src/store/postgres/index.ts";
import { folder, inARow } from "../cli/curlew.ts";
import { must } from "../store/fixture.ts";
import { cluster } from "./cluster.ts";

const TIMES = { timeout: 120_000 };

const ASKS = inARow({ first: "echo one", gate: "echo two" }).replace(
  "title: Title of gate",
  "title: Title of gate, needsUserApproval: true",
);

test("a history moves into a cluster, where it is checked, and back", TIMES, async () => {
  const { url } = await cluster({ isReady: false });
  const here = folder({ "asks.flow.yaml": ASKS });
  const env = { CURLEW_KEY_FILE: "key" };
  expect(await here.run("db move --to x --from y", { env })).toMatchObject({ code: 2 });
  expect((await here.run(`db move --to ${url}`, { env })).stderr).toContain("error[no-history]");
  expect((await here.run("run asks.flow.yaml")).code).toBe(3);
  const [waiting] = JSON.parse((await here.run("runs --json")).stdout);
  expect(waiting).toMatchObject({ status: "waiting" });

  expect((await here.run(`db init --db ${url} --key-file key`)).code).toBe(0);
  const moved = await here.run(`db move --to ${url}`, { env });
  expect(moved).toMatchObject({ code: 0, stdout: "" });
  expect(moved.stderr).toContain("1 run with");
  expect(JSON.parse((await here.run("runs --json")).stdout)).toMatchObject([{ id: waiting.id, status: "waiting" }]);
  expect((await here.run("runs show latest")).stdout).toContain("gate");
  // Its history is where the mark says, without another option.
  const checked = await here.run("db check", { env });
  expect(checked).toMatchObject({ code: 0, stdout: "" });
  expect(checked.stderr).toMatch(/^1 run, \d+ events: 0 findings\.\n$/);
  expect((await here.run("db check")).stderr).toContain("--key-file");

  // Rows that were written into the database by hand are not moved back.
  const database = must(connect(url));
  const change = async (sql: string) =>
    must(await database.query(`UPDATE curlew.events SET body = ${sql} WHERE seq = 2`));
  await change("body || ' '");
  expect((await here.run("db check", { env })).stdout).toContain("run-unsigned: Event 2 of run");
  expect((await here.run(`db move --from ${url}`, { env })).stderr).toContain("error[run-unsigned]");
  // A move that fails leaves the cluster as it is.
  expect((await here.run("db check", { env })).stderr).not.toContain("error[store-moved]");
  await change("rtrim(body)");
  await database.close();

  expect(await here.run(`db move --from ${url}`, { env })).toMatchObject({ code: 0 });
  expect((await here.run(`db check --db ${url}`, { env })).stderr).toContain("error[store-moved]");
  expect(JSON.parse((await here.run("runs --json")).stdout)).toEqual([waiting]);
  expect((await here.run("audit verify")).code).toBe(0);
  expect(await here.run("approve latest gate --quiet")).toMatchObject({ code: 0 });
});
