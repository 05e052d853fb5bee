import { expect, onTestFinished, test } from "vitest";
import { testServerStore } from "../../../test/setup/stores.ts";
import { limits } from "../../base/limits.ts";
import { err, ok } from "../../base/result.ts";
import type { RunEvent } from "../../scheduler/event.ts";
import type { ServerStore } from "../../store/index.ts";
import { Outbox, type OutboxDeps } from "./outbox.ts";

const [FIRST, SECOND] = ["1m840000000000000001", "1m840000000000000002"];

/** A trigger whose first run is active, and whose second start is due. */
async function waiting(more: (store: ServerStore) => Partial<OutboxDeps>) {
  const store = testServerStore();
  const by = { kind: "schedule" as const };
  const starts = [FIRST, SECOND].map((run) => ({ run, trigger: "t", key: run, startedBy: by, file: "/a.flow.yaml" }));
  const decided = await store.triggers.decide("t", { sinceMs: 0 }, starts);
  if (!decided.ok) throw new Error(decided.error.message);
  await store.triggers.settle(decided.value[0]!.n, "started");
  const at = new Date(0).toISOString();
  const row = { id: FIRST, name: "a", file: "/a.flow.yaml", startedAt: at, trigger: by, status: "running" as const };
  const owner = { pid: 1, startTime: "1", bootId: "b", token: "t" };
  await store.journal.createRun(row, { owner, events: [] });
  const started: string[] = [];
  const outbox = new Outbox({
    ...{
      store,
      nowMs: () => 0,
      cancel: async () => ok(undefined),
      isOthers: () => false,
      overlapPolicyOf: () => "queue",
    },
    log: { error: () => {}, warn: () => {} } as never,
    start: async ({ run }) => {
      started.push(run);
      return ok(undefined);
    },
    ...more(store),
  });
  onTestFinished(() => outbox.close());
  const end = async (): Promise<void> => {
    await store.journal.append(FIRST, [], { status: "succeeded", endedAt: at });
    outbox.onRunEvent({ type: "run.succeeded", run: FIRST } as RunEvent);
  };
  return { outbox, started, end };
}

test("a start is not missed if the run before ends while the store is asked for it", async () => {
  const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { outbox, started, end } = await waiting((store) => ({
    store: {
      ...store,
      journal: Object.assign(Object.create(store.journal), {
        findRun: async (run: string) => {
          const found = await store.journal.findRun(run);
          asked.resolve();
          await gate.promise;
          return found;
        },
      }),
    },
  }));
  outbox.open();
  await asked.promise;
  await end();
  await new Promise(setImmediate);
  gate.resolve();
  await expect.poll(() => started, { timeout: 10_000 }).toEqual([SECOND]);
});

test("a run that could not be cancelled is cancelled again", async () => {
  const { triggerAgainMs } = limits;
  onTestFinished(() => void Object.assign(limits, { triggerAgainMs }));
  Object.assign(limits, { triggerAgainMs: 10 });
  let cancels = 0;
  const { outbox } = await waiting(() => ({
    overlapPolicyOf: () => "cancel",
    cancel: async () => (++cancels === 1 ? err({ code: "run-claimed", message: "Busy." }) : ok(undefined)),
  }));
  outbox.open();
  await expect.poll(() => cancels, { timeout: 10_000 }).toBe(2);
});
