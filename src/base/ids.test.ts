import fc from "fast-check";
import { expect, test } from "vitest";
import { isRunId, newRunId, RUN_ID_RANDOM_BYTES, runIdTimeMs, shortRunId } from "./ids.ts";
import { Impossible } from "./result.ts";

const zeros = new Uint8Array(RUN_ID_RANDOM_BYTES);
const anyTime = fc.integer({ min: 0, max: 32 ** 9 - 1 });
const anyRandom = fc.uint8Array({ minLength: RUN_ID_RANDOM_BYTES, maxLength: RUN_ID_RANDOM_BYTES });

test("a given clock and given random bytes give one id", () => {
  const id = newRunId(Date.UTC(2026, 10, 21, 5), Uint8Array.from([0, 1, 2, 31, 32, 33, 255, 10, 11, 12, 13]));
  expect(id).toBe("1m7y7kg40012z01zabcd");
  expect(shortRunId(id)).toBe("1m7y7kg400");
});

test("ids sort by time, and contain their time", () => {
  fc.assert(
    fc.property(anyTime, anyTime, anyRandom, anyRandom, (early, late, someChance, otherChance) => {
      const a = newRunId(early, someChance);
      const b = newRunId(late, otherChance);
      expect(isRunId(a)).toBe(true);
      expect(runIdTimeMs(a)).toBe(early);
      if (early !== late) expect(a < b).toBe(early < late);
    }),
  );
});

test("every random byte counts", () => {
  const ids = new Set([newRunId(1, zeros)]);
  for (let n = 0; n < RUN_ID_RANDOM_BYTES; n++) ids.add(newRunId(1, zeros.with(n, 7)));
  expect(ids.size).toBe(RUN_ID_RANDOM_BYTES + 1);
});

test.each([
  "",
  "latest",
  "1M7Y7KG40012Z01ZABCD",
  "1m7y7kg40012z01zabc",
  "1m7y7kg40012z01zabcdd",
  "../../../../../../..",
  "1m7y7kg40012z01zabcu",
])("%j is not a run id", (text) => {
  expect(isRunId(text)).toBe(false);
  expect(runIdTimeMs(text)).toBeUndefined();
});

test("an invalid clock or too few random bytes is a bug, not an id", () => {
  for (const clock of [-1, 1.5, Number.NaN, 32 ** 9]) expect(() => newRunId(clock, zeros)).toThrow(Impossible);
  expect(() => newRunId(1, zeros.slice(1))).toThrow(Impossible);
});
