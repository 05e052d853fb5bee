// Reads numbers from a query: plain digits only, not "1e9", "0x10", or " 1" (spec 2.4). Pure.

/** An integer from 0, or NaN for any other text. */
export function wholeNumber(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}

/** A number that may have decimals, or NaN for any other text. */
export function plainNumber(text: string): number {
  return /^\d{1,15}(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}
