// runs: the differences between two runs (spec ui 6.2.5): inputs, and states, times, commands and values node by node.
// Pure.
//   R1. Times differ if one is at least half as long again, and by LONGER_MS.

import { lastWords } from "../../base/failure.ts";
import { visibleLine } from "../../base/visible.ts";
import type { NodeView, RunView } from "../../scheduler/view.ts";
import { passText } from "../run/paths.ts";
import { prettyText } from "../run/value/value.ts";
import { whyFailed } from "../ui/why-failed.ts";
import { duration, size } from "../ui/words.ts";
import type { Entry } from "./change-list.tsx";

/** In the order of the newer run. Nodes only in the older run follow the node they followed there. */
export function compareRuns(a: RunView, b: RunView): Entry[] {
  const older = new Map(a.nodes.map((node) => [node.path, node]));
  const newer = new Map(b.nodes.map((node) => [node.path, node]));
  const names = [...new Set([...Object.keys(a.inputs), ...Object.keys(b.inputs)])];
  return [
    ...names.flatMap((name) => {
      const [was, is] = [shown(a.inputs[name]), shown(b.inputs[name])];
      return differing({ key: `input:${name}`, kind: kindOf(was, is), title: name }, was, is);
    }),
    ...merged([...newer.keys()], [...older.keys()]).flatMap((path) => {
      const [was, is] = [older.get(path), newer.get(path)];
      const title = [visibleLine((is ?? was)!.title), passText(path)].filter(Boolean).join(", ");
      const entry = { key: `node:${path}`, kind: kindOf(was, is), title, note: tookNote(was, is) };
      return differing(entry, textOf(was), textOf(is));
    }),
  ];
}

function kindOf(was: unknown, is: unknown): Entry["kind"] {
  return was === undefined ? "added" : is === undefined ? "removed" : "changed";
}

function differing(entry: Entry, before = "", after = ""): Entry[] {
  return before === after && entry.note === undefined ? [] : [{ ...entry, lines: { before, after } }];
}

/** Where a run failed and why, as in the list of runs. */
export function whyIn({ nodes, failure: at }: Pick<RunView, "nodes" | "failure">): ReturnType<typeof whyFailed> {
  const title = nodes.find(({ path }) => path === at?.path)?.title;
  return whyFailed(at && { ...at, title, answer: lastWords(at.failure) });
}

function textOf(node: NodeView | undefined): string | undefined {
  if (node === undefined) return undefined;
  const command = node.attempts.at(-1)?.command;
  const parts = [`State: ${node.status}`, command && `Command:\n${command}`, `Value:\n${valueText(node)}`];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

function valueText({ value, status, path, failure, attempts }: NodeView): string {
  if (value !== undefined) return value === "" ? "empty" : shown(value)!;
  const { stdout } = attempts.at(-1) ?? {};
  if (status !== "succeeded")
    return `none: ${whyIn({ nodes: [], failure: failure && { node: path, path, failure } }).why ?? status}`;
  return stdout?.secret ? "a secret, not kept" : `too large to compare: ${size(stdout?.bytes ?? 0)}`;
}

function shown(value: unknown): string | undefined {
  if (typeof value !== "string") return value === undefined ? undefined : JSON.stringify(value, null, 2);
  return prettyText(value);
}

const LONGER_MS = 500;

/** R1. */
function tookNote(was: NodeView | undefined, is: NodeView | undefined): string | undefined {
  const [before, after] = [tookOf(was), tookOf(is)];
  if (before === undefined || after === undefined) return undefined;
  const [less, more] = before < after ? [before, after] : [after, before];
  const isLonger = more - less >= LONGER_MS && more >= 1.5 * less;
  return isLonger ? `Took ${duration(before)}, then ${duration(after)}.` : undefined;
}

/** How long a node took, as on its card; undefined if it is running or never ran. */
function tookOf(node: NodeView | undefined): number | undefined {
  const first = node?.attempts[0];
  const last = node?.attempts.at(-1);
  if (first === undefined || last?.endedAt === undefined) return undefined;
  if (first === last && last.durationMs !== undefined) return last.durationMs;
  return Date.parse(last.endedAt) - Date.parse(first.startedAt);
}

/** The ids of both lists. Those only in `more` follow the one that they followed there. */
export function merged(order: readonly string[], more: readonly string[]): string[] {
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
