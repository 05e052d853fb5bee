// row: how a figure of the web's table is said.

export const quick = process.argv.includes("--quick");
export const long = process.argv.includes("--long");

export interface Row {
  what: string;
  figure: string;
  reach: string;
  /** Absent: nothing to reach. */
  reached?: boolean;
}

/** Answers with the number of misses. */
export function say({ what, figure, reach, reached }: Row): number {
  const verdict = reached === undefined ? "" : reached ? "ok" : "MISS";
  console.log(`${verdict.padEnd(5)} ${what.padEnd(56)} ${figure.padEnd(58)} ${reach === "" ? "" : `reach ${reach}`}`);
  return reached === false ? 1 : 0;
}

export function most(what: string, value: number, limit: number, unit: string, more = ""): Row {
  return {
    what,
    figure: `${value.toFixed(value < 10 ? 1 : 0)} ${unit}${more === "" ? "" : ` (${more})`}`,
    reach: `≤ ${limit} ${unit}`,
    reached: value <= limit,
  };
}

export function least(what: string, value: number, limit: number, unit: string, more = ""): Row {
  return {
    what,
    figure: `${value.toFixed(0)} ${unit}${more === "" ? "" : ` (${more})`}`,
    reach: `≥ ${limit} ${unit}`,
    reached: value >= limit,
  };
}

export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
