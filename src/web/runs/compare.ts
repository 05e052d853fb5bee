// compare: the differences between two runs (spec ui 6.2.5): states, times, values and inputs, node by node. Pure.

import { visibleLine } from "../../base/visible.ts";
import type { NodeView, RunView } from "../../scheduler/view.ts";
import { size } from "../ui/words.ts";

export type Difference = "state" | "value" | "command" | "missing";

export interface NodePair {
  path: string;
  title: string;
  a?: NodeView;
  b?: NodeView;
  differs: Difference[];
  /** Duration in each run: from the start of its first attempt to the end of its last. */
  tookA?: number;
  tookB?: number;
}

export interface InputPair {
  name: string;
  a: string;
  b: string;
  differs: boolean;
}

export interface Comparison {
  nodes: NodePair[];
  inputs: InputPair[];
}

/** In the order of the newer run. Nodes only in the older run follow the node they followed there. */
export function compareRuns(a: RunView, b: RunView): Comparison {
  const older = new Map(a.nodes.map((node) => [node.path, node]));
  const newer = new Map(b.nodes.map((node) => [node.path, node]));
  const paths = merged(
    b.nodes.map(({ path }) => path),
    a.nodes.map(({ path }) => path),
  );
  const names = [...new Set([...Object.keys(a.inputs), ...Object.keys(b.inputs)])];
  return {
    nodes: paths.map((path) => pairOf(path, older.get(path), newer.get(path))),
    inputs: names.map((name) => {
      const [one, other] = [shown(a.inputs[name]), shown(b.inputs[name])];
      return { name, a: one, b: other, differs: one !== other };
    }),
  };
}

/** The text for a node that has nothing to compare. */
export function noneOf(node: NodeView | undefined, what: "value" | "command"): string {
  if (node === undefined) return "not in this run";
  if (what === "command") return "no command";
  const last = node.attempts.at(-1);
  if (node.status !== "succeeded") return visibleLine(`no value: ${node.failure?.message ?? node.status}`);
  return last?.stdout?.secret ? "a secret, not kept" : `too large to compare: ${size(last?.stdout?.bytes ?? 0)}`;
}

/** How long a node took, as on its card; undefined if it is running or never ran. */
export function tookOf(node: NodeView | undefined): number | undefined {
  const first = node?.attempts[0];
  const last = node?.attempts.at(-1);
  if (first === undefined || last?.endedAt === undefined) return undefined;
  if (first === last && last.durationMs !== undefined) return last.durationMs;
  return Date.parse(last.endedAt) - Date.parse(first.startedAt);
}

function pairOf(path: string, a: NodeView | undefined, b: NodeView | undefined): NodePair {
  const differs: Difference[] = [];
  if (a === undefined || b === undefined) differs.push("missing");
  else {
    if (a.status !== b.status) differs.push("state");
    if (a.value !== b.value) differs.push("value");
    if (commandOf(a) !== commandOf(b)) differs.push("command");
  }
  return { path, title: visibleLine((b ?? a)?.title ?? path), a, b, differs, tookA: tookOf(a), tookB: tookOf(b) };
}

export function commandOf(node: NodeView): string | undefined {
  return node.attempts.at(-1)?.command;
}

function merged(order: readonly string[], more: readonly string[]): string[] {
  const paths = [...order];
  const known = new Set(order);
  for (const [at, path] of more.entries()) {
    if (known.has(path)) continue;
    known.add(path);
    const before = at === 0 ? -1 : paths.indexOf(more[at - 1]!);
    paths.splice(before + 1, 0, path);
  }
  return paths;
}

function shown(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
