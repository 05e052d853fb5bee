// told: a run for tests, given event by event.

import type { EventBody, RunEvent } from "../../src/scheduler/event.ts";
import { RunModel } from "../../src/web/run/run-model.ts";

export const START_MS = Date.UTC(2026, 0, 1);

export function told(document: string, inputs: Record<string, unknown> = {}) {
  let seq = 0;
  const stamp = (afterMs: number, body: EventBody): RunEvent => {
    seq += 1;
    return { seq, at: new Date(START_MS + afterMs).toISOString(), run: "r1", ...body } as RunEvent;
  };
  const started = stamp(0, {
    type: "run.started",
    workflow: { name: "t", file: "t.flow.yaml", text: document },
    inputs,
    trigger: { kind: "cli" },
  });
  const model = RunModel.begin(started);
  if (model === undefined) throw new Error("the document is not a workflow");
  const run = {
    model,
    started,
    /** Several events at one moment. */
    at(afterMs: number, ...bodies: EventBody[]) {
      model.apply(bodies.map((body) => stamp(afterMs, body)));
      return run;
    },
  };
  return run;
}

export const DETAIL = { detail: { command: "true", shell: "bash" } };

export function begun(path: string, number = 1): EventBody {
  return { type: "attempt.started", node: path.replace(/\[.*/, ""), path, number, ...DETAIL };
}

export function done(path: string, text = "", number = 1): EventBody {
  const node = path.replace(/\[.*/, "");
  return { type: "attempt.succeeded", node, path, number, value: { text }, end: { durationMs: 1, exitCode: 0 } };
}

export function broke(path: string, retryAt?: string, number = 1): EventBody {
  const failure = { code: "exited", message: "It exited with code 22.", exitCode: 22 };
  return {
    ...{ type: "attempt.failed", node: path.replace(/\[.*/, ""), path, number, failure, value: { text: "" } },
    end: { durationMs: 1, exitCode: 22 },
    ...(retryAt === undefined ? {} : { retryAt }),
  } as EventBody;
}

export const ask = (path: string, number = 1): EventBody => ({
  ...{ type: "approval.requested", node: path.replace(/\[.*/, ""), path, number, hash: `h-${path}`, reasons: [] },
  ...{ detail: { command: "true", rendered: "true", values: [] }, bound: {} },
});

export const grant = (path: string): EventBody => ({
  ...{ type: "approval.granted", node: path.replace(/\[.*/, ""), path, hash: `h-${path}`, by: "ada", door: "web" },
});
