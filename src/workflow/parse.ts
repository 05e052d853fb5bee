// parse: turns the text of a workflow file into the model (spec 1.1). It reads nothing but the text.
//   P1. It never throws.
//   P2. `workflow` is set only if there is no error here. `draft` is everything that could be read, so that validate.ts
//       can report all problems at once.
//   P3. The result has one spelling: long nodes and edges, `defaults` merged, absent lists and objects empty.

import { limits } from "../base/limits.ts";
import { isObject } from "../base/tolerant.ts";
import { mergeDefaults, readDefaults } from "./defaults.ts";
import type { Diagnostic } from "./diagnostic.ts";
import * as found from "./diagnostics/document.ts";
import { badNodeId, besideData, contradictingKeys, missingType, unknownNodeType } from "./diagnostics/node.ts";
import { type EdgeOrigin, type Edges, readAfter, readEdges } from "./edges.ts";
import { readJson } from "./json-tree.ts";
import type { InputSpec, NodeType, Workflow, WorkflowNode } from "./model.ts";
import { inputSpec } from "./schema/document.ts";
import { DOCUMENT_ORDER, dataOf, documentHead, NODE_ID } from "./schema.ts";
import { checkShape } from "./shape.ts";
import {
  CONTENT_KEYS,
  contentKeyFor,
  contentKeyOf,
  contradiction,
  isShort,
  longForm,
  NODE_KEYS,
  titleFromId,
} from "./short-form.ts";
import type { Path, SourceMap } from "./source-map.ts";
import { authSpelledOut, spelledOut } from "./spellings.ts";
import { readYaml, type Tree } from "./yaml-tree.ts";

export interface ParsedWorkflow {
  /** Set only if there is no error. */
  workflow?: Workflow;
  diagnostics: Diagnostic[];
  source: SourceMap;
  /** The readable part, with what validate.ts needs to find positions. */
  draft?: Draft;
}

export interface Draft {
  workflow: Workflow;
  /** For each of `workflow.secrets`, its index in the file's list. */
  secretIndexes: number[];
  /** Same indexes as `workflow.edges`. */
  edgeOrigins: EdgeOrigin[];
  /** For each of `workflow.nodes`, its index in the file's list. */
  nodeIndexes: number[];
  /** Ids of nodes with an invalid shape, and the names that they give: they exist, but nothing more is known. */
  broken: ReadonlySet<string>;
  /** The list of nodes is present and empty, as opposed to unreadable. */
  hasNoNodes: boolean;
  /** Every edge could be read. */
  edgesWhole: boolean;
}

/**
 * `file` is only a name: its extension selects YAML or JSON (`.json`), and diagnostics show it. `tree` is the
 * `Document.Parsed` of this text without its byte order mark, if the caller has it. Its type is not named because the
 * package's types do not depend on the YAML library.
 */
export function parseWorkflow(text: string, file: string, tree?: object): ParsedWorkflow {
  const body = text.startsWith("\ufeff") ? text.slice(1) : text;
  const { plain, diagnostics, source } = readTree(body, file, tree);
  if (diagnostics.length > 0) return { diagnostics, source };
  if (plain === null || plain === undefined) return { diagnostics: [found.emptyDocument(source.at())], source };
  if (!isObject(plain)) return { diagnostics: [found.notAMap(source.at([]), found.kindOf(plain))], source };
  return readDocument(plain, source);
}

function readTree(text: string, file: string, tree: object | undefined): Tree {
  const bytes = text.length > limits.documentBytesMax / 4 ? new TextEncoder().encode(text).length : text.length;
  if (bytes > limits.documentBytesMax) {
    const { source } = readYaml(file, "");
    return { diagnostics: [found.documentTooLarge(source.at(), bytes)], source };
  }
  return /\.json$/i.test(file) ? readJson(file, text) : readYaml(file, text, tree);
}

