// start-kind: what started a run, as lists show it and filter by it. Derived from `run.started`, so old journals have it too.
//   K1. A run of one node is a test, and so is a run that stops at a chosen node. It does not matter who starts it.
//   K2. Names of trigger kinds keep their meaning. `manual`, `test`, and `retry` divide what people start.

export const START_KINDS = [
  "manual",
  "test",
  "retry",
  "schedule",
  "webhook",
  "file",
  "run",
  "subflow",
  "api",
  "cli",
  "mcp",
] as const;

export type StartKind = (typeof START_KINDS)[number];

interface Started {
  trigger: { kind: string; by?: string };
  only?: unknown;
  again?: unknown;
}

/** `manual`: started in the web UI. `retry`: it repeats an earlier run, or reuses its results. */
export function startKindOf({ trigger: { kind, by }, only, again }: Started): StartKind {
  if (only !== undefined) return "test";
  if (kind !== "api" && kind !== "cli") return kind as StartKind;
  if (again !== undefined || by?.startsWith("retry of ")) return "retry";
  return kind === "api" && by === "web" ? "manual" : kind;
}
