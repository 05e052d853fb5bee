// yaml-tree: reads YAML into plain values, with limits (spec 1.1, 4.3 S11). The tree is kept for the source map;
// nothing here computes lines or columns.
//   Y1. Work is limited before it is done: the caller limits the size, nesting is limited while reading tokens, aliases
//       while expanding.
//   Y2. Keys are strings, and no key reaches a prototype: `__proto__` is rejected.
//   Y3. An object's own key overrides one from the merge key `<<`.

import {
  type Alias,
  Composer,
  CST,
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  Parser,
  type YAMLError,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { limits } from "../base/limits.ts";
import { isObject } from "../base/tolerant.ts";
import type { Diagnostic } from "./diagnostic.ts";
import * as found from "./diagnostics/document.ts";
import { yamlProblem } from "./diagnostics/yaml.ts";
import { type Anchors, keyText, type SourceMap, sourceMap } from "./source-map.ts";

export interface Tree {
  /** Absent if the text could not be read. */
  plain?: unknown;
  diagnostics: Diagnostic[];
  source: SourceMap;
}

/** `composed`: the `Document.Parsed` of this text, read with COMPOSE and without errors, if the caller has it. */
export function readYaml(file: string, text: string, composed?: object): Tree {
  const tree = composed as Document.Parsed | undefined;
  if (tree !== undefined) return plainTree(file, text, tree);
  const tokens = tokensOf(text);
  if (typeof tokens === "number") return nestedTooDeeply(file, text, tokens);
  const [document, second] = firstTwo(new Composer(COMPOSE).compose(tokens, true, text.length));
  if (document === undefined) return unread(file, text, (source) => found.emptyDocument(place(source, 0, 0)));
  const problem = document.errors[0];
  if (problem !== undefined) return unread(file, text, (source) => syntax(problem, source));
  if (second !== undefined) {
    const at = second.range[0] ?? 0;
    const dashes = text.lastIndexOf("---", at);
    return unread(file, text, (source) =>
      found.multipleDocuments(place(source, dashes < 0 ? at : dashes, (dashes < 0 ? at : dashes) + 3)),
    );
  }
  return plainTree(file, text, document);
}

/** The anchors of YAML or JSON text, for positions only. Problems are ignored. */
export function anchorsOf(text: string): Anchors {
  const [document] = firstTwo(new Composer(COMPOSE).compose(new Parser().parse(text), true, text.length));
  return document ? anchorsOfDocument(document) : { root: null, resolve: () => undefined };
}

export const COMPOSE = {
  keepSourceTokens: false,
  prettyErrors: false,
  uniqueKeys: false,
  merge: false,
  logLevel: "silent",
} as const;

/** The parser recurses when it closes open collections, so it is stopped well before the stack is deep: at an offset. */
function tokensOf(text: string): CST.Token[] | number {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    // There is at most one other token between a collection and the one inside it.
    if (parser.stack.length > PARSER_STACK_MAX) return deepestStart(parser.stack);
  }
  return [...tokens, ...parser.end()];
}

const PARSER_STACK_MAX = 2 * limits.nestingMax + 4;

/** Where the first collection that is nested too deeply starts. */
function deepestStart(stack: readonly CST.Token[]): number {
  const collections = stack.filter((token) => CST.isCollection(token));
  return (collections[limits.nestingMax] ?? stack.at(-1))?.offset ?? 0;
}

/** A second document is an error, so anything after it is not composed. */
function firstTwo(documents: Iterable<Document.Parsed | Document>): [Document.Parsed?, Document.Parsed?] {
  const two: Document.Parsed[] = [];
  for (const document of documents) {
    two.push(document as Document.Parsed);
    if (two.length === 2) break;
  }
  return two as [Document.Parsed?, Document.Parsed?];
}

function plainTree(file: string, text: string, document: Document.Parsed): Tree {
  const tooDeep = depthExceededAt(document.contents, 0);
  if (tooDeep !== undefined) return nestedTooDeeply(file, text, tooDeep);
  const anchors = anchorsOfDocument(document);
  const source = sourceMap(file, text, () => anchors);
  const diagnostics: Diagnostic[] = [];
  for (const tag of document.warnings) diagnostics.push(syntax(tag, source));
  const reader = plainReader(anchors, (make, node) => {
    if (diagnostics.length >= limits.shapeFindingsMax) return;
    const range = node?.range ?? [0, 0, 0];
    diagnostics.push(make(place(source, range[0], range[1])));
  });
  const plain = reader(document.contents);
  return { ...(diagnostics.length === 0 ? { plain } : {}), diagnostics, source };
}

type Report = (
  make: (at: { file: string; range: SourceMap["range"] extends (...a: never[]) => infer R ? R : never }) => Diagnostic,
  node: Node | null,
) => void;

