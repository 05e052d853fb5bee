// script: what the nodes of a drawing will do, as pure functions of the path. Oracle and simulated engine share only
// this.

import type { Drawing, Drawn } from "./drawing.ts";

const OUTCOMES = new Set(["ok", "fail", "timeout", "lost", "retry"]);
export type Outcome = "ok" | "fail" | "timeout" | "lost" | "retry";

/** The action of a command, a text, a variable … at this path. Only commands time out, get lost or are retried. */
export function outcomeOf(drawing: Drawing, node: Drawn, path: string): Outcome {
  const word = said(drawing, node, path);
  if (word !== undefined && OUTCOMES.has(word)) return word as Outcome;
  if (drawing.seed === undefined) return "ok";
  const roll = chance(drawing, `outcome ${path}`) % 100;
  // Tolerated failures are frequent, so that whole runs survive them; others are rare.
  const tolerant =
    node.continueOnError === true || drawing.edges.some(({ from, handle }) => from === node.id && handle === "error");
  if (node.type !== "cli" && node.type !== "subflow") return roll < 1 ? "fail" : "ok";
  if (roll < (tolerant ? 40 : 3)) return (["fail", "timeout", "lost"] as const)[roll % 3] ?? "fail";
  return roll > 92 ? "retry" : "ok";
}

export function branchOf(drawing: Drawing, node: Drawn, path: string): boolean {
  const word = said(drawing, node, path);
  if (word === "true" || word === "false") return word === "true";
  return drawing.seed === undefined || chance(drawing, `branch ${path}`) % 2 === 0;
}

/** Known iterations of a loop, or how often its `while` says yes. */
export function passesOf(drawing: Drawing, node: Drawn, path: string): number {
  if (node.form === "forever") return Number.POSITIVE_INFINITY;
  const most = node.passes ?? 0;
  return drawing.seed === undefined ? most : chance(drawing, `passes ${path}`) % (most + 1);
}

/** The iteration after which `until` says stop. */
export function lastPassOf(drawing: Drawing, end: Drawn, path: string): number {
  if (end.until === undefined) return Number.POSITIVE_INFINITY;
  return drawing.seed === undefined ? end.until : chance(drawing, `until ${path}`) % (end.until + 1);
}

export type Answer = "grant" | "reject" | "expires-reject" | "expires-fail" | "expires-approve";

/** The reason why a command needs approval: the document, or a finding while it is prepared. */
export function asker(drawing: Drawing, node: Drawn, path: string): "document" | "found" | undefined {
  if (node.type !== "cli") return undefined;
  if (node.approve === true) return "document";
  if (node.asks === true) return "found";
  return drawing.seed !== undefined && chance(drawing, `asks ${path}`) % 12 === 0 ? "found" : undefined;
}

/** The decision about the command at this path. */
export function answerOf(drawing: Drawing, node: Drawn, path: string): Answer {
  const word = said(drawing, node, path);
  if (word === "reject" || word?.startsWith("expires-")) return word as Answer;
  if (drawing.seed === undefined) return "grant";
  const roll = chance(drawing, `approve ${path}`) % 20;
  return (["reject", "expires-reject", "expires-fail", "expires-approve", "reject"] as const)[roll] ?? "grant";
}

/** Whether something changes between the first grant and the start, so that Curlew asks once more. */
export function isChanged(drawing: Drawing, node: Drawn, path: string, number: number): boolean {
  if (said(drawing, node, path) === "changes") return true;
  return drawing.seed !== undefined && chance(drawing, `changes ${path} ${number}`) % 4 === 0;
}

/** Whether the cache has a result for the first attempt. Never where approval is needed: no approver is bypassed. */
export function isCached(drawing: Drawing, node: Drawn, path: string): boolean {
  // A listener has no cache (check/listeners.ts).
  if (node.lines !== undefined) return false;
  if (node.type !== "cli" || asker(drawing, node, path) !== undefined) return false;
  const word = said(drawing, node, path);
  if (word !== undefined) return word === "cached";
  if (drawing.uncached) return false;
  return drawing.seed !== undefined && chance(drawing, `cached ${path}`) % 10 === 0;
}

/** How often an attempt finds no room in a budget, and in which kind. */
export function budgetOf(drawing: Drawing, node: Drawn, path: string, number: number): ("rate" | "concurrency")[] {
  if (node.type !== "cli") return [];
  const word = said(drawing, node, path);
  if (word === "rate" || word === "concurrency") return number === 1 ? [word] : [];
  const roll = drawing.seed === undefined ? 0 : chance(drawing, `budget ${path} ${number}`) % 12;
  return ([[], ["rate"], ["concurrency"], ["concurrency", "rate"], ["rate", "rate"]] as const)[roll]?.slice() ?? [];
}

/** How often a subflow suspends because it waits for approval. */
export function restsOf(drawing: Drawing, node: Drawn, path: string): number {
  if (node.type !== "subflow") return 0;
  if (said(drawing, node, path) === "rests") return 1;
  return drawing.seed === undefined ? 0 : chance(drawing, `rests ${path}`) % 3;
}

export const itemOf = (path: string, index: number): string => `item${index}of${path}`;

/** A node's result from its inputs: short enough to read, and different whenever an input differs. */
export function product(id: string, seen: readonly string[]): string {
  const text = seen.join(",");
  return text.length <= 24 ? `${id}(${text})` : `${id}(~${hash(text).toString(36)})`;
}

export function hash(text: string): number {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  sum ^= sum >>> 15;
  sum = Math.imul(sum, 0x2c1b3c6d);
  return (sum ^ (sum >>> 12)) >>> 0;
}

function chance(drawing: Drawing, what: string): number {
  return hash(`${drawing.seed} ${what}`);
}

function said(drawing: Drawing, node: Drawn, path: string): string | undefined {
  return drawing.script[path] ?? drawing.script[node.id];
}

/** The failure of a node that names one without a value. */
export const ABSENT = { code: "value-absent", message: "It has no value." };

export function failureOf(outcome: Outcome): { code: string; message: string; exitCode?: number } {
  if (outcome === "fail") return { code: "exit-non-zero", message: "It failed.", exitCode: 1 };
  if (outcome === "timeout") return { code: "timed-out", message: "It took too long." };
  return { code: "lost", message: "It was lost." };
}
