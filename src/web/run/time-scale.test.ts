import { expect, test } from "vitest";
import { axisText, marksOf, timeScale } from "./time-scale.ts";

test("without a long pause time is drawn as it is", () => {
  const scale = timeScale(1_000, 2_000, [{ fromMs: 1_100, toMs: 1_200 }]);
  expect(scale.folds).toEqual([]);
  expect([scale.place(1_000), scale.place(1_500), scale.place(2_000)]).toEqual([0, 0.5, 1]);
});

test("an hour without an answer takes a small part of the line, and every place leads back to its moment", () => {
  const hour = 3_600_000;
  const scale = timeScale(0, hour + 20_000, [{ fromMs: 10_000, toMs: 10_000 + hour }]);
  expect(scale.folds).toHaveLength(1);
  expect(scale.place(10_000)).toBeCloseTo(0.48, 1);
  expect(scale.place(10_000 + hour) - scale.place(10_000)).toBeLessThan(0.05);
  for (const ms of [0, 5_000, 10_000, hour / 2, hour + 10_000, hour + 15_000, hour + 20_000])
    expect(scale.moment(scale.place(ms))).toBeCloseTo(ms, 3);
});

test("the marks of the axis are round times since the start, outside of folds and apart from each other", () => {
  const marks = (scale: ReturnType<typeof timeScale>, origin: number) =>
    marksOf(scale, origin).map((at) => at - origin);
  expect(marks(timeScale(7, 3_307, []), 7)).toEqual([0, 1_000, 2_000, 3_000]);
  expect(marks(timeScale(1_230, 1_480, []), 1_000)).toEqual([250, 300, 350, 400, 450]);
  const hour = 3_600_000;
  expect(marks(timeScale(0, hour + 20_000, [{ fromMs: 10_000, toMs: 10_000 + hour }]), 0)).toEqual([
    ...[0, 5_000, 10_000],
    ...[hour + 15_000],
  ]);
  expect(marks(timeScale(0, 0, []), 0)).toEqual([0]);
});

test("no two marks have the same label", () => {
  for (const wholeMs of [9, 99, 250, 999, 3_300, 19_000, 25_000, 3_600_000]) {
    const labels = marksOf(timeScale(0, wholeMs, []), 0).map((at) => axisText(at, wholeMs));
    expect(new Set(labels).size, labels.join(", ")).toBe(labels.length);
  }
});