function readDocument(plain: Record<string, unknown>, source: SourceMap): ParsedWorkflow {
  const version = checkVersion(plain, source);
  if (version !== undefined) return { diagnostics: [version], source };

  const head = readHead(plain, source);
  const defaults = readDefaults(plain.defaults, source);
  const nodes = readNodes(plain.nodes, defaults.values, source);
  const edges = joined([...nodes.after, readEdges(plain.edges, source)]);
  const diagnostics = [...head.diagnostics, ...defaults.diagnostics, ...nodes.diagnostics, ...edges.diagnostics];
  if (edges.edges.length > limits.edgesMax) {
    diagnostics.push(found.tooManyEdges(source.at(["edges"], "key"), edges.edges.length));
    return { diagnostics, source };
  }

  const { $schema: _schema, defaults: _defaults, ...fields } = head.fields;
  const secrets = secretsOf(fields.secrets as SecretEntry[] | undefined);
  const workflow: Workflow = {
    curlew: 1,
    name: nameFromFile(source.file),
    inputs: {},
    finally: [],
    ...(fields as Partial<Workflow>),
    secrets: secrets.flatMap(({ name, mask }) => (mask ? name : [])),
    unmasked: secrets.flatMap(({ name, mask }) => (mask ? [] : name)),
    nodes: nodes.nodes,
    edges: edges.edges,
  };
  const draft: Draft = {
    hasNoNodes: Array.isArray(plain.nodes) && plain.nodes.length === 0,
    edgesWhole: edges.diagnostics.length === 0,
    workflow,
    edgeOrigins: edges.origins,
    secretIndexes: secrets.flatMap(({ mask }, index) => (mask ? index : [])),
    nodeIndexes: nodes.indexes,
    broken: nodes.broken,
  };
  return { ...(diagnostics.length === 0 ? { workflow } : {}), diagnostics, source, draft };
}

function joined(all: readonly Edges[]): Edges {
  return {
    edges: all.flatMap(({ edges }) => edges),
    origins: all.flatMap(({ origins }) => origins),
    diagnostics: all.flatMap(({ diagnostics }) => diagnostics),
  };
}

type SecretEntry = string | { name: string; mask?: boolean };

function secretsOf(entries: SecretEntry[] = []): { name: string; mask: boolean }[] {
  return entries.map((entry) => (typeof entry === "string" ? { name: entry, mask: true } : { mask: true, ...entry }));
}

function checkVersion(plain: Record<string, unknown>, source: SourceMap): Diagnostic | undefined {
  const version = plain.curlew;
  if (version === 1) return undefined;
  if (version === undefined) return found.formatMissing(source.at());
  const at = source.at(["curlew"]);
  if (typeof version === "number" && Number.isInteger(version) && version > 1) return found.formatNewer(at, version);
  return found.formatUnknown(at, version);
}

/**
 * Every field except nodes and edges. Each is checked separately, so that one invalid field does not hide the others.
 */
function readHead(
  plain: Record<string, unknown>,
  source: SourceMap,
): { fields: Record<string, unknown>; diagnostics: Diagnostic[] } {
  const { curlew: _curlew, nodes: _nodes, edges: _edges, ...head } = plain;
  const diagnostics: Diagnostic[] = [];
  const fields: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(head)) {
    const known = (DOCUMENT_ORDER as readonly string[]).includes(key);
    if (!known && key.startsWith("x-")) continue;
    if (!known) {
      diagnostics.push(found.unknownField(source.at([key], "key"), key, "The document", DOCUMENT_ORDER));
      continue;
    }
    const spelled = key === "auth" && isObject(value) ? mapped(value, authSpelledOut) : value;
    const shaped = checkShape(documentHead, { [key]: spelled }, [], "The document", source);
    diagnostics.push(...shaped.diagnostics);
    if (shaped.value !== undefined) fields[key] = (shaped.value as Record<string, unknown>)[key];
    else if (key === "inputs") fields[key] = standIns(value);
    else if (key === "state" && isObject(value)) fields[key] = mapped(value, () => "");
  }
  return { fields, diagnostics };
}

function mapped(map: Record<string, unknown>, change: (value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value)]));
}

/** Invalid inputs become strings, so that references to them are not reported as well. */
function standIns(inputs: unknown): Record<string, InputSpec> {
  if (!isObject(inputs)) return {};
  return Object.fromEntries(
    Object.entries(inputs).map(([name, spec]) => {
      const read = inputSpec.safeParse(spec);
      return [name, read.success ? (read.data as InputSpec) : { type: "string" }];
    }),
  );
}

