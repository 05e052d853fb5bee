// curl: turns a pasted curl command into a node, and keeps its credentials for the user to save (secrets/pending.ts). The
// command is parsed in src/workflow/import/curl.ts.

import { isCurl as beginsWithCurl, CURL_CHARS_MAX, tooLong } from "../../workflow/import/pasted.ts";
import { addNode, type Edit, nodesOf, openDoc, type Plain, setDocumentField, together } from "../document/index.ts";
import { type Taken, withFreeNames } from "../secrets/pending.ts";
import type { Placed } from "./editing.ts";
import { hasValue, readsStdin } from "./feeding.ts";
import { COLUMN } from "./rules.ts";

export function isCurl(text: string): boolean {
  return beginsWithCurl(text) && tooLong(text) === undefined;
}

/** Whether the text starts with a `#!` line, or calls `curlew http`. */
export function isScript(text: string): boolean {
  return /^(?:#!\s*\/|curlew\s+http\s)/.test(text) && canBeCommand(text);
}

/** Whether the text could be a command. */
function canBeCommand(text: string): boolean {
  return text.length < CURL_CHARS_MAX && callIn(text) === undefined;
}

/**
 * Whether the text looks like a command and not like a search: it has an option, quote, path, or pipe, or a known
 * program, also alone: `jq`.
 */
export function looksTyped(text: string): boolean {
  if (!canBeCommand(text)) return false;
  return isCurl(text) || /\s-|\S\s+\S*["'/|$=<>]|\n\s*\S/.test(text.trim()) || PROGRAM.test(text);
}

const PROGRAM =
  /^\s*(?:awk|bash|cat|curlew|date|docker|echo|find|gh|git|grep|head|http|https|jq|kubectl|ls|node|npm|npx|printf|psql|python3?|sed|sh|sleep|sort|sqlite3|ssh|tail|wc|wget|xargs)(?:\s+\S|\s*$)/;

const WITH_SUBCOMMANDS = /^(?:aws|cargo|curlew|docker|gh|git|go|helm|kubectl|npm|podman|systemctl|terraform)$/;

/** "Run git status": the first program of the command, and its subcommand. */
export function titleOfCommand(text: string): string | undefined {
  const [, path = "", next = ""] = /^\s*(?:\w+=\S*\s+)*([\w./+-]+)(?:\s+([a-z][a-z-]*)(?=\s|$))?/.exec(text) ?? [];
  const program = path.split("/").at(-1) ?? "";
  if (!/^[A-Za-z]/.test(program)) return undefined;
  return WITH_SUBCOMMANDS.test(program) && next !== "" ? `Run ${program} ${next}` : `Run ${program}`;
}

/** Joins lines that end with `\\`. */
export function onOneLine(text: string): string {
  return text.replace(/[ \t]*\\\r?\n\s*/g, " ").trim();
}

/** The message for text that is neither a command nor nodes. */
export function notPasted(text: string): string {
  const call = callIn(text);
  const long = tooLong(text);
  if (long !== undefined) return `Nothing was pasted. ${long}`;
  if (call === undefined)
    return "Nothing was pasted: this is neither a curl command nor nodes as YAML. Press A to add any other command.";
  return `Nothing was pasted: this is a call in ${call}. Copy it as cURL (bash).`;
}

function callIn(text: string): string | undefined {
  if (/^\s*(?:await\s+)?fetch\(/.test(text)) return "JavaScript";
  return /^\s*(?:\$\w+\s*=|Invoke-(?:WebRequest|RestMethod)\b)/i.test(text) ? "PowerShell" : undefined;
}

interface CurlNodes {
  /** The data of one node per command. */
  nodes: Plain[];
  /** Whether each reads standard input, and gets it from the node before it. */
  reads: boolean[];
  secrets: string[];
}

/** Reads one node per command. The shell parser is loaded on first use. */
export async function readCurl(text: string, taken?: Taken): Promise<CurlNodes | { error: string }> {
  const { workflowOfCurl } = await import("../../workflow/import/curl.ts");
  const read: CurlNodes = { nodes: [], reads: [], secrets: [] };
  for (const command of commandsIn(text)) {
    const made = await workflowOfCurl(command);
    if (!made.ok) return { error: [made.error.message, made.error.hint].filter(Boolean).join(" ") };
    const plain = openDoc(await withFreeNames(made.value, taken), "pasted.flow.yaml").plain ?? {};
    const [node] = nodesOf(plain);
    if (node === undefined) return { error: "This curl command cannot be imported." };
    read.nodes.push(node.data ?? {});
    read.reads.push(node.data?.stdin === undefined && (await readsStdin({ content: String(node.data?.content) })));
    read.secrets.push(...(Array.isArray(plain.secrets) ? (plain.secrets as string[]) : []));
  }
  return read;
}

/** Several nodes follow each other in a row. */
export function curlEdit({ nodes, reads, secrets }: CurlNodes, { at, after }: Placed): Edit {
  let source = after;
  const adds = nodes.map((data, nth): Edit => {
    const place = at && ([at[0] + nth * COLUMN, at[1]] as const);
    return {
      label: "",
      apply(plain, doc) {
        if (nth === 0) source = after;
        const fed = source !== undefined && reads[nth] && hasValue(plain, source) ? { stdin: source.source } : {};
        const added = addNode({ type: "cli", data: { ...data, ...fed }, at: place, after: source }).apply(plain, doc);
        if (added.ok && added.select?.[0] !== undefined) source = { source: added.select[0] };
        return added;
      },
    };
  });
  const label = nodes.length === 1 ? `Paste ${nodes[0]?.title}` : `Paste ${nodes.length} curl commands`;
  return together(label, secrets.length === 0 ? adds : [...adds, withSecrets(secrets)]);
}

/** Splits text that consists only of curl commands. Any other text is one script. */
export function commandsIn(text: string): string[] {
  const lines = text.match(LINE)?.map((line) => line.trim()) ?? [];
  const commands = lines.filter((line) => line !== "" && !line.startsWith("#"));
  return commands.length > 1 && commands.every(isCurl) ? commands : [text];
}

/** Matches up to a newline that is neither quoted nor escaped. An unclosed quote extends to the end of the text. */
const LINE = /(?:\$'(?:\\[\s\S]|[^'\\])*(?:'|$)|'[^']*(?:'|$)|"(?:\\[\s\S]|[^"\\])*(?:"|$)|\\[\s\S]|[^\n'"\\])+/g;

/** Names secrets in the document. */
export function withSecrets(names: readonly string[]): Edit {
  return {
    label: "Name the secrets",
    apply(plain: Plain, doc) {
      const known = Array.isArray(plain.secrets) ? (plain.secrets as unknown[]) : [];
      const next = [...known, ...names.filter((name) => !known.includes(name))];
      return setDocumentField(["secrets"], next).apply(plain, doc);
    },
  };
}
