// parse: turns the text of a workflow file into the model (spec 1.1). It reads nothing but the text.
//   P1. It never throws.
//   P2. `workflow` is set only if there is no error here. `draft` is everything that could be read, so that validate.ts
//       can report all problems at once.
//   P3. The result has one spelling: long-form edges, `defaults` merged, absent lists and objects empty.

import { limits } from "../base/limits.ts";
import { mergeDefaults, readDefaults } from "./defaults.ts";
import type { Diagnostic } from "./diagnostic.ts";
import * as found from "./diagnostics/document.ts";
import { badNodeId, unknownNodeType } from "./diagnostics/node.ts";
import { type EdgeOrigin, readEdges } from "./edges.ts";
import { readJson } from "./json-tree.ts";
import type { InputSpec, NodeType, Workflow, WorkflowNode } from "./model.ts";
import { inputSpec } from "./schema/document.ts";
import { DOCUMENT_ORDER, dataOf, documentHead, NODE_ID } from "./schema.ts";
import { checkShape } from "./shape.ts";
import type { Path, SourceMap } from "./source-map.ts";
import { spelledOut } from "./spellings.ts";
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
  /** Same indexes as `workflow.edges`. */
  edgeOrigins: EdgeOrigin[];
  /** For each of `workflow.nodes`, its index in the file's list. */
  nodeIndexes: number[];
  /** Ids of nodes with an invalid shape: they exist, but nothing more is known. */
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
  if (plain === null || plain === undefined)
    return { diagnostics: [found.emptyDocument({ file, range: source.rangeAt(0, 0) })], source };
  if (typeof plain !== "object" || Array.isArray(plain))
    return { diagnostics: [found.notAMap(placeOf(source, []), found.kindOf(plain))], source };
  return readDocument(plain as Record<string, unknown>, source);
}

function readTree(text: string, file: string, tree: object | undefined): Tree {
  const bytes = text.length > limits.documentBytesMax / 4 ? new TextEncoder().encode(text).length : text.length;
  if (bytes > limits.documentBytesMax) {
    const { source } = readYaml(file, "");
    return { diagnostics: [found.documentTooLarge({ file, range: source.rangeAt(0, 0) }, bytes)], source };
  }
  return /\.json$/i.test(file) ? readJson(file, text) : readYaml(file, text, tree);
}

function readDocument(plain: Record<string, unknown>, source: SourceMap): ParsedWorkflow {
  const version = checkVersion(plain, source);
  if (version !== undefined) return { diagnostics: [version], source };

  const head = readHead(plain, source);
  const defaults = readDefaults(plain.defaults, source);
  const nodes = readNodes(plain.nodes, defaults.values, source);
  const edges = readEdges(plain.edges, source);
  const diagnostics = [...head.diagnostics, ...defaults.diagnostics, ...nodes.diagnostics, ...edges.diagnostics];
  if (edges.edges.length > limits.edgesMax) {
    diagnostics.push(found.tooManyEdges(placeOf(source, ["edges"], "key"), edges.edges.length));
    return { diagnostics, source };
  }

  const { $schema: _schema, defaults: _defaults, ...fields } = head.fields;
  const workflow: Workflow = {
    curlew: 1,
    name: nameFromFile(source.file),
    inputs: {},
    secrets: [],
    finally: [],
    ...(fields as Partial<Workflow>),
    nodes: nodes.nodes,
    edges: edges.edges,
  };
  const draft: Draft = {
    hasNoNodes: Array.isArray(plain.nodes) && plain.nodes.length === 0,
    edgesWhole: edges.diagnostics.length === 0,
    workflow,
    edgeOrigins: edges.origins,
    nodeIndexes: nodes.indexes,
    broken: nodes.broken,
  };
  return { ...(diagnostics.length === 0 ? { workflow } : {}), diagnostics, source, draft };
}

function checkVersion(plain: Record<string, unknown>, source: SourceMap): Diagnostic | undefined {
  const version = plain.curlew;
  if (version === 1) return undefined;
  if (version === undefined) return found.formatMissing({ file: source.file, range: source.rangeAt(0, 0) });
  const at = placeOf(source, ["curlew"]);
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
  const head: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(plain)) {
    if (key !== "curlew" && key !== "nodes" && key !== "edges") head[key] = value;
  }
  const diagnostics: Diagnostic[] = [];
  const fields: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(head)) {
    const known = (DOCUMENT_ORDER as readonly string[]).includes(key);
    if (!known && key.startsWith("x-")) continue;
    if (!known) {
      const at = placeOf(source, [key], "key");
      diagnostics.push(found.unknownField(at, key, "The document", DOCUMENT_ORDER));
      continue;
    }
    const shaped = checkShape(documentHead, { [key]: value }, [], "The document", source);
    diagnostics.push(...shaped.diagnostics);
    if (shaped.value !== undefined) fields[key] = (shaped.value as Record<string, unknown>)[key];
    else if (key === "inputs") fields[key] = standIns(value);
  }
  return { fields, diagnostics };
}

/** Invalid inputs become strings, so that references to them are not reported as well. */
function standIns(inputs: unknown): Record<string, InputSpec> {
  if (inputs === null || typeof inputs !== "object" || Array.isArray(inputs)) return {};
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
  diagnostics: Diagnostic[];
}

