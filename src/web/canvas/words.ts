// words: the texts of a card: kind, one line about what the node does, and one line of facts. They never contain values
// or secrets.

import { isNodeType, kindOf } from "../../workflow/kinds/index.ts";
import { count } from "../ui/words.ts";

export function kindWord(type: string): string {
  return isNodeType(type) ? kindOf({ type }).name : type;
}

type Data = Record<string, unknown>;

export function previewOf(type: string, data: Data): string {
  switch (type) {
    case "cli":
      return commandLine(text(data.content));
    case "llm":
    case "text":
      return oneLine(text(data.content));
    case "variable":
      return `${text(data.variableName)} = ${oneLine(text(data.content) || text(data.initialValue) || "${1}")}`;
    case "accumulator":
      return `into ${text(data.variableName)}${text(data.content) === "" ? "" : `: ${oneLine(text(data.content))}`}`;
    case "if":
      return oneLine(text(data.content)) || "did its input succeed?";
    case "loop-start":
      return loopWords(data);
    case "loop-end":
      return text(data.until) === "" ? "" : `until ${oneLine(text(data.until))}`;
    case "subflow":
      return text(data.workflow);
    case "start":
      return "the run's input";
    default:
      return isNodeType(type) ? (kindOf({ type }).describe?.(data, oneLine) ?? "") : "";
  }
}

/** "3 times", "each of items", "while …". */
export function loopWords(data: Data): string {
  if (data.items !== undefined) return `each ${text(data.as) || "item"} of ${oneLine(text(data.items))}`;
  if (data.while !== undefined) return `while ${oneLine(text(data.while))}`;
  if (data.iterations !== undefined) return `${oneLine(text(data.iterations))} times`;
  return "";
}

export function factsOf(type: string, data: Data): string {
  const facts: string[] = [];
  if (type === "cli") {
    if (data.needsUserApproval === true) facts.push("asks before running");
    else if (data.safetyLevel === "advanced") facts.push("advanced");
    if (data.mode === "script") facts.push("script");
    if (typeof data.shell === "string") facts.push(data.shell);
    if (data.emit === "lines") facts.push("listens");
    const stdin = data.stdin as Data | undefined;
    if (stdin?.source === "parents-all" || stdin?.source === "parent-index") facts.push("stdin");
  }
  if (type === "llm") facts.push(text(data.model) || "no model", ...(data.schema === undefined ? [] : ["schema"]));
  if (type === "accumulator") facts.push(data.format === "json" ? "JSON list" : "lines");
  if (type === "variable" && data.secret === true) facts.push("secret");
  const retry = data.retry as Data | undefined;
  if (retry?.maxAttempts !== undefined) facts.push(`up to ${text(retry.maxAttempts)} attempts`);
  if (typeof data.timeout === "string") facts.push(`at most ${data.timeout}`);
  if (data.continueOnError === true) facts.push("may fail");
  return facts.join(" · ");
}

/** The first line that is not a comment or a `set` command. */
function commandLine(content: string): string {
  const line = content.split("\n").find((one) => one.trim() !== "" && !/^\s*(#|set\s)/.test(one));
  return callLine(oneLine(content)) ?? oneLine(line ?? content);
}

/** The method and URL of a curl command. Options usually come first and would fill the line. */
function callLine(content: string): string | undefined {
  const call = /(?:^|[|;&(]\s*|\s)curl\s(.*)$/.exec(content)?.[1];
  if (call === undefined) return undefined;
  const method = /(?:^|\s)(?:-X\s*|--request[\s=])["']?([A-Z]+)/.exec(call)?.[1];
  const address = /["']?((?:https?:\/\/|\$\{?\w+\}?\/)[^\s"'|)]*)/.exec(call)?.[1];
  if (address === undefined) return undefined;
  return `curl ${method === undefined ? "" : `-X ${method} `}${address}`;
}

const LINE_CHARS = 160;

function oneLine(value: string): string {
  return value.replace(/\s+/g, " ").trim().slice(0, LINE_CHARS);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" || typeof value === "boolean" ? `${value}` : "";
}

/** "Get page, CLI, running, attempt 1 of 3, 2 inputs, 1 output" (spec ui.md 6.7). */
export function spokenLabel(
  card: { title: string; type: string; inputs: number; outputs: number },
  state: readonly string[],
): string {
  return [card.title, kindWord(card.type), ...state, count(card.inputs, "input"), count(card.outputs, "output")].join(
    ", ",
  );
}

/** The label that screen readers announce for an edge: "from Get page (true) to Show" (spec ui.md 6.7). */
export function edgeLabel(
  { byId }: { byId: ReadonlyMap<string, { title: string }> },
  { source, target, handle, kind }: { source: string; target: string; handle?: string; kind: "edge" | "wait" },
): string {
  const port = handle === undefined ? "" : ` (${handle})`;
  const waits = kind === "wait" ? ", by its name" : "";
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