interface Nodes {
  nodes: WorkflowNode[];
  indexes: number[];
  broken: Set<string>;
  /** The edges into each node that has `after`. */
  after: Edges[];
  diagnostics: Diagnostic[];
}

function readNodes(raw: unknown, defaults: Record<string, unknown>, source: SourceMap): Nodes {
  const result: Nodes = { nodes: [], indexes: [], broken: new Set(), after: [], diagnostics: [] };
  if (raw === undefined) result.diagnostics.push(found.missingField(source.at(), "nodes", "The document"));
  else if (!Array.isArray(raw))
    result.diagnostics.push(found.wrongType(source.at(["nodes"]), '"nodes"', "a list", raw));
  else if (raw.length > limits.nodesMax)
    result.diagnostics.push(found.tooManyNodes(source.at(["nodes"], "key"), raw.length));
  else for (const [index, item] of raw.entries()) readNode(item, index, defaults, source, result);
  return result;
}

/** The node that is being read. */
interface Reading {
  path: Path;
  /** Its name in messages. */
  name: string;
  source: SourceMap;
  report(...found: Diagnostic[]): void;
}

function readNode(
  raw: unknown,
  index: number,
  defaults: Record<string, unknown>,
  source: SourceMap,
  result: Nodes,
): void {
  const path: Path = ["nodes", index];
  const report = (...found: Diagnostic[]) => void result.diagnostics.push(...found);
  if (!isObject(raw)) {
    const form = "an object with id and run, or id, type, and data";
    report(found.wrongType(source.at(path), `Node ${index + 1}`, form, raw));
    return;
  }
  const before = result.diagnostics.length;
  const name = typeof raw.id === "string" ? `Node "${raw.id.slice(0, limits.idCharsMax)}"` : `Node ${index + 1}`;
  const reading = { path, name, source, report };
  const id = readId(raw.id, reading);
  if (id !== undefined && Object.hasOwn(raw, "after")) result.after.push(readAfter(raw.after, index, id, source));
  const { type, data: own, short } = (isShort(raw) ? readShort : readLong)(raw, reading);
  const data = type === undefined ? undefined : readData(own, type, defaults, reading, short);
  if (id === undefined) return;
  if (type !== undefined && data !== undefined && result.diagnostics.length === before) {
    const inherited = inheritedBy(own, defaults, data);
    result.nodes.push({ id, type, data, ...(inherited.length === 0 ? {} : { inherited }) } as unknown as WorkflowNode);
    result.indexes.push(index);
  } else for (const name of [id, ...namesGiven(own)]) result.broken.add(name);
}

function namesGiven(data: unknown): string[] {
  const { variableName, loopVariable, as } = isObject(data) ? data : {};
  return [variableName, loopVariable, as].filter((name) => typeof name === "string");
}

/** A node in its long form, with the problems reported. */
interface ReadNode {
  type?: NodeType;
  data?: unknown;
  short?: Short;
}

interface Short {
  /** The key of its content, for messages. */
  called?: string;
  /** Its title if nothing else gives one. */
  title: string;
  /** The fields that its content key sets against a default. */
  under: Written;
}

type Written = Record<string, unknown>;

function readLong(written: Written, reading: Reading): ReadNode {
  const { path, name, source, report } = reading;
  for (const key of Object.keys(written)) {
    if (NODE_KEYS.includes(key) || key.startsWith("x-")) continue;
    const at = source.at([...path, key], "key");
    report(
      isField(key)
        ? besideData(at, key, name, Object.hasOwn(CONTENT_KEYS, key))
        : found.unknownField(at, key, name, NODE_KEYS),
    );
  }
  // Without a type, the key of the short form is the only mistake.
  if (written.type === undefined && contentKeyOf(written) !== undefined) return {};
  return { type: readType(written.type, reading), data: written.data };
}