/** Aliases share the value of their anchor, but the cost of expanding them is counted. */
function plainReader(anchors: Anchors, report: Report): (node: Node | null) => unknown {
  let aliases = 0;
  let expanded = 0;
  const done = new Map<Node, { value: unknown; aliases: number; nodes: number }>();
  const open = new Set<Node>();
  let over = false;

  const stop = (node: Node) => {
    if (!over) report(found.tooManyAliases, node);
    over = true;
    return null;
  };
  const alias = (node: Alias): unknown => {
    const target = anchors.resolve(node);
    if (target === undefined) {
      report((at) => found.unknownAlias(at, node.source), node);
      return null;
    }
    if (over || open.has(target)) return stop(node);
    const known = done.get(target);
    aliases += 1 + (known?.aliases ?? 0);
    expanded += known?.nodes ?? 1;
    if (aliases > limits.aliasesMax || expanded > limits.expandedNodesMax) return stop(node);
    return known ? known.value : read(target);
  };
  const read = (node: Node | null): unknown => {
    if (node === null || over) return null;
    if (isAlias(node)) return alias(node);
    if (isScalar(node)) return scalar(node.value, node);
    const before = { aliases, expanded };
    open.add(node);
    const value = isMap(node) ? map(node) : isSeq(node) ? list(node) : null;
    open.delete(node);
    if (node.anchor) done.set(node, { value, aliases: aliases - before.aliases, nodes: expanded - before.expanded });
    return value;
  };
  const scalar = (value: unknown, node: Node): unknown => {
    expanded++;
    if (node.anchor) done.set(node, { value, aliases: 0, nodes: 1 });
    if (typeof value === "string" && isUnwritable(value)) report((at) => found.badCharacter(at, value), node);
    return typeof value === "bigint" ? Number(value) : value;
  };
  const list = (node: YAMLSeq): unknown[] => node.items.map((item) => read(item as Node | null));
  const map = (node: YAMLMap): Record<string, unknown> => {
    const own: Record<string, unknown> = {};
    const bases: unknown[] = [];
    for (const pair of node.items) {
      const key = keyText(pair);
      const value = read(pair.value as Node | null);
      if (key === undefined) report(found.badKey, pair.key as Node);
      else if (key === "<<") bases.push(...mergeBases(value, pair.value as Node));
      else if (isUnwritable(key)) report((at) => found.badCharacter(at, key), pair.key as Node);
      else if (FORBIDDEN.has(key)) report((at) => found.forbiddenKey(at, key), pair.key as Node);
      else if (Object.hasOwn(own, key)) report((at) => found.duplicateKey(at, key), pair.key as Node);
      else own[key] = value;
    }
    return bases.length === 0 ? own : Object.assign({}, ...bases.reverse(), own);
  };
  const mergeBases = (value: unknown, node: Node): unknown[] => {
    const bases = Array.isArray(value) ? value : [value];
    if (bases.every(isObject)) return bases;
    report(found.badMerge, node);
    return [];
  };
  return read;
}

/** Names with a meaning for every JavaScript object. */
export const FORBIDDEN: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** NUL, which no command or file name can contain, and lone surrogates, which UTF-8 cannot encode. */
export function isUnwritable(text: string): boolean {
  return text.includes("\0") || !text.isWellFormed();
}

function anchorsOfDocument(document: Document.Parsed): Anchors {
  let targets: ReadonlyMap<Alias, Node> | undefined;
  return {
    root: document.contents,
    resolve(alias) {
      targets ??= targetsOf(document.contents);
      return targets.get(alias);
    },
  };
}

/** The target of each alias: the last anchor of its name before it. Found in one walk in text order. */
function targetsOf(root: Node | null): ReadonlyMap<Alias, Node> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  const walk = (node: unknown): void => {
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target !== undefined) targets.set(node, target);
    } else if (isPair(node)) {
      walk(node.key);
      walk(node.value);
    } else if (isNode(node)) {
      if (node.anchor) anchors.set(node.anchor, node);
      if (isMap(node) || isSeq(node)) for (const item of node.items) walk(item);
    }
  };
  walk(root);
  return targets;
}

/** The offset of the first collection that is nested too deeply. Looks no deeper than the limit. */
function depthExceededAt(node: unknown, depth: number): number | undefined {
  if (isPair(node)) return depthExceededAt(node.key, depth) ?? depthExceededAt(node.value, depth);
  if (!isMap(node) && !isSeq(node)) return undefined;
  if (depth >= limits.nestingMax) return node.range?.[0] ?? 0;
  for (const item of node.items) {
    const offset = depthExceededAt(item, depth + 1);
    if (offset !== undefined) return offset;
  }
  return undefined;
}

function nestedTooDeeply(file: string, text: string, offset: number): Tree {
  return unread(file, text, (source) => found.nestedTooDeeply(place(source, offset, offset + 1)));
}

function syntax(problem: YAMLError, source: SourceMap): Diagnostic {
  const { text } = source;
  // The parser reports where it stopped; the unclosed character is before that.
  const start = openerOf(problem, text) ?? problem.pos[0];
  return yamlProblem(place(source, start, Math.max(problem.pos[1], start)), problem.code, problem.message, text, start);
}

function openerOf({ code, message, pos }: YAMLError, text: string): number | undefined {
  if (code === "MISSING_CHAR") {
    const quote = /closing (['"])/.exec(message)?.[1];
    return quote === undefined ? undefined : Math.max(0, text.lastIndexOf(quote, pos[0]));
  }
  if (code !== "BAD_INDENT" || !/^Flow .* end with a [\]}]/.test(message)) return undefined;
  let closed = 0;
  for (let at = Math.min(pos[0], text.length) - 1; at >= 0; at--) {
    if (text[at] === "]" || text[at] === "}") closed += 1;
    else if ((text[at] === "[" || text[at] === "{") && closed-- === 0) return at;
  }
  return undefined;
}

function unread(file: string, text: string, find: (source: SourceMap) => Diagnostic): Tree {
  const source = sourceMap(file, text, () => ({ root: null, resolve: () => undefined }));
  return { diagnostics: [find(source)], source };
}

function place(source: SourceMap, start: number, end: number) {
  const at = Math.min(start, source.text.length);
  const lineEnd = source.text.indexOf("\n", at);
  const bounded = Math.min(
    Math.max(end, at),
    source.text.length,
    lineEnd < 0 ? Number.POSITIVE_INFINITY : Math.max(lineEnd, at),
  );
  return { file: source.file, range: source.rangeAt(at, bounded) };
}
