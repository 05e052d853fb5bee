// import/nebulaflow: converts a NebulaFlow workflow in JSON (spec 2.2). Both formats have the fields that the spec
// marks †.
//   B1. A node's behaviour is preserved, or the import is rejected: an unknown kind of node is an error, an unknown
//       field is reported.
//   B2. A literal in a field with a secret-like name becomes a secret (`secrets:`), and its value is dropped.

import type { Failure } from "../../base/failure.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { isObject } from "../../base/tolerant.ts";
import { isSecretField } from "../credentials.ts";
import { readJson } from "../json-tree.ts";
import { dataOf, NODE_ID } from "../schema.ts";
import { titleFromId } from "../short-form.ts";
import { documentText, type Made } from "./document.ts";

type Fields = Record<string, unknown>;

/** NebulaFlow's names for Curlew's kinds. */
const KINDS: Record<string, string> = {
  "if-else": "if",
  condition: "if",
  "text-format": "text",
  input: "text",
  "loop-begin": "loop-start",
};

/** `name`: the file's name, for a workflow without one. Failure `import-nebulaflow`. */
export function workflowOfNebulaFlow(text: string, name: string): Result<Made, Failure> {
  const { plain, diagnostics } = readJson("nebulaflow.json", text.replace(/^\ufeff/, ""));
  const [wrong] = diagnostics;
  if (wrong !== undefined) return refused(wrong.message);
  const root = fieldsOf(plain);
  const drawn = fieldsOf(root.workflow).nodes === undefined ? root : fieldsOf(root.workflow);
  if (!Array.isArray(drawn.nodes)) return refused('it has no list "nodes"');
  const made: Making = { ids: new Map(), kinds: new Map(), secrets: new Set(), notes: [], layout: {} };
  const nodes: Fields[] = [];
  for (const [index, raw] of drawn.nodes.entries()) {
    const node = nodeOf(fieldsOf(raw), index, made);
    if (!node.ok) return node;
    nodes.push(node.value);
  }
  const edges = (Array.isArray(drawn.edges) ? drawn.edges : []).map((edge) => edgeOf(fieldsOf(edge), made));
  const title = typeof drawn.name === "string" && drawn.name !== "" ? drawn.name : name;
  const document = {
    curlew: 1,
    name: title,
    ...(made.secrets.size === 0 ? {} : { secrets: [...made.secrets] }),
    nodes,
    edges,
    ...(Object.keys(made.layout).length === 0 ? {} : { layout: made.layout }),
  };
  if (made.secrets.size > 0) made.notes.push(`Taken out of the workflow, as secrets: ${[...made.secrets].join(", ")}.`);
  return ok({ text: documentText(document), name: title, notes: made.notes });
}

interface Making {
  /** Curlew's ids by NebulaFlow's. */
  ids: Map<string, string>;
  /** Kinds by Curlew's ids. */
  kinds: Map<string, string>;
  secrets: Set<string>;
  notes: string[];
  layout: Record<string, [number, number]>;
}

function nodeOf(raw: Fields, index: number, made: Making): Result<Fields, Failure> {
  const id = idFor(String(raw.id ?? `node_${index + 1}`), made);
  const written = String(raw.type ?? "")
    .toLowerCase()
    .replace(/^nodetype\./, "")
    .replaceAll("_", "-");
  const type = KINDS[written] ?? written;
  if (!Object.hasOwn(dataOf, type))
    return refused(`node ${index + 1} is of a kind that Curlew does not know: ${JSON.stringify(raw.type ?? null)}`);
  const known = dataOf[type as keyof typeof dataOf].shape;
  const given = fieldsOf(raw.data);
  const data: Fields = { title: plainText(given.title) ?? plainText(given.label) ?? titleFromId(id) };
  const left: string[] = [];
  for (const [field, value] of Object.entries(given)) {
    if (field === "title" || field === "label" || value === null || value === undefined) continue;
    if (Object.hasOwn(known, field)) data[field] = value;
    else left.push(field);
  }
  if (left.length > 0) made.notes.push(`Node "${id}": left out ${left.sort().join(", ")}.`);
  if (type === "llm" && typeof data.model !== "string") {
    data.model = "ollama/choose-one";
    made.notes.push(`Node "${id}": choose a model.`);
  }
  made.kinds.set(id, type);
  liftSecrets(type, data, made);
  const { x, y } = fieldsOf(raw.position);
  if (typeof x === "number" && typeof y === "number") made.layout[id] = [Math.round(x), Math.round(y)];
  return ok({ id, type, data });
}

/** B2. */
function liftSecrets(type: string, data: Fields, { secrets }: Making): void {
  const lift = (name: string, value: unknown): string | undefined => {
    if (typeof value !== "string" || value === "" || value.includes("${") || !isSecretField(name)) return undefined;
    const secret = name
      .replaceAll(/([a-z])(?=[A-Z])/g, "$1_")
      .replaceAll(/[^A-Za-z0-9_]/g, "_")
      .toUpperCase();
    secrets.add(secret);
    return `\${${secret}}`;
  };
  if (type === "variable") {
    for (const field of ["initialValue", "content"]) {
      const lifted = lift(String(data.variableName ?? ""), data[field]);
      if (lifted === undefined) continue;
      data[field] = lifted;
      data.secret = true;
    }
  }
  const env = fieldsOf(data.env);
  const statics = fieldsOf(env.static);
  if (type !== "cli" || Object.keys(statics).length === 0) return;
  const named = Object.entries(statics).map(([name, value]) => [name, lift(name, value) ?? value]);
  data.env = { ...env, static: Object.fromEntries(named) };
}

function edgeOf(raw: Fields, { ids, kinds }: Making): Fields {
  const source = ids.get(String(raw.source)) ?? String(raw.source);
  const target = ids.get(String(raw.target)) ?? String(raw.target);
  const isBranch = kinds.get(source) === "if";
  const handle =
    isBranch && raw.sourceHandle !== undefined && raw.sourceHandle !== null
      ? { sourceHandle: String(raw.sourceHandle) }
      : {};
  return { source, target, ...handle };
}

/** NebulaFlow ids may be any text; Curlew's are names. */
function idFor(id: string, { ids, kinds }: Making): string {
  const plain = id
    .replaceAll(/[^A-Za-z0-9_-]+/g, "_")
    .replace(/^(?![A-Za-z_])/, "n_")
    .slice(0, 56);
  const wanted = NODE_ID.test(id) ? id : plain;
  let ours = wanted;
  for (let n = 2; kinds.has(ours); n++) ours = `${wanted}_${n}`;
  ids.set(id, ours);
  kinds.set(ours, "");
  return ours;
}

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

function plainText(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function refused(why: string): Result<never, Failure> {
  return err({ code: "import-nebulaflow", message: `This workflow cannot be imported: ${why}.` });
}