/** Fields that no node of its type has are reported here, because the short form has more names for them. */
function readShort(written: Written, reading: Reading): ReadNode {
  const { path, name, source, report } = reading;
  const clash = contradiction(written);
  if (clash !== undefined) {
    const at = source.at([...path, clash.other], "key");
    report(contradictingKeys(at, name, clash.key, clash.other, clash.value));
    return {};
  }
  const { type: said, data } = longForm(written) as { type?: unknown; data: Written };
  const type = said === undefined ? undefined : readType(said, reading);
  if (type === undefined && said !== undefined) return {};
  const owner = type === undefined ? name : `${name} (${type})`;
  const keys = Object.keys(CONTENT_KEYS).filter((key) => type === undefined || CONTENT_KEYS[key] === type);
  const fields = type === undefined ? [] : Object.keys(dataOf[type].shape);
  const own = Object.keys(data).filter((key) => !key.startsWith("x-"));
  const unknown = own.filter((key) => (type === undefined ? !isField(key) : !fields.includes(key)));
  for (const key of unknown) {
    const at = source.at([...path, key], "key");
    report(found.unknownField(at, key, owner, ["id", "type", "after", ...keys, ...fields]));
  }
  if (type === undefined) {
    if (unknown.length === 0) report(missingType(source.at(path), name, keys, Object.keys(dataOf)));
    return {};
  }
  const known = Object.fromEntries(Object.entries(data).filter(([key]) => fields.includes(key)));
  const called = Object.hasOwn(written, "content") ? "content" : (contentKeyOf(written) ?? contentKeyFor(type));
  const title = typeof written.id === "string" ? titleFromId(written.id) : name;
  return { type, data: known, short: { called, title, under: called === "run" ? { mode: "command" } : {} } };
}

function isField(key: string): boolean {
  return Object.hasOwn(CONTENT_KEYS, key) || Object.values(dataOf).some(({ shape }) => Object.hasOwn(shape, key));
}

/** A node's own `retry` changes what may be repeated (3.3), so an inherited one is marked. */
function inheritedBy(own: unknown, defaults: Record<string, unknown>, data: unknown): string[] {
  const says = (map: unknown): boolean => isObject(map) && "retry" in map;
  return says(defaults) && says(data) && !says(own) ? ["retry"] : [];
}

function readId(id: unknown, { path, name, source, report }: Reading): string | undefined {
  if (id === undefined) report(found.missingField(source.at(path), "id", name));
  else if (typeof id !== "string") report(found.wrongType(source.at([...path, "id"]), '"id"', "a string", id));
  else if (!NODE_ID.test(id)) report(badNodeId(source.at([...path, "id"]), id));
  else return id;
  return undefined;
}

function readType(type: unknown, { path, name, source, report }: Reading): NodeType | undefined {
  if (type === undefined) report(found.missingField(source.at(path), "type", name));
  else if (typeof type !== "string") report(found.wrongType(source.at([...path, "type"]), '"type"', "a string", type));
  else if (!Object.hasOwn(dataOf, type))
    report(unknownNodeType(source.at([...path, "type"]), type, Object.keys(dataOf)));
  else return type as NodeType;
  return undefined;
}

function readData(
  raw: unknown,
  type: NodeType,
  defaults: Record<string, unknown>,
  { path, name, source, report }: Reading,
  short?: Short,
): unknown {
  const at: Path = [...path, "data"];
  if (!isObject(raw)) {
    const isMissing = raw === undefined || raw === null;
    report(
      isMissing
        ? found.missingField(source.at(path), "data", name)
        : found.wrongType(source.at(at), '"data"', "an object", raw),
    );
    return undefined;
  }
  const from = Object.hasOwn(defaults, "mode") ? { ...short?.under, ...raw } : raw;
  const merged = spelledOut(mergeDefaults(from, defaults, type));
  if (short !== undefined) merged.title ??= short.title;
  const shaped = checkShape<unknown>(dataOf[type], merged, at, `${name} (${type})`, source, short?.called);
  report(...shaped.diagnostics);
  return shaped.value;
}

function nameFromFile(file: string): string {
  const base = file.split(/[\\/]/).at(-1) ?? "";
  return base.replace(/\.flow\.(ya?ml|json)$|\.(ya?ml|json)$/i, "") || "workflow";
}
