// Shows what a run would do, node by node, as far as that is known in advance (spec 2.2, `--dry-run`). Runs nothing.
//   W1. A value is shown only if it comes from the user: an input, or a variable built from inputs. Secrets,
//       environment variables, and values known only during the run are shown by name.
//   W2. The preview is for reading only. In a run, values are passed as parameters and never become program text.

import { resolve } from "node:path";
import { oneLine } from "../../base/text.ts";
import { UNTRUSTED } from "../../engine/approvals.ts";
import { chooseInterpreter } from "../../kinds/cli/index.ts";
import { inputText } from "../../kinds/context.ts";
import { resolveReference } from "../../kinds/template.ts";
import { parseTemplate, type Reference } from "../../shell/template.ts";
import { programReference } from "../../workflow/dynamic-command.ts";
import { isFact } from "../../workflow/facts.ts";
import type { Graph, GraphNode } from "../../workflow/graph.ts";
import { loopNames } from "../../workflow/graph-loops.ts";
import type { SecretSources } from "../../workflow/graph-secrets.ts";
import { kindOf } from "../../workflow/kinds/index.ts";
import type { CliNode, WorkflowNode } from "../../workflow/model.ts";
import { isAdvanced, staticsOf } from "../../workflow/node-fields.ts";
import { inReadingOrder } from "../../workflow/reading-order.ts";
import { inputSpecs } from "../../workflow/triggers/index.ts";

export interface Step {
  id: string;
  type: string;
  title: string;
  /** Loops around it, outermost first. */
  loops: string[];
  /** The nodes that must finish first (`fetch`, `check:true`), including those it refers to. */
  after: string[];
  onFailure?: boolean;
  finally?: boolean;
  /** The program, text, condition, or prompt, with known values filled in. */
  command?: string;
  shell?: string;
  /** The language model. */
  model?: string;
  system?: string;
  cwd?: string;
  /** Names of the variables that the workflow exports. */
  env?: string[];
  stdin?: string;
  inputs?: Record<string, string>;
  approval?: "needed" | "given in advance";
  /** Why the command itself needs approval (4.2). Reasons known only during the run are missing. */
  asks?: { code: string; message: string }[];
  timeout?: string;
  /** The sandbox's restrictions. `egress`: the hosts the command may call. Both only if the document sets them. */
  sandbox?: string;
  egress?: string;
  /** How curl authenticates: `bearer (shop)`, `header X-API-Key`. Never a value. */
  auth?: string;
  /** For a subflow: nodes inside that need approval, at any depth, by path: `sub/gate`. */
  inside?: (Pick<Step, "title" | "approval" | "asks"> & { path: string; command: string })[];
}

export interface PreviewRequest {
  graph: Graph;
  /** Absolute path of the document. */
  folder: string;
  inputs: Readonly<Record<string, unknown>>;
  environment: Readonly<Record<string, string | undefined>>;
  approvedInAdvance: readonly string[];
  /** Where secret Variables get their values. These sources are hidden too. */
  secrets: SecretSources;
  /** By node: why its command needs approval. */
  asks: ReadonlyMap<string, NonNullable<Step["asks"]>>;
  /** Nodes of an imported document that have not been approved in this data directory. */
  unseen?: ReadonlySet<string>;
}

/** In the order of `curlew graph`. */
export function preview(request: PreviewRequest): Step[] {
  return inReadingOrder(request.graph).map(({ node }) => stepOf(node, request));
}

function stepOf(node: GraphNode, request: PreviewRequest): Step {
  const { graph } = request;
  const id = (index: number): string => graph.nodes[index]!.id;
  const parents = node.parents.map(({ source, handle }) =>
    handle === undefined ? id(source) : `${id(source)}:${handle}`,
  );
  const named = node.waits.map(id).filter((name) => !parents.includes(name));
  return {
    id: node.id,
    type: node.node.type,
    title: node.node.data.title,
    loops: node.loops.map(id),
    after: [...parents, ...named],
    ...(node.finally ? { [node.stage]: true } : {}),
    ...details(node, request),
  };
}

function details(node: GraphNode, request: PreviewRequest): Partial<Step> {
  const { node: drawn } = node;
  if (drawn.type === "cli") return { ...commandOf(drawn, node, request), ...approvalOf(drawn, request) };
  const fill = (text: string): string => filled(text, node, request, false);
  const value = (text: string): string => (request.secrets.nodes.has(node.index) ? "‹secret›" : fill(text));
  const shown = kindOf(drawn).show?.(drawn.data, { fill, value, line: oneLine, hasParents: node.parents.length > 0 });
  return { ...shown, ...approvalOf(drawn, request) };
}

function commandOf(drawn: CliNode, node: GraphNode, request: PreviewRequest): Partial<Step> {
  const { data } = drawn;
  const chosen = chooseInterpreter(drawn, request.environment);
  const isShell = !chosen.ok || "shell" in chosen.value;
  const parent = (index: number): string =>
    `value of ${request.graph.nodes[node.parents[index]?.source ?? -1]?.id ?? "a parent"}`;
  const stdin = {
    "parent-index": () => parent(data.stdin?.parentIndex ?? 0),
    "parents-all": () => node.parents.map((_each, index) => parent(index)).join(", "),
    node: () => `value of ${data.stdin?.node}`,
    literal: () => filled(data.stdin?.literal ?? "", node, request, false),
    none: () => undefined,
  }[data.stdin?.source ?? "none"]();
  const shell = chosen.ok ? ("shell" in chosen.value ? chosen.value.shell : chosen.value.interpreter) : data.shell;
  return {
    command: isShell ? filled(data.content, node, request, true) : data.content,
    shell,
    cwd: data.cwd === undefined ? request.folder : resolve(request.folder, filled(data.cwd, node, request, false)),
    env: Object.keys(data.env?.static ?? {}).sort(),
    stdin,
    timeout: data.timeout,
    sandbox: data.sandbox === "none" ? undefined : data.sandbox,
    ...egressOf(data.egress ?? request.graph.workflow.egress),
    ...authOf(data.auth, request.graph.workflow.auth),
  };
}

