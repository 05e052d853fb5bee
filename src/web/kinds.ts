// kinds: how the web shows each kind of node: its icon, its entries in the palette, its words on a card, and its form.
//   K1. Words never contain values or secrets.
//   K2. A new node is complete, so the checks find no problems in it.

import {
  Braces,
  FileTerminal,
  Globe,
  type LucideIcon,
  Play,
  Repeat2,
  Sigma,
  Sparkles,
  Split,
  SquareTerminal,
  TextQuote,
  Workflow,
} from "lucide-react";
import type { NodeType } from "../workflow/node-data.ts";
import type { Plain } from "./document/index.ts";

export type Control =
  | "line"
  | "duration"
  | "choice"
  | "switch"
  | "whole"
  | "number"
  | "names"
  | "codes"
  | "map"
  /** Text with `${…}`. `shell`, `prompt`, and `text` have several lines. */
  | "template"
  | "shell"
  | "prompt"
  | "text"
  | "expression"
  | "condition"
  | "schema"
  | "stdin"
  | "inherit"
  | "egress"
  | "auth"
  | "retry"
  | "model"
  | "workflow"
  | "items"
  | "inputs"
  | "triggers"
  | "sign-ins"
  | "result"
  | "subflow-inputs";

export interface FieldSpec {
  path: readonly (string | number)[];
  label: string;
  control: Control;
  help: string;
  /** The values of a choice. */
  options?: readonly string[];
  /** The value that applies if the field is absent, from its description. */
  usual?: string;
  /** Evaluated inside the loop that the node starts or ends (`while`, `until`). */
  inside?: true;
  /** Can use the node's own env.static. */
  own?: true;
}

export interface Section {
  title?: string;
  /** The map of the document that has these members. It can be removed as a whole. */
  group?: string;
  fields: FieldSpec[];
  /** Rarely needed: collapsed until one of its fields is set. */
  folded?: true;
}

export interface TabSpec {
  id: "main" | "input" | "output" | "policy";
  label: string;
  sections: Section[];
}

export type Written = string | readonly [path: string, control: Control, flag?: "own" | "inside"];
export type SectionPlan = Omit<Section, "fields"> & { fields: readonly Written[] };
export type TabPlan = Omit<TabSpec, "sections"> & { sections: SectionPlan[] };

const tab = (id: TabSpec["id"], label: string, ...sections: SectionPlan[]): TabPlan => ({ id, label, sections });
export const part = (title: string | undefined, ...fields: Written[]): SectionPlan => ({ title, fields });
const folded = (title: string, ...fields: Written[]): SectionPlan => ({ title, fields, folded: true });
const group = (title: string, name: string, ...fields: Written[]): SectionPlan => ({ title, group: name, fields });

const APPROVAL: Written[] = [["approval.prompt", "template"], "approval.timeout", "approval.onTimeout"];
const REPEAT = part("Retry", ["retry", "retry"]);
const CACHE = group("Cache", "cache", ["cache.key", "template"], "cache.ttl");
const SWITCHES = ["exitOnError", "pipefail", "unsetVars", "noProfile", "executionPolicyBypass"];

type Data = Record<string, unknown>;

interface Adding {
  /** Default: the kind's. */
  id?: string;
  icon?: LucideIcon;
  name: string;
  /** Its label in the toolbar. Without one, it is only in the search. */
  tool?: string;
  says: string;
  /** Additional search terms. */
  words: string;
  data: Plain;
}

interface NodeView {
  /** Its section of the page on workflow files. */
  docs: string;
  icon: LucideIcon;
  /** The value of its first parent goes into its own. */
  takesFirst?: true;
  /** Its entries in the palette. */
  adds?: readonly Adding[];
  /** One line about what the node does. */
  preview(data: Data): string;
  /** An icon for this node instead of the kind's. */
  sign?(data: Data): "http" | undefined;
  /** One line of facts. Empty ones are left out. */
  facts?(data: Data): string[];
  form: readonly TabPlan[];
}

/** The title of a new request, until its URL is known. */
export const REQUEST_TITLE = "HTTP request";

