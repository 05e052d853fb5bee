// edge-data: what went along an edge, in a few words: how much, of what shape, how it begins (spec ui.md 6.2). Pure; what it is given is
// masked by the server already.
//   D1. Text of others stays on one line, short, with nothing in it that hides (base/visible.ts).

import { visibleLine } from "../../base/visible.ts";
import type { NodeView } from "../../scheduler/view.ts";
import { count, size } from "../ui/words.ts";

export interface EdgeData {
  /** "1.2 kB · list of 3 objects", or why there is nothing. */
  says: string;
  /** The first line that is not empty. */
  line?: string;
}

/** What a node handed on. Without a text it is too large to stand in the history itself. */
export interface HandedOn {
  text?: string;
  bytes?: number;
  secret?: boolean;
}

const LINE_CHARS = 120;
const NAMES_SHOWN = 4;

export function edgeData(handed: HandedOn | undefined, nothing: string): EdgeData {
  if (handed === undefined) return { says: nothing };
  if (handed.secret) return { says: "a secret value" };
  const { text } = handed;
  if (text === undefined) return { says: `${size(handed.bytes ?? 0)} · in the output of the step` };
  if (text === "") return { says: "empty" };
  const bytes = new TextEncoder().encode(text).length;
  return { says: `${size(bytes)} · ${shapeOf(text)}`, line: firstLine(text) };
}

/** Of a node in its pass; nothing while it has none, and when it did not succeed. */
export function handedOn(node: Pick<NodeView, "value" | "attempts"> | undefined): HandedOn | undefined {
  const last = node?.attempts.at(-1);
  if (last?.stdout?.secret) return { secret: true };
  if (node?.value !== undefined) return { text: node.value };
  return last?.status === "succeeded" && last.stdout !== undefined ? { bytes: last.stdout.bytes } : undefined;
}

/** One line that is read aloud, or stands in a list. */
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
