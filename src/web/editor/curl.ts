// curl: turns a pasted curl command into a node and moves its credentials into secrets (spec 2.3). The command is
// parsed in src/workflow/import/curl.ts.

import { isCurl as beginsWithCurl } from "../../workflow/import/pasted.ts";
import {
  addNode,
  type Edit,
  nodesOf,
  openDoc,
  type Plain,
  type Point,
  setDocumentField,
  together,
} from "../document/index.ts";

export function isCurl(text: string): boolean {
  return beginsWithCurl(text) && text.length < 100_000;
}

/** Whether the text starts with a `#!` line. */
export function isScript(text: string): boolean {
  return /^#!\s*\//.test(text) && canBeCommand(text);
}

/** Whether the text could be a command. */
export function canBeCommand(text: string): boolean {
  return text.length < 100_000 && callIn(text) === undefined;
}

/**
 * Whether the text looks like a command and not like a search: it has an option, quote, path, or pipe, or a known
 * program.
 */
export function looksTyped(text: string): boolean {
  if (!canBeCommand(text)) return false;
  return isCurl(text) || /\s-|\S\s+\S*["'/|$=<>]|\n\s*\S/.test(text.trim()) || PROGRAM.test(text);
}

const PROGRAM =
  /^\s*(?:awk|bash|cat|curlew|date|docker|echo|find|gh|git|grep|head|http|https|jq|kubectl|ls|node|npm|npx|printf|psql|python3?|sed|sh|sleep|sort|sqlite3|ssh|tail|wc|wget|xargs)\s+\S/;

/** Joins lines that end with `\\`. */
export function onOneLine(text: string): string {
  return text.replace(/[ \t]*\\\r?\n\s*/g, " ").trim();
}

/** The message for text that is neither a command nor nodes. */
export function notPasted(text: string): string {
  const call = callIn(text);
  if (call === undefined) return "Nothing was pasted: this is neither a curl command nor nodes as YAML.";
  return `Nothing was pasted: this is a call in ${call}. Copy it as cURL (bash).`;
}

function callIn(text: string): string | undefined {
  if (/^\s*(?:await\s+)?fetch\(/.test(text)) return "JavaScript";
  return /^\s*(?:\$\w+\s*=|Invoke-(?:WebRequest|RestMethod)\b)/i.test(text) ? "PowerShell" : undefined;
}

/** Pixels between pasted nodes, more than the height of a card. */
const BELOW = 116;

/** Makes one node per command. Several nodes are not connected. The shell parser is loaded on first use. */
export async function curlEdit(
  text: string,
  { at, after }: { at?: Point; after?: { source: string; handle?: string } },
): Promise<{ edit: Edit; told: readonly string[] } | { error: string }> {
  const commands = commandsIn(text);
  const edits: Edit[] = [];
  const told: string[] = [];
  for (const [index, command] of commands.entries()) {
    const made = await nodeOfCurl(command, {
      at: at === undefined ? undefined : [at[0], at[1] + index * BELOW],
      after: commands.length > 1 ? undefined : after,
    });
    if (made.error !== undefined) return { error: made.error };
    edits.push(...made.edits);
    told.push(...made.told);
  }
  const label =
    commands.length === 1
      ? (edits[0]?.label.replace(/^Add/, "Paste") ?? "Paste")
      : `Paste ${commands.length} curl commands`;
  return { edit: together(label, edits), told };
}

async function nodeOfCurl(text: string, place: { at?: Point; after?: { source: string; handle?: string } }) {
  const { workflowOfCurl } = await import("../../workflow/import/curl.ts");
  const made = await workflowOfCurl(text);
  if (!made.ok) return { error: [made.error.message, made.error.hint].filter(Boolean).join(" ") };
  const doc = openDoc(made.value.text, "pasted.flow.yaml").plain ?? {};
  const [node] = nodesOf(doc);
  if (node === undefined) return { error: "This curl command cannot be imported." };
  const add = addNode({ type: "cli", data: node.data ?? {}, ...place });
  const secrets = Array.isArray(doc.secrets) ? (doc.secrets as string[]) : [];
  return { edits: secrets.length === 0 ? [add] : [add, withSecrets(secrets)], told: made.value.told };
}

/** Splits text that consists only of curl commands. Any other text is one script. */
export function commandsIn(text: string): string[] {
  const lines = text.match(LINE)?.map((line) => line.trim()) ?? [];
  const commands = lines.filter((line) => line !== "" && !line.startsWith("#"));
  return commands.length > 1 && commands.every(isCurl) ? commands : [text];
}

/** Matches up to a newline that is neither quoted nor escaped. An unclosed quote extends to the end of the text. */
const LINE = /(?:\$'(?:\\[\s\S]|[^'\\])*(?:'|$)|'[^']*(?:'|$)|"(?:\\[\s\S]|[^"\\])*(?:"|$)|\\[\s\S]|[^\n'"\\])+/g;

function withSecrets(names: readonly string[]): Edit {
  return {
    label: "Name the secrets",
    apply(plain: Plain, doc) {
      const known = Array.isArray(plain.secrets) ? (plain.secrets as unknown[]) : [];
      const next = [...known, ...names.filter((name) => !known.includes(name))];
      return setDocumentField(["secrets"], next).apply(plain, doc);
    },
  };
}
