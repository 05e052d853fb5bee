import { expect, test } from "vitest";
import { testServerStore } from "../../../test/setup/stores.ts";
import { systemClock } from "../../engine/clock.ts";
import type { EventBody, RunEvent, Trigger } from "../../scheduler/event.ts";
import type { RunTrigger } from "../../workflow/triggers/index.ts";
import { RunEnds } from "./run.ts";

const FAILURE = { code: "exit-non-zero", message: "The command exited with code 1.", exitCode: 1 };

function watching() {
  const store = testServerStore();
  let ids = 0;
  const server = () =>
    new RunEnds({
      ...{ store, clock: systemClock, decided: () => {} },
      log: { error: () => {}, warn: () => {} } as never,
      newRunId: () => `run-${++ids}`,
    });
  const trigger: RunTrigger = { kind: "run", index: 0, workflow: "jobs/*.flow.yaml", status: ["failed"] };
  const armed = [{ id: "r", path: "alert.flow.yaml", file: "/flows/alert.flow.yaml", trigger }];
  let nth = 0;
  /** A run that ends at once. */
  const end = (file: string, as: "failed" | "succeeded", more: { trigger?: Trigger; only?: object } = {}) => {
    nth += 1;
    const id = `1m84${String(nth).padStart(16, "0")}`;
    const at = new Date(Date.now() + nth).toISOString();
    const by = more.trigger ?? { kind: "cli" };
    const name = "Job";
    const started = {
      type: "run.started",
      workflow: { name, file, text: "" },
      inputs: {},
      trigger: by,
      only: more.only,
    };
    const over =
      as === "failed" ? { type: "run.failed", node: "a", path: "a", failure: FAILURE } : { type: "run.succeeded" };
    const events = [started, over].map((body, n) => ({
      seq: n + 1,
      at,
      run: id,
      ...(body as EventBody),
    })) as RunEvent[];
    const row = { id, name, file, startedAt: at, trigger: by, status: "running" as const };
    const owner = { pid: 1, startTime: "1", bootId: "b", token: "t" };
    expect(store.journal.createRun(row, { owner, events })).toMatchObject({ ok: true });
    expect(store.journal.append(id, [], { status: as, endedAt: at })).toMatchObject({ ok: true });
    return id;
  };
  const starts = () => {
    const due = store.triggers.due();
    return due.ok ? due.value : [];
  };
  const waiting = () => {
    const left = store.triggers.waiting("r");
    return left.ok ? left.value : -1;
  };
  return { server, armed, end, starts, waiting };
}

test("a matching run that failed starts one run, which knows the failure", async () => {
  const { server, armed, end, starts, waiting } = watching();
  const ends = server();
  await ends.arm(armed);
  end("/flows/jobs/good.flow.yaml", "succeeded");
  end("/flows/other.flow.yaml", "failed");
  end("/flows/alert.flow.yaml", "failed");
  const run = end("/flows/jobs/a.flow.yaml", "failed");
  end("/flows/jobs/a.flow.yaml", "failed", { only: { node: "a", result: "a" } });
  await ends.look();
  await ends.look();
  expect(waiting()).toBe(1);
  const [start] = starts();
  expect(start).toMatchObject({ key: run, startedBy: { kind: "run", by: run, chain: 1 } });
  expect(JSON.parse(start!.event!)).toMatchObject({
    ...{ run, workflow: "jobs/a.flow.yaml", name: "Job", status: "failed", trigger: "cli" },
    failure: { node: "a", ...FAILURE },
  });
});

test("a run that ended while no server ran is found by the next one, once", async () => {
  const { server, armed, end, waiting } = watching();
  await server().arm(armed);
  end("/flows/jobs/a.flow.yaml", "failed");
  await server().arm(armed);
  await server().arm(armed);
  expect(waiting()).toBe(1);
});

test("a chain of runs ends after eight", async () => {
  const { server, armed, end, waiting } = watching();
  const ends = server();
  await ends.arm(armed);
  end("/flows/jobs/a.flow.yaml", "failed", { trigger: { kind: "run", chain: 7 } });
  end("/flows/jobs/a.flow.yaml", "failed", { trigger: { kind: "run", chain: 8 } });
  await ends.look();
  expect(waiting()).toBe(1);
});
