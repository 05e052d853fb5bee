// spellings: converts short spellings of a field to the model's form before its shape is checked.
//   retry: { on: [22, 429] }   → { on: { exitCodes: [22], statuses: [429] } }
//   items: [a, b]              → items: '["a","b"]', which is an expression as well.
//   stdin: fetch               → stdin: { source: node, node: fetch }.
//   stdin: { text: … }         → stdin: { source: literal, literal: … }.
//   auth: { hosts: [a, b] }    → { hosts: "a,b" }
// Exit codes end at 255, and statuses of failures start at 400.
//   L1. Nothing is guessed: an ambiguous list stays as it is, and the schema rejects it.

export function spelledOut(given: Record<string, unknown>): Record<string, unknown> {
  const data = "stdin" in given ? { ...given, stdin: stdinSource(given.stdin) } : given;
  if (Array.isArray(data.items)) return { ...data, items: itemsText(data.items) };
  if (data.auth !== undefined) return { ...withRetry(data), auth: authSpelledOut(data.auth) };
  return withRetry(data);
}

/** An entry of `auth`. */
export function authSpelledOut(entry: unknown): unknown {
  if (typeof entry !== "object" || entry === null || !("hosts" in entry) || !Array.isArray(entry.hosts)) return entry;
  const isNames = entry.hosts.length > 0 && entry.hosts.every((name) => typeof name === "string");
  return isNames ? { ...entry, hosts: entry.hosts.join(",") } : entry;
}

function withRetry(data: Record<string, unknown>): Record<string, unknown> {
  const { retry } = data;
  if (retry === null || typeof retry !== "object" || !("on" in retry)) return data;
  const on = codesByKind(retry.on);
  return on === undefined ? data : { ...data, retry: { ...retry, on } };
}

function stdinSource(stdin: unknown): unknown {
  if (typeof stdin === "string") return { source: "node", node: stdin };
  if (stdin === null || typeof stdin !== "object" || !("text" in stdin) || "source" in stdin) return stdin;
  const { text, ...rest } = stdin;
  return { source: "literal", literal: text, ...rest };
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
