import { expect, test } from "vitest";
import { limits } from "../../base/limits.ts";
import { TraceQueue } from "./queue.ts";

/** A receiver whose responses the test controls. */
function held() {
  const asked: string[] = [];
  const answers: ((failure?: string) => void)[] = [];
  const told: unknown[] = [];
  const queue = new TraceQueue({
    send: (run) =>
      new Promise((resolve, reject) => {
        asked.push(run);
        answers.push((failure) => (failure === undefined ? resolve() : reject(new Error(failure))));
      }),
    tell: (level, about) => told.push([level, about]),
  });
  const answer = async (failure?: string): Promise<void> => {
    answers.shift()!(failure);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queue, asked, told, answer };
}

test("spans are sent one after the other; a lost receiver is reported once, and its return once with the number of lost spans", async () => {
  const { queue, asked, told, answer } = held();
  for (const run of ["a", "b", "c", "d", "e"]) queue.add(run);
  expect(asked).toEqual(["a"]);
  await answer();
  await answer("refused");
  await answer("refused");
  expect(told).toEqual([["warn", { reason: "refused" }]]);
  await answer();
  await answer();
  expect(asked).toEqual(["a", "b", "c", "d", "e"]);
  expect(told.slice(1)).toEqual([["info", { leftOut: 2 }]]);
});

test("no more spans wait than the limit: the newest are sent", async () => {
  const { queue, asked, told, answer } = held();
  for (let n = 0; n < limits.tracesWaitingMax + 6; n += 1) queue.add(`r${n}`);
  await answer();
  expect(asked).toEqual(["r0", "r6"]);
  expect(told).toEqual([["info", { leftOut: 5 }]]);
});

test("closing waits for the spans being sent, but not for an absent receiver", async () => {
  const { queue, answer } = held();
  let isDone = false;
  queue.add("a");
  const done = queue.done().then(() => {
    isDone = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isDone).toBe(false);
  await answer("gone");
  await done;
  queue.add("b");
  await queue.done();
});
