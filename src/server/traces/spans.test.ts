import { expect, test } from "vitest";
import { limits } from "../../base/limits.ts";
import type { RunEvent } from "../../scheduler/event.ts";
import { RunSpans } from "./spans.ts";

const at = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n).toISOString();
const event = (seq: number, fields: object): RunEvent => ({ seq, at: at(seq), run: "r", ...fields }) as RunEvent;

test("a long run keeps its first attempts and counts the others, and an attempt without an end ends with its run", () => {
  const spans = new RunSpans("r");
  spans.take(event(0, { type: "run.started", workflow: { name: "long" }, trigger: { kind: "cli" } }));
  const count = limits.tracedSpansMax + 3;
  for (let n = 1; n <= count; n += 1) {
    const which = { node: "a", path: `a[${n}]`, number: 1 };
    spans.take(event(n, { type: "attempt.started", ...which, detail: {} }));
    if (n !== 2) spans.take(event(n + 5, { type: "attempt.succeeded", ...which, end: { exitCode: 0 } }));
  }
  spans.take(event(count + 9, { type: "run.succeeded" }));
  const [root, first, second, ...others] = spans.made();
  expect(root?.attributes["curlew.attempts.left_out"]).toBe(3);
  expect(others).toHaveLength(limits.tracedSpansMax - 2);
  expect(first).toMatchObject({ endMs: Date.parse(at(6)), attributes: { "curlew.exit_code": 0 } });
  expect(second?.endMs).toBe(root?.endMs);
  expect(new RunSpans("r").made()).toEqual([]);
});
