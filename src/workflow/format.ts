// format: the canonical form of a workflow file (spec 2.7). The meaning never changes, and comments stay.
//   F1. Formatting twice gives the same text as formatting once.
//   F2. The model stays the same. If a rewrite would change it, the original order of fields is kept, and if needed the
//       original text.
//   F3. The author's form of each node stays, unless one is asked for (convert.ts).
//   F4. Folded text (`>-`) keeps its line breaks. Multi-line strings become blocks.
// Not changed: edges and the order of fields in `data`, which are the author's choice.

import {
  type CST,
  type Document,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  Scalar,
  visit,
  type YAMLMap,
} from "yaml";
import { err, ok, type Result } from "../base/result.ts";
import { convertNodes, type NodeForm } from "./convert.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { type Draft, type ParsedWorkflow, parseWorkflow } from "./parse.ts";
import { DOCUMENT_ORDER } from "./schema.ts";
import { keyText } from "./source-map.ts";
import { printYaml, styleLines } from "./yaml-style.ts";

/**
 * The formatted text, or the errors of a workflow that is left as it is. The extension of `file` selects YAML or JSON.
 */
export function formatWorkflow(text: string, file: string, form?: NodeForm): Result<string, Diagnostic[]> {
  const parsed = parseWorkflow(text, file);
  if (parsed.workflow === undefined) return err(parsed.diagnostics);
  if (/\.json$/i.test(file)) return ok(formatJson(file, parsed, form));
  const before = meaning(parsed);
  for (const reorder of [true, false]) {
    const formatted = formatUntilStable(parsed.source.text, reorder, form && { form, draft: parsed.draft! });
    if (formatted !== undefined && meaning(parseWorkflow(formatted, file)) === before) return ok(formatted);
  }
  return ok(parsed.source.text);
}

/** Formats until nothing changes: blank lines and comments may need a second pass. */
function formatUntilStable(text: string, reorder: boolean, conversion?: Conversion): string | undefined {
  let last = text;
  for (let round = 0; round < 4; round++) {
    const next = formatYaml(last, reorder, round === 0 ? conversion : undefined);
    if (round === 0 && conversion !== undefined && next !== undefined) {
      last = next;
      continue;
    }
    if (next === undefined || next === last) return next;
    last = next;
  }
  return undefined;
}

interface Conversion {
  form: NodeForm;
  draft: Draft;
}

/** The order of edges into different nodes means nothing. */
function meaning({ workflow }: ParsedWorkflow): string | undefined {
  if (workflow === undefined) return undefined;
  const edges = workflow.edges.toSorted((a, b) => (a.target < b.target ? -1 : a.target > b.target ? 1 : 0));
  return JSON.stringify({ ...workflow, edges });
}

/** A text that would change its meaning is kept: a number with more digits than JavaScript has. */
function formatJson(file: string, parsed: ParsedWorkflow, form: NodeForm | undefined): string {
  const keeps = (next: string) => meaning(parseWorkflow(next, file)) === meaning(parsed);
  const printed = (plain: unknown) => `${JSON.stringify(orderedPlain(plain as Record<string, unknown>), null, 2)}\n`;
  const text = printed(JSON.parse(parsed.source.text));
  if (!keeps(text)) return parsed.source.text;
  if (form === undefined) return text;
  const tree = parseDocument(text, { uniqueKeys: false, logLevel: "silent" });
  convertNodes(tree, form, parseWorkflow(text, file).draft!);
  const converted = printed(tree.toJS());
  return keeps(converted) ? converted : text;
}

function orderedPlain(document: Record<string, unknown>): Record<string, unknown> {
  const nodes = Array.isArray(document.nodes)
    ? document.nodes
        .map((node) => inOrder(Object.entries(node as object), ([key]) => key, NODE_ORDER))
        .map((entries) => Object.fromEntries(entries))
    : document.nodes;
  const entries = inOrder(Object.entries(document), ([key]) => key, DOCUMENT_ORDER);
  return Object.fromEntries(entries.map(([key, value]) => [key, key === "nodes" ? nodes : value]));
}

const NODE_ORDER = ["id", "type", "data"] as const;
const WIDTH = 120;

function formatYaml(text: string, reorder: boolean, conversion?: Conversion): string | undefined {
  const document = parseDocument(text.replaceAll("\r\n", "\n"), {
    keepSourceTokens: true,
    prettyErrors: false,
    uniqueKeys: false,
    logLevel: "silent",
  });
  if (document.errors.length > 0 || !isMap(document.contents)) return undefined;
  const folded: string[] = [];
  visit(document, {
    Scalar: (key, scalar, path) =>
      void (key === "key"
        ? undefined
        : styleScalar(
            scalar,
            folded,
            path.some((above) => isFlow(above)),
          )),
  });
  keepHeader(document, document.contents);
  if (conversion !== undefined) convertNodes(document, conversion.form, conversion.draft);
  if (reorder) reorderDocument(document.contents);
  openLongFlows(document.contents, 0);
  try {
    return unfold(printYaml(document), folded);
  } catch {
    // In this order an alias would come before its anchor.
    return undefined;
  }
}

