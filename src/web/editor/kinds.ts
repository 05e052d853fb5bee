// kinds: the kinds of nodes that can be added, with their icons and initial fields. A new node is complete, so the checks find no
// problems in it.

import {
  Braces,
  FileTerminal,
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
import type { Plain } from "../document/index.ts";

export interface Kind {
  id: string;
  icon: LucideIcon;
  type: string;
  name: string;
  says: string;
  /** Additional search terms. */
  words: string;
  data: Plain;
}

export const KINDS: readonly Kind[] = [
  {
    id: "cli",
    icon: SquareTerminal,
    type: "cli",
    name: "CLI",
    says: "Run a command",
    words: "shell bash curl http request call terminal",
    data: { title: "Run a command", content: "curl --fail-with-body --silent --show-error https://example.com" },
  },
  {
    id: "script",
    icon: FileTerminal,
    type: "cli",
    name: "Script",
    says: "Run several lines",
    words: "bash python node program cli",
    data: { title: "Run a script", mode: "script", content: 'echo "first"\necho "second"\n' },
  },
  {
    id: "llm",
    icon: Sparkles,
    type: "llm",
    name: "LLM",
    says: "Ask a language model",
    words: "ai model prompt openai anthropic ollama",
    data: { title: "Ask a model", model: "ollama/llama3.2", content: "Summarise this: ${1}" },
  },
  {
    id: "if",
    icon: Split,
    type: "if",
    name: "IF",
    says: "Go one way or the other",
    words: "condition branch decide",
    data: { title: "Did it work?" },
  },
  {
    id: "loop",
    icon: Repeat2,
    type: "loop",
    name: "Loop",
    says: "Do the same several times",
    words: "repeat for each while iterate pages",
    data: { title: "Loop", iterations: 3 },
  },
  {
    id: "variable",
    icon: Braces,
    type: "variable",
    name: "Variable",
    says: "Give a value a name",
    words: "constant set",
    data: { title: "Variable", variableName: "value", initialValue: "" },
  },
  {
    id: "accumulator",
    icon: Sigma,
    type: "accumulator",
    name: "Accumulator",
    says: "Collect values",
    words: "list collect append sum results",
    data: { title: "Collect", variableName: "collected" },
  },
  {
    id: "text",
    icon: TextQuote,
    type: "text",
    name: "Text",
    says: "Fill in a template",
    words: "template string body message",
    data: { title: "Text", content: "${1}" },
  },
  {
    id: "subflow",
    icon: Workflow,
    type: "subflow",
    name: "Subflow",
    says: "Run another workflow file",
    words: "workflow call include",
    data: { title: "Run a workflow", workflow: "other.flow.yaml" },
  },
  {
    id: "start",
    icon: Play,
    type: "start",
    name: "Start",
    says: "Start several branches",
    words: "begin trigger entry",
    data: { title: "Start" },
  },
];

/** Without parents, `${1}` would be a problem from the start, so plain text replaces it. */
export function dataFor(kind: Kind, hasParent: boolean, taken: ReadonlySet<string>): Plain {
  const data = { ...kind.data };
  if (!hasParent && typeof data.content === "string") data.content = data.content.replaceAll("${1}", "text");
  if (typeof data.variableName === "string") {
    let name = data.variableName;
    for (let n = 2; taken.has(name); n++) name = `${data.variableName}_${n}`;
    data.variableName = name;
  }
  return data;
}

/** Matches in order of relevance: first those whose name starts with the query, then those with any matching word. */
export function matching<T extends Pick<Kind, "name" | "says" | "words">>(all: readonly T[], query: string): T[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === "") return [...all];
  const rank = ({ name, says, words }: T): number => {
    if (name.toLowerCase().startsWith(wanted)) return 0;
    const text = `${name} ${says} ${words}`.toLowerCase();
    if (text.split(" ").some((word) => word.startsWith(wanted))) return 1;
    return text.includes(wanted) ? 2 : 9;
  };
  return all.filter((one) => rank(one) < 9).sort((a, b) => rank(a) - rank(b));
}
