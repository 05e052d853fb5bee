// edge-data: describes the data that passed along an edge: its size, shape, and first line (spec ui.md 6.2). Pure. The
// server has already masked the data.
//   D1. Untrusted text is cut to one short line, and hidden characters are made visible (base/visible.ts).

import { visibleLine } from "../../base/visible.ts";
import type { NodeView } from "../../scheduler/view.ts";
import { count, size } from "../ui/words.ts";

export interface EdgeData {
  /** "1.2 kB · list of 3 objects", or why there is no data. */
  says: string;
  /** The first non-empty line. */
  line?: string;
}

/** The output of a node. If `text` is absent, the output is too large for the journal, and only its size is known. */
export interface HandedOn {
  text?: string;
  bytes?: number;
  secret?: boolean;
}

/** For a branch that was not taken. */
export const NOTHING_WENT = "Nothing went this way.";
const LINE_CHARS = 120;
const NAMES_SHOWN = 4;

export function edgeData(handed: HandedOn | undefined, nothing: string): EdgeData {
  if (handed === undefined) return { says: nothing };
  if (handed.secret) return { says: "a secret value" };
  const { text } = handed;
  if (text === undefined) return { says: `${size(handed.bytes ?? 0)} · in the output of the node` };
  if (text === "") return { says: "empty" };
  const bytes = new TextEncoder().encode(text).length;
  return { says: `${size(bytes)} · ${shapeOf(text)}`, line: firstLine(text) };
}

/** The same in a word: "57 items", "4.1 kB". */
export function amountOf(handed: HandedOn | undefined): string | undefined {
  if (handed === undefined || handed.secret || handed.text === "") return undefined;
  if (handed.text === undefined) return size(handed.bytes ?? 0);
  const value = /^\s*\[/.test(handed.text) ? parsed(handed.text) : undefined;
  return Array.isArray(value) ? count(value.length, "item") : size(new TextEncoder().encode(handed.text).length);
}

/** The output of a node in its iteration. `undefined` if it has none or did not succeed. */
export function handedOn(node: Pick<NodeView, "value" | "attempts"> | undefined): HandedOn | undefined {
  const last = node?.attempts.at(-1);
  if (last?.stdout?.secret) return { secret: true };
  if (node?.value !== undefined) return { text: node.value };
  return last?.status === "succeeded" && last.stdout !== undefined ? { bytes: last.stdout.bytes } : undefined;
}

/** One line for screen readers and lists. */
export function edgeWords({ says, line }: EdgeData): string {
  return line === undefined ? says : `${says} · ${line}`;
}

function shapeOf(text: string): string {
  const value = parsed(text);
  if (Array.isArray(value)) {
    const objects = value.length > 0 && value.every((item) => typeof item === "object" && item !== null);
    return `list of ${objects ? count(value.length, "object") : count(value.length, "item")}`;
  }
  if (typeof value === "object" && value !== null) {
    const names = Object.keys(value);
    const shown = names.slice(0, NAMES_SHOWN).map((name) => visibleLine(name.slice(0, 30)));
    const all = [...shown, ...(names.length > NAMES_SHOWN ? ["…"] : [])].join(", ");
    return names.length === 0 ? "object without members" : `object with ${all}`;
  }
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "true or false";
  return `text, ${count(text.replace(/\n$/, "").split("\n").length, "line")}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function firstLine(text: string): string {
  const line = text.split("\n", 200).find((one) => one.trim() !== "") ?? "";
  const shown = visibleLine(line.slice(0, LINE_CHARS + 1).trim());
  return line.length > LINE_CHARS ? `${shown.slice(0, LINE_CHARS)}…` : shown;
}