function readNodes(raw: unknown, defaults: Record<string, unknown>, source: SourceMap): Nodes {
  const result: Nodes = { nodes: [], indexes: [], broken: new Set(), diagnostics: [] };
  if (raw === undefined)
    result.diagnostics.push(
      found.missingField({ file: source.file, range: source.rangeAt(0, 0) }, "nodes", "The document"),
    );
  else if (!Array.isArray(raw))
    result.diagnostics.push(found.wrongType(placeOf(source, ["nodes"]), '"nodes"', "a list", raw));
  else if (raw.length > limits.nodesMax)
    result.diagnostics.push(found.tooManyNodes(placeOf(source, ["nodes"], "key"), raw.length));
  else for (const [index, item] of raw.entries()) readNode(item, index, defaults, source, result);
  return result;
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
  if (raw === null || typeof raw !== "object" || Array.isArray(raw)) {
    report(found.wrongType(placeOf(source, path), `Node ${index + 1}`, "a map with id, type and data", raw));
    return;
  }
  const node = raw as Record<string, unknown>;
  const before = result.diagnostics.length;
  const name = typeof node.id === "string" ? `Node "${node.id.slice(0, limits.idCharsMax)}"` : `Node ${index + 1}`;
  for (const key of Object.keys(node)) {
    if (!NODE_FIELDS.includes(key) && !key.startsWith("x-")) report(unknownNodeField(key, path, name, source));
  }
  const id = readId(node.id, path, name, source, report);
  const type = readType(node.type, path, name, source, report);
  const data = type === undefined ? undefined : readData(node.data, type, defaults, path, name, source, report);
  if (id === undefined) return;
  if (type !== undefined && data !== undefined && result.diagnostics.length === before) {
    const inherited = inheritedBy(node.data, defaults, data);
    result.nodes.push({ id, type, data, ...(inherited.length === 0 ? {} : { inherited }) } as unknown as WorkflowNode);
    result.indexes.push(index);
  } else result.broken.add(id);
}

/** A node's own `retry` changes what may be repeated (3.3), so an inherited one is marked. */
function inheritedBy(own: unknown, defaults: Record<string, unknown>, data: unknown): string[] {
  const says = (map: unknown): boolean => typeof map === "object" && map !== null && "retry" in map;
  return says(defaults) && says(data) && !says(own) ? ["retry"] : [];
}

const NODE_FIELDS = ["id", "type", "data"];

type Report = (...found: Diagnostic[]) => void;

/** The usual mistake is a field of `data` one level too high. */
function unknownNodeField(key: string, path: Path, name: string, source: SourceMap): Diagnostic {
  const at = placeOf(source, [...path, key], "key");
  const belongs = Object.values(dataOf).some((schema) => Object.hasOwn(schema.shape, key));
  const diagnostic = found.unknownField(at, key, name, NODE_FIELDS);
  return belongs
    ? {
        ...diagnostic,
        message: `${name} has no field "${key}"; it belongs under "data".`,
        help: `Indent it below "data:".`,
      }
    : diagnostic;
}

function readId(id: unknown, path: Path, name: string, source: SourceMap, report: Report): string | undefined {
  if (id === undefined) report(found.missingField(placeOf(source, path), "id", name));
  else if (typeof id !== "string") report(found.wrongType(placeOf(source, [...path, "id"]), '"id"', "text", id));
  else if (!NODE_ID.test(id)) report(badNodeId(placeOf(source, [...path, "id"]), id));
  else return id;
  return undefined;
}

function readType(type: unknown, path: Path, name: string, source: SourceMap, report: Report): NodeType | undefined {
  if (type === undefined) report(found.missingField(placeOf(source, path), "type", name));
  else if (typeof type !== "string")
    report(found.wrongType(placeOf(source, [...path, "type"]), '"type"', "text", type));
  else if (!Object.hasOwn(dataOf, type))
    report(unknownNodeType(placeOf(source, [...path, "type"]), type, Object.keys(dataOf)));
  else return type as NodeType;
  return undefined;
}

function readData(
  raw: unknown,
  type: NodeType,
  defaults: Record<string, unknown>,
  path: Path,
  name: string,
  source: SourceMap,
  report: Report,
): unknown {
  const at: Path = [...path, "data"];
  if (raw === undefined || raw === null) {
    report(found.missingField(placeOf(source, path), "data", name));
    return undefined;
  }
  if (typeof raw !== "object" || Array.isArray(raw)) {
    report(found.wrongType(placeOf(source, at), '"data"', "a map", raw));
    return undefined;
  }
  const merged = spelledOut(mergeDefaults(raw as Record<string, unknown>, defaults, type));
  const shaped = checkShape<unknown>(dataOf[type], merged, at, `${name} (${type})`, source);
  report(...shaped.diagnostics);
  return shaped.value;
}

function nameFromFile(file: string): string {
  const base = file.split(/[\\/]/).at(-1) ?? "";
  return base.replace(/\.flow\.(ya?ml|json)$|\.(ya?ml|json)$/i, "") || "workflow";
}

function placeOf(source: SourceMap, path: Path, what: "value" | "key" = "value") {
  return { file: source.file, range: source.range(path, what) };
}