/** The first paragraph of comments belongs to the file, not to the field that happens to be first. */
function keepHeader(document: Document, contents: YAMLMap): void {
  const holder =
    contents.commentBefore === undefined || contents.commentBefore === null
      ? (contents.items[0]?.key as Node | undefined)
      : contents;
  const [first, ...rest] = (holder?.commentBefore ?? "").split(/\n\n+/);
  if (holder === undefined || document.commentBefore || rest.length === 0 || !first) return;
  document.commentBefore = first;
  holder.commentBefore = rest.join("\n\n");
}

function isFlow(node: unknown): boolean {
  return (isMap(node) || isSeq(node)) && node.flow === true;
}

function styleScalar(scalar: Scalar, folded: string[], inFlow: boolean): void {
  if (typeof scalar.value !== "string" || inFlow) return;
  if (scalar.type === Scalar.BLOCK_FOLDED) keepFolds(scalar, folded);
  else styleLines(scalar);
}

const mark = (index: number) => `@@folded-${index}@@`;

/** Turns folded text into a marked literal block to keep its lines; `unfold` restores the `>` at the end. */
function keepFolds(scalar: Scalar, folded: string[]): void {
  const token = scalar.srcToken;
  if (token?.type !== "block-scalar") return;
  const header = headerOf(token);
  if (/\d/.test(header)) return;
  const lines = token.source.replace(/\n*$/, "").split("\n");
  const indent = Math.min(
    ...lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length),
  );
  const body = lines.map((line) => line.slice(indent).trimEnd());
  if (!Number.isFinite(indent) || /^\s/.test(body[0] ?? "") || body.some((line) => line.startsWith("\t"))) return;
  const end = header.includes("-") ? "" : header.includes("+") ? (/\n*$/.exec(token.source)?.[0] ?? "\n") : "\n";
  scalar.type = Scalar.BLOCK_LITERAL;
  scalar.value = `${mark(folded.length)}\n${body.join("\n")}${end}`;
  folded.push(header);
}

/** `>`, `>-`, `>+2`. */
function headerOf(token: CST.BlockScalar): string {
  const header = token.props.find((prop) => prop.type === "block-scalar-header");
  return header !== undefined && "source" in header ? header.source : ">";
}

function unfold(text: string, folded: readonly string[]): string {
  return folded.reduce(
    (result, _, index) => result.replace(new RegExp(`\\|([+-]?)([^\\n]*)\\n *${mark(index)}\\n`), ">$1$2\n"),
    text,
  );
}

function reorderDocument(contents: YAMLMap): void {
  contents.items = inOrder(contents.items, (pair) => keyText(pair) ?? "", DOCUMENT_ORDER);
  const nodes = contents.get("nodes");
  if (!isSeq(nodes)) return;
  for (const node of nodes.items) {
    if (!isMap(node)) continue;
    node.items = inOrder(node.items, (pair) => keyText(pair) ?? "", NODE_ORDER);
    const data = node.get("data");
    if (isMap(data)) data.items = inOrder(data.items, (pair) => keyText(pair) ?? "", ["title"]);
  }
}

/**
 * Sorts known keys into their order. Custom keys (`x-…`) go before `nodes` in a workflow, because they often contain
 * anchors, and last elsewhere.
 */
function inOrder<T>(items: readonly T[], key: (item: T) => string, order: readonly string[]): T[] {
  const unknownRank = order === DOCUMENT_ORDER ? order.indexOf("defaults") - 0.5 : order.length;
  const rank = (item: T) => {
    const index = order.indexOf(key(item));
    return index < 0 ? unknownRank : index;
  };
  return [...items].sort((a, b) => rank(a) - rank(b));
}

/** Writes a flow map or list that does not fit on one line as a block. */
function openLongFlows(node: unknown, depth: number): void {
  if (!isMap(node) && !isSeq(node)) return;
  if (node.flow === true) {
    if (flowWidth(node) + depth * 2 <= WIDTH) return;
    node.flow = false;
    // Behind the braces, it would go below the last field.
    if (node.comment) node.commentBefore = [node.comment, node.commentBefore].filter(Boolean).join("\n");
    node.comment = undefined;
  }
  for (const item of node.items as unknown[]) {
    const value = isMap(node) ? (item as Pair).value : item;
    openLongFlows(value, depth + 1);
  }
}

/** Approximate width of a collection on one line. */
function flowWidth(node: unknown): number {
  if (isScalar(node))
    return String(node.source ?? node.value).length + (node.type === undefined || node.type === Scalar.PLAIN ? 0 : 2);
  if (isMap(node)) return node.items.reduce((sum, pair) => sum + flowWidth(pair.key) + flowWidth(pair.value) + 4, 2);
  if (isSeq(node)) return node.items.reduce((sum: number, item) => sum + flowWidth(item) + 2, 0);
  return 8;
}
