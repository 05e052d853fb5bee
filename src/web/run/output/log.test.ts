import { expect, test } from "vitest";
import { randomFrom } from "../../../../test/scheduler/generate.ts";
import type { OutputLines } from "../../../api/shapes.ts";
import { Log } from "./log.ts";

/** Lines of ten bytes each, 1 to `all`. */
const BYTES = 10;

/** The server's response for lines `from` to `to`. */
function lines(from: number, to: number, all = 1_000, complete = true): OutputLines {
  const items = Array.from({ length: to - from + 1 }, (_, at) => ({
    stream: "stdout" as const,
    text: `line ${from + at}`,
  }));
  return {
    ...{ bytes: all * BYTES, lines: all, firstLine: from, items, complete },
    ...(from > 1 ? { before: `b${(from - 1) * BYTES}` } : {}),
    ...(to < all || !complete ? { after: `a${to * BYTES}` } : {}),
  };
}

test("the end of a long output is there at once, and says how much is before it", () => {
  const log = new Log();
  log.take(lines(900, 1_000));
  expect(log.row(0)).toEqual({ kind: "gap", from: 0, to: 8_990, lines: 899 });
  expect(log.row(1)).toMatchObject({ kind: "line", number: 900 });
  expect(log.rowCount).toBe(102);
  expect([log.rowOf(900), log.rowOf(1_000), log.rowOf(5)]).toEqual([1, 101, undefined]);
});

test("the gap between two parts of one long line has no line number", () => {
  const log = new Log();
  const stdout = (text: string) => ({ stream: "stdout" as const, text });
  const one = { bytes: 9_000, lines: 1, firstLine: 1, complete: true };
  log.take({ ...one, items: [stdout("its end")], before: "b8000" });
  log.take({ ...one, items: [stdout("its beginning")], after: "a1000" });
  expect([...Array(log.rowCount).keys()].map((at) => log.row(at)).filter((row) => row?.kind === "gap")).toEqual([
    { kind: "gap", from: 1_000, to: 8_000, lines: undefined },
  ]);
});

test("head and end have the middle between them, which is filled from either side until nothing is missing", () => {
  const log = new Log();
  log.take(lines(900, 1_000));
  log.take(lines(1, 100));
  expect(log.row(100)).toEqual({ kind: "gap", from: 1_000, to: 8_990, lines: 799 });
  log.take(lines(101, 500));
  log.take(lines(700, 899));
  expect(log.row(500)).toEqual({ kind: "gap", from: 5_000, to: 6_990, lines: 199 });
  log.take(lines(501, 699));
  expect(log.rowCount).toBe(1_000);
  expect(log.row(899)).toMatchObject({ number: 900, item: { text: "line 900" } });
});

test("output written while you look is added at the end, and a cut line becomes one again", () => {
  const log = new Log();
  log.take(lines(1, 10, 10, false));
  expect(log.end).toBe(100);
  log.take(lines(11, 22, 22, false));
  const stdout = (text: string) => ({ stream: "stdout" as const, text });
  log.take({
    bytes: 223,
    lines: 23,
    firstLine: 23,
    items: [stdout("abc")],
    before: "b220",
    after: "a223",
    complete: false,
  });
  log.take({
    bytes: 240,
    lines: 24,
    firstLine: 23,
    items: [stdout("def"), stdout("next")],
    before: "b223",
    after: "a240",
    complete: false,
  });
  expect(log.row(22)).toMatchObject({ number: 23, item: { text: "abcdef" } });
  expect(log.row(23)).toMatchObject({ number: 24, item: { text: "next" } });
});

test("a number that is still being counted is not shown", () => {
  const log = new Log();
  log.take({ ...lines(900, 1_000), firstLine: 950, lines: 1_100, estimated: true });
  expect(log.row(0)).toEqual({ kind: "gap", from: 0, to: 8_990, lines: undefined });
  expect([log.row(3), log.lines, log.uncounted]).toMatchObject([{ number: undefined }, undefined, 8_990]);
  log.take(lines(900, 900));
  expect([log.row(3), log.lines, log.uncounted]).toMatchObject([{ number: 902 }, 1_000, undefined]);
  expect(log.rowCount).toBe(102);
});

test("every line appears once and in its place, whatever the order of the parts", () => {
  const seed = Math.floor(Math.random() * 1_000_000);
  console.log(`seed ${seed}`);
  const random = randomFrom(seed);
  for (let round = 0; round < 300; round++) {
    const log = new Log();
    for (let part = 0; part < 14; part++) {
      const from = 1 + Math.floor(random() * 60);
      log.take(lines(from, Math.min(60, from + Math.floor(random() * 15)), 60));
    }
    let next = 1;
    for (let row = 0; row < log.rowCount; row++) {
      const at = log.row(row);
      if (at?.kind === "gap") {
        expect(at.from).toBe((next - 1) * BYTES);
        next = at.to / BYTES + 1;
        continue;
      }
      expect([at?.item.text, at?.number, log.rowOf(next)]).toEqual([`line ${next}`, next, row]);
      next += 1;
    }
    expect(next).toBe(61);
    expect(log.row(log.rowCount)).toBeUndefined();
  }
});

test("the lines farthest from the view are dropped first, and the end is kept", () => {
  const log = new Log();
  for (const [from, to] of [
    [1, 100],
    [300, 400],
    [600, 700],
    [950, 1_000],
  ] as const)
    log.take(lines(from, to));
  log.trim(6_500, 260);
  expect([50, 350, 650, 999].map((number) => log.rowOf(number) !== undefined)).toEqual([false, true, true, true]);
});

test("an output that is not being viewed keeps its beginning and end, with the size of the gap", () => {
  const log = new Log();
  for (const [from, to] of [
    [1, 100],
    [5_000, 5_100],
    [9_901, 10_000],
  ] as const)
    log.take(lines(from, to, to, false));
  log.keepEnds();
  expect([100, 5_050, 9_901].map((number) => log.rowOf(number) !== undefined)).toEqual([true, false, true]);
  expect(log.row(100)).toMatchObject({ kind: "gap", lines: 9_800 });
});

test("an output followed for hours stays bounded: old parts become a gap that can be loaded again", () => {
  const log = new Log();
  for (let from = 1; from < 500_000; from += 20_000) {
    log.take(lines(from, from + 19_999, from + 19_999, false));
    log.trim(log.bytes, 200_000);
  }
  expect(log.lineCount).toBeLessThanOrEqual(200_000);
  const gap = log.row(0);
  expect(gap).toMatchObject({ kind: "gap", from: 0 });
  const next = gap?.kind === "gap" ? (gap.lines ?? 0) + 1 : 0;
  expect(log.row(1)).toMatchObject({ number: next, item: { text: `line ${next}` } });
  expect(log.rowOf(500_000)).toBe(log.rowCount - 1);
});
