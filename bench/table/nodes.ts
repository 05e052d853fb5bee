import { flow, names, quick, type Row, runFlow, text, turns } from "./measure.ts";

const rounds = quick ? 1 : 3;

export const nodes = {
  chain: () => growth("in a chain", (ids) => [ids.join(" -> ")]),
};

async function growth(shape: string, edges: (ids: string[]) => string[]): Promise<Row[]> {
  const count = quick ? 1_000 : 10_000;
  const make = (size: number) =>
    flow(
      names(size).map((id) => text(id, "x")),
      size === 1 ? [] : edges(names(size)),
    );
  const files = [make(1), make(count), make(2 * count)];
  const [none = 0, one = 0, two = 0] = leasts(
    await turns(
      rounds,
      files.map((file) => () => runFlow(file)),
    ),
  );
  const each = ((two - none) * 1_000) / (2 * count);
  return [
    {
      what: `a Text node ${shape} of ${2 * count}, all in all`,
      figure: `${each.toFixed(0)} µs (of ${count}: ${(((one - none) * 1_000) / count).toFixed(0)} µs)`,
      reach: "≤ 100 µs",
      reached: each <= 100,
      adr: "42",
    },
    linear(`  from ${count} to ${2 * count}`, one - none, two - none, count),
  ];
}

/** In small figures the start of the program is the largest part. */
const SLACK_MS = 50;

/** Twice as much may take little more than twice as long. */
function linear(what: string, oneMs: number, twoMs: number, count: number): Row {
  const figure = `${(twoMs / oneMs).toFixed(2)} × (${oneMs.toFixed(0)}, ${twoMs.toFixed(0)} ms; ${(((twoMs - oneMs) * 1_000) / count).toFixed(0)} µs each beyond the first half)`;
  return { what, figure, reach: "linear (≤ 2.40 ×)", reached: twoMs <= 2.4 * oneMs + SLACK_MS };
}

const leasts = (times: readonly number[][]): number[] => times.map((each) => Math.min(...each));
