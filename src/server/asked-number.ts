// asked-number: numbers in a query, which are digits and nothing else: no "1e9", "0x10", " 1" (spec 2.4). Pure.

/** A whole number from 0; NaN for everything else. */
export function wholeNumber(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}

/** With decimals. */
export function plainNumber(text: string): number {
  return /^\d{1,15}(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}
