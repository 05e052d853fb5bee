// spellings: converts short spellings of a field to the model's form before its shape is checked.
//   retry: { on: [22, 429] }   → { on: { exitCodes: [22], statuses: [429] } }
//   items: [a, b]              → items: '["a","b"]', which is an expression as well.
// Exit codes end at 255, and statuses of failures start at 400.
//   L1. Nothing is guessed: an ambiguous list stays as it is, and the schema rejects it.

export function spelledOut(data: Record<string, unknown>): Record<string, unknown> {
  if (Array.isArray(data.items)) return { ...data, items: itemsText(data.items) };
  const { retry } = data;
  if (retry === null || typeof retry !== "object" || !("on" in retry)) return data;
  const on = codesByKind(retry.on);
  return on === undefined ? data : { ...data, retry: { ...retry, on } };
}

function itemsText(items: readonly unknown[]): unknown {
  const text = JSON.stringify(items);
  // A template would be filled in as text, and a quote in its value would break the list.
  return text.includes("${") ? items : text;
}

function codesByKind(on: unknown): { exitCodes?: number[]; statuses?: number[] } | undefined {
  const codes = typeof on === "number" ? [on] : on;
  if (!Array.isArray(codes) || codes.length === 0) return undefined;
  const exitCodes = codes.filter((code) => isWhole(code, 0, 255));
  const statuses = codes.filter((code) => isWhole(code, 400, 599));
  if (exitCodes.length + statuses.length < codes.length) return undefined;
  return { ...(exitCodes.length > 0 ? { exitCodes } : {}), ...(statuses.length > 0 ? { statuses } : {}) };
}

function isWhole(value: unknown, least: number, most: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;
}