function egressOf(egress: CliNode["data"]["egress"]): Partial<Step> {
  if (egress === undefined || egress === "https") return {};
  return { egress: egress === "any" ? "any" : `only ${egress.allow.join(", ")}` };
}

function authOf(auth: CliNode["data"]["auth"], entries: Graph["workflow"]["auth"]): Partial<Step> {
  if (auth === undefined) return {};
  const entry = typeof auth === "string" ? entries?.[auth] : auth;
  const how = entry?.type === "header" ? `header ${entry.name}` : (entry?.type ?? "unknown");
  return { auth: typeof auth === "string" ? `${how} (${auth})` : how };
}

function approvalOf(drawn: WorkflowNode, request: PreviewRequest): Partial<Step> {
  const { id, data } = drawn;
  const asks = isAdvanced(drawn) ? [] : (request.asks.get(id) ?? []);
  if (request.unseen?.has(id)) return { approval: "needed", asks: [UNTRUSTED, ...asks] };
  if (isAdvanced(drawn)) return {};
  if (!("needsUserApproval" in data && data.needsUserApproval === true) && asks.length === 0) return {};
  const named = request.approvedInAdvance.includes("*") || request.approvedInAdvance.includes(id);
  // A program that comes from a value cannot be approved in advance.
  const given = named && programReference(drawn) === undefined;
  return { approval: given ? "given in advance" : "needed", asks: asks.length === 0 ? undefined : asks };
}

/** The text with known values filled in, and `‹…›` for the others. In a shell, `${other}` is left as it is. */
function filled(
  text: string,
  node: GraphNode,
  request: Omit<PreviewRequest, "asks">,
  shell: boolean,
  depth = 0,
): string {
  return parseTemplate(text)
    .map((part) => {
      if (part.kind === "text") return part.text;
      const known = meaning(part, node, request, shell, depth);
      if (known === undefined) return shell ? text.slice(part.start, part.end) : `‹${part.root}›`;
      if ("hidden" in known) return `‹${known.hidden}›`;
      const resolved = resolveReference(part, known.value);
      return resolved.ok ? resolved.value : `‹${part.root}›`;
    })
    .join("");
}

/** The text that a reference in the node stands for, if it is known before the run. */
export function knownText(
  reference: Reference,
  node: GraphNode,
  request: Omit<PreviewRequest, "asks">,
): string | undefined {
  const found = meaning(reference, node, request, true, 0);
  if (found === undefined || "hidden" in found || found.value.includes("‹")) return undefined;
  const resolved = resolveReference(reference, found.value);
  return resolved.ok ? resolved.value : undefined;
}

/** Variables may refer to other variables. Longer chains are shown by name. */
const DEPTH_MAX = 8;

/** Resolves a name in the order of spec 1.3. Undefined: the workflow does not define it. */
function meaning(
  { root, members }: Reference,
  node: GraphNode,
  request: Omit<PreviewRequest, "asks">,
  shell: boolean,
  depth: number,
): { value: string } | { hidden: string } | undefined {
  const { graph, inputs } = request;
  const { workflow } = graph;
  if (/^[0-9]/.test(root))
    return { hidden: `value of ${graph.nodes[node.parents[Number(root) - 1]?.source ?? -1]?.id ?? `parent ${root}`}` };
  const loop = node.loops.findLast((index) => loopNames(graph.nodes[index]!.node).includes(root));
  if (loop !== undefined) return { hidden: `${root} of ${graph.nodes[loop]!.id}` };
  const own = shell ? staticsOf(node.node)[root] : undefined;
  if (own !== undefined)
    return depth >= DEPTH_MAX ? { hidden: root } : { value: filled(own, node, request, false, depth + 1) };
  const variable = graph.nodes[graph.named.get(root) ?? -1];
  if (variable !== undefined) return variableMeaning(variable, root, request, depth);
  if (workflow.secrets.includes(root)) return { hidden: `secret ${root}` };
  if (request.secrets.inputs.has(root)) return { hidden: `secret ${root}` };
  if (Object.hasOwn(inputs, root)) return { value: inputText(inputs[root]) };
  if (Object.hasOwn(inputSpecs(workflow), root)) return { value: "" };
  if (isFact(root, members, node)) return { hidden: root };
  if (node.refers.get(root)?.byName === true) return { hidden: `value of ${root}` };
  return !shell && request.environment[root] !== undefined ? { hidden: `environment ${root}` } : undefined;
}

/** A Variable without incoming edges is known before the run. */
function variableMeaning(
  variable: GraphNode,
  name: string,
  request: Omit<PreviewRequest, "asks">,
  depth: number,
): { value: string } | { hidden: string } {
  const { node } = variable;
  if (request.secrets.nodes.has(variable.index)) return { hidden: `secret ${name}` };
  const isKnown = node.type === "variable" && variable.parents.length === 0 && variable.loops.length === 0;
  if (!isKnown || depth >= DEPTH_MAX) return { hidden: name };
  return { value: filled(node.data.content ?? node.data.initialValue ?? "", variable, request, false, depth + 1) };
}
