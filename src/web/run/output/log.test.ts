import { expect, test } from "vitest";
import { randomFrom } from "../../../../test/scheduler/generate.ts";
import type { OutputLines } from "../../../api/shapes.ts";
import { Log } from "./log.ts";

const ALL = 1_000;

/** Lines `from` to `to`, as the server gives them. */
function lines(from: number, to: number, all = ALL): OutputLines {
  const items = Array.from({ length: to - from + 1 }, (_, at) => ({
    stream: "stdout" as const,
    text: `line ${from + at}`,
  }));
  return { bytes: all * 10, lines: all, firstLine: from, items, before: `b${from}`, after: `a${to}`, complete: true };
}

test("the end of a long output is there at once, and says how much is before it", () => {
  const log = new Log();
  log.take(lines(900, 1_000));
  expect(log.row(0)).toEqual({ kind: "gap", from: 1, to: 899, before: "b900" });
  expect(log.row(1)).toMatchObject({ kind: "line", number: 900 });
  expect(log.rowCount).toBe(102);
  expect([log.rowOf(1), log.rowOf(900), log.rowOf(1_000)]).toEqual([0, 1, 101]);
});

test("head and end have the middle between them, which is filled from either side until nothing is missing", () => {
  const log = new Log();
  log.take(lines(900, 1_000));
  log.take(lines(1, 100));
  expect(log.row(100)).toEqual({ kind: "gap", from: 101, to: 899, after: "a100", before: "b900" });
  log.take(lines(101, 500));
  expect(log.row(500)).toEqual({ kind: "gap", from: 501, to: 899, after: "a500", before: "b900" });
  log.take(lines(501, 899));
  expect(log.rowCount).toBe(1_000);
  expect(log.row(899)).toMatchObject({ number: 900, item: { text: "line 900" } });
});

test("what is written while somebody looks is added at the end, and counted", () => {
  const log = new Log();
  expect(log.take(lines(1, 10, 10))).toBe(10);
  expect(log.end).toBe("a10");
  expect(log.take(lines(11, 22, 22))).toBe(12);
  expect(log.take(lines(22, 22, 22))).toBe(0);
  expect(log.rowCount).toBe(22);
});

test("in whatever order parts come, every line is there once and in its place", () => {
  const seed = Math.floor(Math.random() * 1_000_000);
  console.log(`seed ${seed}`);
  const random = randomFrom(seed);
  for (let round = 0; round < 200; round++) {
    const log = new Log();
    const held = new Set<number>();
    for (let part = 0; part < 12; part++) {
      const from = 1 + Math.floor(random() * 60);
      const to = Math.min(60, from + Math.floor(random() * 15));
      log.take(lines(from, to, 60));
      for (let number = from; number <= to; number++) held.add(number);
      const seen: number[] = [];
      for (let row = 0; row < log.rowCount; row++) {
        const at = log.row(row);
        if (at?.kind === "line") {
          expect([at.item.text, log.rowOf(at.number), log.holds(at.number)]).toEqual([`line ${at.number}`, row, true]);
          seen.push(at.number);
        } else
          for (let number = at?.from ?? 0; number <= (at?.to ?? -1); number++) expect(held.has(number)).toBe(false);
      }
      expect(seen).toEqual([...held].sort((one, other) => one - other));
      expect(log.row(log.rowCount)).toBeUndefined();
    }
  }
});

test("what is farthest from the eye is let go, never the end", () => {
  const log = new Log();
  for (const [from, to] of [
    [1, 100],
    [300, 400],
    [600, 700],
    [950, 1_000],
  ] as const)
    log.take(lines(from, to));
  log.trim(650, 260);
  expect([log.holds(50), log.holds(350), log.holds(650), log.holds(999)]).toEqual([false, true, true, true]);
});