export const NODE_VIEWS: Record<NodeType, NodeView> = {
  cli: {
    docs: "cli-a-command-or-script",
    icon: SquareTerminal,
    adds: [
      {
        id: "http",
        icon: Globe,
        name: "HTTP",
        tool: "HTTP",
        says: "Call an API with curl",
        words: "http request get post rest api url fetch json",
        data: {
          title: REQUEST_TITLE,
          content: "curl --fail-with-body -sS --max-time 30 https://example.com",
        },
      },
      {
        name: "Command",
        tool: "Command",
        says: "Run a command",
        words: "cli shell bash curl call terminal",
        data: { title: "Run a command", content: 'echo "hello"' },
      },
      {
        id: "script",
        icon: FileTerminal,
        name: "Script",
        tool: "Script",
        says: "Run several lines",
        words: "bash python node program cli",
        data: { title: "Run a script", mode: "script", content: 'echo "first"\necho "second"\n' },
      },
    ],
    preview: ({ content }) => commandLine(text(content)),
    sign: (data) => (isRequest(data) ? "http" : undefined),
    facts: ({ needsUserApproval, safetyLevel, mode, shell, emit, stdin }) => [
      needsUserApproval === true ? "asks before running" : safetyLevel === "advanced" ? "advanced" : "",
      mode === "script" ? "script" : "",
      text(shell),
      emit === "lines" ? "listens" : "",
      /^parent/.test(text((stdin as Data | undefined)?.source)) ? "stdin" : "",
    ],
    form: [
      tab(
        "main",
        "Command",
        part(undefined, "title", ["content", "shell", "own"]),
        part("How it runs", "mode", "shell", ["cwd", "template", "own"]),
        { ...folded("Shell options", ...SWITCHES.map((name) => `flags.${name}`)), group: "flags" },
      ),
      tab(
        "input",
        "Input",
        part("Standard input", ["stdin", "stdin", "own"]),
        part("Environment", ["env.static", "map"], "env.exposeParents", "env.names", ["env.inherit", "inherit"]),
      ),
      tab(
        "output",
        "Output",
        part(undefined, "output.format", ["output.select", "expression"], "streamOutput"),
        folded("Listener", "emit", "maxConcurrency", "onLineFailure"),
      ),
      tab(
        "policy",
        "Policy",
        part("Approval", "safetyLevel", "needsUserApproval", ...APPROVAL),
        part("Time", "timeout", "idleTimeout", "killGrace"),
        REPEAT,
        part("Success", "successExitCodes", "httpErrors", "continueOnError", "onLost"),
        part("Signing in", ["auth", "auth"]),
        part("Isolation", "sandbox", ["egress", "egress"], "runsOn"),
        group("Rate limit", "rateLimit", ["rateLimit.key", "template"], "rateLimit.limit", "rateLimit.per"),
        group("Concurrency", "concurrency", ["concurrency.key", "template"], "concurrency.limit"),
        CACHE,
      ),
    ],
  },
  llm: {
    docs: "llm-a-language-model",
    icon: Sparkles,
    adds: [
      {
        name: "LLM",
        tool: "LLM",
        says: "Ask a language model",
        words: "ai model prompt openai anthropic ollama",
        data: { title: "Ask a model", model: "ollama/llama3.2", content: "Summarise this: ${1}" },
      },
    ],
    preview: ({ content }) => oneLine(text(content)),
    facts: ({ model, schema }) => [text(model) || "default model", schema === undefined ? "" : "schema"],
    form: [
      tab("main", "Prompt", part(undefined, "title", ["model", "model"], ["content", "prompt"], ["system", "prompt"])),
      tab("output", "Output", part(undefined, ["schema", "schema"], "temperature", "maxOutputTokens", "streamOutput")),
      tab(
        "policy",
        "Policy",
        group("Budget", "budget", "budget.tokens", "budget.usd"),
        part("Approval", "needsUserApproval", ...APPROVAL),
        part("Time", "timeout", "idleTimeout"),
        REPEAT,
        part("Success", "continueOnError", "onLost", "runsOn"),
        CACHE,
      ),
    ],
  },
  if: {
    docs: "if-a-decision",
    icon: Split,
    takesFirst: true,
    adds: [
      {
        name: "If",
        tool: "If",
        says: "Go one way or the other",
        words: "condition branch decide",
        data: { title: "Did it work?" },
      },
    ],
    preview: ({ content }) => oneLine(text(content)) || "did its input succeed?",
    form: [tab("main", "Condition", part(undefined, "title", ["content", "condition"]))],
  },
  "loop-start": {
    docs: "loop-start-and-loop-end-repetition",
    icon: Repeat2,
    adds: [
      {
        id: "loop",
        name: "Loop",
        tool: "Loop",
        says: "Do the same several times",
        words: "repeat for each while iterate pages",
        data: { title: "Loop", iterations: 3 },
      },
    ],
    preview: loopWords,
    form: [
      tab("main", "Loop", part(undefined, "title", ["iterations", "items"])),
      tab("policy", "Policy", part(undefined, "maxIterations", "maxConcurrency")),
    ],
  },
  "loop-end": {
    docs: "loop-start-and-loop-end-repetition",
    icon: Repeat2,
    takesFirst: true,
    preview: ({ until }) => (text(until) === "" ? "" : `until ${oneLine(text(until))}`),
    form: [tab("main", "Loop", part(undefined, "title", ["until", "condition", "inside"], "collect"))],
  },
  variable: {
    docs: "variable-a-named-value",
    icon: Braces,
    takesFirst: true,
    adds: [
      {
        name: "Variable",
        says: "Give a value a name",
        words: "constant set",
        data: { title: "Variable", variableName: "value", initialValue: "" },
      },
    ],
    preview: ({ variableName, content, initialValue }) =>
      `${text(variableName)} = ${oneLine(text(content) || text(initialValue) || "${1}")}`,
    facts: ({ secret }) => [secret === true ? "secret" : ""],
    form: [
      tab(
        "main",
        "Variable",
        part(undefined, "title", "variableName", ["content", "text"], ["initialValue", "text"], "persist", "secret"),
      ),
    ],
  },
  accumulator: {
    docs: "accumulator-a-collection",
    icon: Sigma,
    takesFirst: true,
    adds: [
      {
        name: "Accumulator",
        tool: "Collect",
        says: "Collect values",
        words: "list collect append sum results",
        data: { title: "Collect", variableName: "collected" },
      },
    ],
    preview: ({ variableName, content }) =>
      `into ${text(variableName)}${text(content) === "" ? "" : `: ${oneLine(text(content))}`}`,
    facts: ({ format }) => [format === "json" ? "JSON list" : "lines"],
    form: [
      tab(
        "main",
        "Accumulator",
        part(undefined, "title", "variableName", ["content", "text"], ["initialValue", "text"], "format", "flatten"),
      ),
    ],
  },
  text: {
    docs: "start-and-text",
    icon: TextQuote,
    adds: [
      {
        name: "Text",
        tool: "Text",
        says: "Fill in a template",
        words: "template string body message",
        data: { title: "Text", content: "${1}" },
      },
    ],
    preview: ({ content }) => oneLine(text(content)),
    form: [tab("main", "Text", part(undefined, "title", ["content", "text"]))],
  },
  subflow: {
    docs: "subflow-another-workflow",
    icon: Workflow,
    adds: [
      {
        name: "Subflow",
        says: "Run another workflow file",
        words: "workflow call include",
        data: { title: "Run a workflow", workflow: "other.flow.yaml" },
      },
    ],
    preview: ({ workflow }) => text(workflow),
    form: [
      tab("main", "Subflow", part(undefined, "title", ["workflow", "workflow"], ["inputs", "subflow-inputs"])),
      tab("policy", "Policy", part(undefined, "timeout", "continueOnError", "onLost", "runsOn")),
    ],
  },
  start: {
    docs: "start-and-text",
    icon: Play,
    adds: [{ name: "Start", says: "Start several branches", words: "begin trigger entry", data: { title: "Start" } }],
    preview: () => "the run's input",
    form: [tab("main", "Start", part(undefined, "title"))],
  },
};

/** "3 times", "each of items", "while …". */
function loopWords(data: Data): string {
  if (data.items !== undefined) return `each ${text(data.as) || "item"} of ${oneLine(text(data.items))}`;
  if (data.while !== undefined) return `while ${oneLine(text(data.while))}`;
  if (data.iterations !== undefined) return `${oneLine(text(data.iterations))} times`;
  return "";
}

/** The first line that is not a comment or a `set` command. */
function commandLine(content: string): string {
  const line = content.split("\n").find((one) => one.trim() !== "" && !/^\s*(#|set\s)/.test(one));
  return callLine(oneLine(content)) ?? oneLine(line ?? content);
}

/** A command that calls an API with curl or `curlew http`. */
export function isRequest({ content }: Data): boolean {
  return /(?:^|[|;&(]|\$\()\s*curlew\s+http\s/m.test(text(content)) || callLine(oneLine(text(content))) !== undefined;
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

export function text(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" || typeof value === "boolean" ? `${value}` : "";
}
