// words: the texts of a card: kind, one line about what the node does, and one line of facts. They never contain values
// or secrets.

import type { DrawnEdge } from "../../workflow/drawing/layout.ts";
import { isNodeType, kindOf } from "../../workflow/kinds/index.ts";
import { NODE_VIEWS, text } from "../kinds.ts";
import { count } from "../ui/words.ts";
import type { CardNode } from "./model.ts";

export function kindWord(type: string): string {
  if (!isNodeType(type)) return type;
  const { longName, name } = kindOf({ type });
  return longName ?? name;
}

type Data = Record<string, unknown>;

export function previewOf(type: string, data: Data): string {
  return isNodeType(type) ? NODE_VIEWS[type].preview(data) : "";
}

export function iconOf(type: string, data: Data): string {
  return (isNodeType(type) ? NODE_VIEWS[type].sign?.(data) : undefined) ?? type;
}

export function factsOf(type: string, data: Data): string {
  const retry = data.retry as Data | undefined;
  const facts = [
    ...((isNodeType(type) ? NODE_VIEWS[type].facts?.(data) : undefined) ?? []),
    retry?.maxAttempts === undefined ? "" : `up to ${text(retry.maxAttempts)} attempts`,
    typeof data.timeout === "string" ? `at most ${data.timeout}` : "",
    data.continueOnError === true ? "may fail" : "",
  ];
  return facts.filter((fact) => fact !== "").join(" · ");
}

/** When nodes run that are not in the flow. */
export const STAGE_WORDS = { onFailure: "on failure", finally: "always" } as const;

/** "Get page, Command, running, attempt 1 of 3, 2 inputs, 1 output" (spec ui.md 6.7). */
export function spokenLabel(
  { title, type, stage, inputs, outputs }: Pick<CardNode, "title" | "type" | "stage" | "inputs" | "outputs">,
  state: readonly string[],
): string {
  const when = stage === undefined ? [] : [`runs ${STAGE_WORDS[stage]}`];
  return [title, kindWord(type), ...when, ...state, count(inputs, "input"), count(outputs, "output")].join(", ");
}

/** The label that screen readers announce for an edge: "from Get page (true) to Show" (spec ui.md 6.7). */
export function edgeLabel(
  { byId }: { byId: ReadonlyMap<string, { title: string }> },
  { source, target, handle, kind }: { source: string; target: string; handle?: string; kind: DrawnEdge["kind"] },
): string {
  const port = handle === undefined ? "" : ` (${handle})`;
  const waits = kind === "edge" ? "" : ", by its name";
  return `from ${byId.get(source)?.title ?? source}${port} to ${byId.get(target)?.title ?? target}${waits}`;
}

/**
 * Describes what the user can do with the focused element. React Flow's own texts describe keys that do not apply here.
 */
export const SAID = {
  reading: { "node.a11yDescription.default": "", "edge.a11yDescription.default": "" },
  editing: {
    "node.a11yDescription.default": "Press Enter to open it.",
    "edge.a11yDescription.default": "Press Delete to remove it.",
  },
};
