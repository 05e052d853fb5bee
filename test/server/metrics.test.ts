// What a server did, as Prometheus reads it (spec 2.4).

import { expect, onTestFinished, test } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { openStore } from "../../src/store/index.ts";
import { inARow } from "../cli/curlew.ts";
import { id, must, newRun, owner } from "../store/fixture.ts";
import { served } from "./served.ts";

function figureIn(text: string, name: string): number | undefined {
  const line = text.split("\n").find((one) => one.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.split(" ").at(-1));
}

test("runs, attempts, their durations, what waits and how late events were told", async () => {
  const it = await served({
    "good.flow.yaml": inARow({ a: "true", b: "true" }),
    "bad.flow.yaml": inARow({ a: "exit 3" }),
    "asks.flow.yaml":
      "curlew: 1\nname: asks\nnodes:\n  - { id: a, type: cli, data: { title: A, content: 'true', needsUserApproval: true } }\n",
  });
  // The second run ends after the first look: what was seen before and after is counted alike.
  const run = (name: string) => it.api("POST", `/workflows/${name}.flow.yaml/runs?wait=20`, {});
  await run("good");
  const figures = async (): Promise<string> => {
    const answer = await it.api("GET", "/metrics");
    expect(answer.headers.get("content-type")).toMatch(/^text\/plain/);
    return answer.text();
  };
  const counted = async (name: string, value: number): Promise<void> => {
    while (figureIn(await figures(), name) !== value);
  };
  await counted('curlew_run_duration_seconds_count{status="succeeded"}', 1);
  await run("bad");
  await run("asks");
  await counted('curlew_attempt_duration_seconds_count{status="succeeded"}', 2);
  await counted('curlew_attempt_duration_seconds_count{status="failed"}', 1);
  await counted('curlew_run_duration_seconds_count{status="failed"}', 1);
  await counted('curlew_runs{status="waiting"}', 1);
  await counted("curlew_approvals_waiting", 1);
  const text = await figures();
  expect(figureIn(text, 'curlew_events_total{type="run.started"}')).toBe(3);
  expect(figureIn(text, "curlew_event_lag_seconds_count")).toBeGreaterThan(8);
  expect(figureIn(text, "process_resident_memory_bytes")).toBeGreaterThan(1e6);
  expect(text).not.toContain(it.home);
});

test("more open runs than one page of the history holds are all counted, and so is what they wait for", async () => {
  const it = await served();
  const store = must(openStore(it.home));
  onTestFinished(() => store.close());
  const count = limits.runsListedMax + 5;
  for (let n = 1; n <= count; n++) {
    must(store.journal.createRun(newRun(n), { owner: owner("you"), events: [] }));
    must(store.journal.append(id(n), [], { status: "waiting", waiting: 2 }));
  }
  const text = await (await it.api("GET", "/metrics")).text();
  expect(figureIn(text, 'curlew_runs{status="waiting"}')).toBe(count);
  expect(figureIn(text, 'curlew_runs{status="running"}')).toBe(0);
  expect(figureIn(text, "curlew_approvals_waiting")).toBe(2 * count);
});
