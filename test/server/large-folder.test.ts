// What a large folder costs: the list of workflows asks the history the same of each, however many there are (spec ui 6.8).

import { StatementSync } from "node:sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Triggers, WorkflowList } from "../../src/api/shapes.ts";
import { served } from "./served.ts";
import { until } from "./until.ts";

const flow = (n: number) => `curlew: 1
name: Flow ${n}
on: [{ schedule: { cron: "0 ${n % 24} * * *" } }]
nodes: [{ id: a, type: text, data: { title: A, content: a } }]
`;

/** Statements of the history that one list asks, when the server has come to rest. */
async function statementsOfAList(flows: number): Promise<number> {
  const files = Object.fromEntries(Array.from({ length: flows }, (_, n) => [`f${n}.flow.yaml`, flow(n)]));
  const server = await served(files);
  const get = async <T>(path: string) => (await (await server.api("GET", path)).json()) as T;
  await until(async () => (await get<Triggers>("/triggers")).schedules.length === flows);
  const { items } = await get<WorkflowList>("/workflows");
  expect(items.every(({ nextAt }) => nextAt !== undefined)).toBe(true);
  const spies = (["get", "all"] as const).map((name) => vi.spyOn(StatementSync.prototype, name));
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  await get("/workflows");
  const asked = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
  for (const spy of spies) spy.mockRestore();
  await server.close();
  return asked;
}

test("however many triggers a folder says, the first look at it is a few commits", async () => {
  const commitsOf = async (flows: number): Promise<number> => {
    const { run } = StatementSync.prototype;
    let commits = 0;
    const spy = vi.spyOn(StatementSync.prototype, "run").mockImplementation(function (this: StatementSync, ...values) {
      if (this.sourceSQL === "COMMIT") commits += 1;
      return run.apply(this, values);
    });
    onTestFinished(() => spy.mockRestore());
    const server = await served(
      Object.fromEntries(Array.from({ length: flows }, (_, n) => [`f${n}.flow.yaml`, flow(n)])),
    );
    const known = async () => ((await (await server.api("GET", "/triggers")).json()) as Triggers).schedules.length;
    await until(async () => (await known()) === flows);
    await server.close();
    spy.mockRestore();
    return commits;
  };
  const [few, many] = [await commitsOf(5), await commitsOf(60)];
  expect(few).toBeGreaterThan(0);
  expect(many - few).toBeLessThan(10);
});

test("of four times as many workflows with schedules four times as much is asked, and not sixteen times", async () => {
  const [few, many] = [await statementsOfAList(10), await statementsOfAList(40)];
  expect(few).toBeGreaterThan(10);
  expect(many).toBeLessThan(5 * few);
});
