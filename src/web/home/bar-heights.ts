// bar-heights: how tall the bars of a strip are. Pure.

const leastPx = 8;
const mostPx = 28;

/** By the square root of the time, so that one slow run does not flatten the others; the longest is the tallest. */
export function barHeights(ms: readonly number[]): number[] {
  const longest = Math.sqrt(Math.max(1, ...ms));
  return ms.map((one) => Math.round(leastPx + (mostPx - leastPx) * (Math.sqrt(Math.max(0, one)) / longest)));
}
