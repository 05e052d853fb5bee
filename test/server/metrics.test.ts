// A server's metrics for Prometheus (spec 2.4).

import { expect, test } from "vitest";
import { inARow } from "../cli/curlew.ts";
import { served } from "./served.ts";

function figureIn(text: string, name: string): number | undefined {
  const line = text.split("\n").find((one) => one.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.split(" ").at(-1));
}

test("runs, attempts, their durations, waiting runs, and the delay of events", async () => {
  const it = await served({
    "good.flow.yaml": inARow({ a: "true", b: "true" }),
    "bad.flow.yaml": inARow({ a: "exit 3" }),
    "asks.flow.yaml":
      "curlew: 1\nname: asks\nnodes:\n  - { id: a, type: cli, data: { title: A, content: 'true', needsUserApproval: true } }\n",
  });
  // The second run ends after the first look: earlier and later events count alike.
  const run = (name: string) => it.api("POST", `/workflows/${name}.flow.yaml/runs?wait=20`, {});
  await run("good");
  const metrics = async (): Promise<string> => {
    const answer = await it.api("GET", "/metrics");
    expect(answer.headers.get("content-type")).toMatch(/^text\/plain/);
    return answer.text();
  };
  const counted = async (name: string, value: number): Promise<void> => {
    while (figureIn(await metrics(), name) !== value);
  };
  await counted('curlew_run_duration_seconds_count{status="succeeded"}', 1);
  await run("bad");
  await run("asks");
  await counted('curlew_attempt_duration_seconds_count{status="succeeded"}', 2);
  await counted('curlew_attempt_duration_seconds_count{status="failed"}', 1);
  await counted('curlew_run_duration_seconds_count{status="failed"}', 1);
  await counted('curlew_runs{status="waiting"}', 1);
  await counted("curlew_approvals_waiting", 1);
  const text = await metrics();
  expect(figureIn(text, 'curlew_events_total{type="run.started"}')).toBe(3);
  expect(figureIn(text, "curlew_event_lag_seconds_count")).toBeGreaterThan(8);
  expect(figureIn(text, "process_resident_memory_bytes")).toBeGreaterThan(1e6);
  expect(text).not.toContain(it.home);
});

test("every line is valid for a scraper, and a metric that was not measured is missing, from the first look on", async () => {
  const it = await served({ "a.flow.yaml": inARow({ a: "true" }) });
  await it.api("POST", "/workflows/a.flow.yaml/runs?wait=20", {});
  for (const _look of [1, 2]) {
    const text = await (await it.api("GET", "/metrics")).text();
    const types = new Map(
      [...text.matchAll(/^# TYPE (\w+) (counter|gauge|histogram)$/gm)].map(([, name, type]) => [name!, type!]),
    );
    const seen = new Set<string>();
    for (const line of text.split("\n").filter((each) => each !== "" && !each.startsWith("#"))) {
      const [, name = "", labels = "", value = ""] =
        /^([a-zA-Z_:]\w*)(\{(?:\w+="[^"\\\n]*",?)+\})? (\S+)$/.exec(line) ?? [];
      expect(types.has(name) || types.get(name.replace(/_(?:bucket|sum|count)$/, "")) === "histogram", line).toBe(true);
      expect(Number.isFinite(Number(value)) && Math.abs(Number(value)) < 1e15, line).toBe(true);
      if (name.endsWith("_seconds") && name.includes("lag")) expect(Number(value), line).toBeLessThan(60);
      expect(seen.has(name + labels), line).toBe(false);
      seen.add(name + labels);
    }
    expect([...types].filter(([name, type]) => type === "counter" && !name.endsWith("_total"))).toEqual([]);
  }
});
