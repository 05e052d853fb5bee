// check/safety: reports problems of commands before they run: need for approval, calls that are not https, common
// misuse of curl, and exposed secrets (spec 4.1 "Warned", 4.2). The rules are in safety/.
//   S1. Only scripts for bash, sh or zsh are checked.

import { posixDialect } from "../../shell/dialect.ts";
import type { PlainUse, Script, Source } from "../../shell/safety/index.ts";
import {
  allowsPlain,
  foreignStdinReader,
  hostsIn,
  inspect,
  isInspected,
  isLoopbackUrl,
  readCommand,
  requestsOf,
  STDIN_WORDS,
  type StdinReader,
  schemeOf,
  stdinReader,
} from "../../shell/safety/index.ts";
import type { Known } from "../../shell/template.ts";
import { referencesOf } from "../../shell/template.ts";
import { ownHosts } from "../auth-hosts.ts";
import { authSeveralHosts, stdinMissing } from "../diagnostics/mistakes.ts";
import * as diagnostics from "../diagnostics/safety.ts";
import type { Graph, GraphNode } from "../graph.ts";
import { kindOf } from "../kinds/index.ts";
import { literalValues, parentNames } from "../literal-values.ts";
import type { CliNode, Workflow } from "../model.ts";
import { factsOfCommand } from "../script-names.ts";
import type { Path } from "../source-map.ts";
import type { Check } from "./context.ts";
import { curlFindings, lostFailures } from "./lints/curl.ts";
import { type Finding, finding, hiddenFindings } from "./lints/finding.ts";
import { secretFindings } from "./lints/secrets.ts";
import { shellFindings } from "./lints/shell.ts";
import { isKnown, loopScope, type Names } from "./names.ts";

export async function checkSafety(check: Check, names: Names): Promise<void> {
  const sourceOf = literalValues(check.graph);
  const sent = new Map<string, Set<string>>();
  for (const node of check.graph.nodes) {
    if (node.node.type !== "cli") continue;
    if (!isInspected(node.node.data)) {
      checkForeignStdin(node, node.node, check);
      continue;
    }
    const script = await checkCommand(node, node.node, sourceOf(node), check, names);
    const { auth } = node.node.data;
    if (auth === undefined || script === undefined) continue;
    if (typeof auth !== "string") {
      checkHosts(auth, hostsIn(script), [...check.nodePath(node.index), "data", "auth"], check);
      continue;
    }
    const hosts = sent.get(auth) ?? new Set();
    sent.set(auth, hosts);
    for (const host of hostsIn(script)) hosts.add(host);
  }
  for (const [name, hosts] of sent) {
    const entry = Object.hasOwn(check.workflow.auth ?? {}, name) ? check.workflow.auth![name]! : undefined;
    if (entry !== undefined) checkHosts(entry, [...hosts], ["auth", name], check);
  }
}

function checkForeignStdin(node: GraphNode, drawn: CliNode, check: Check): void {
  const { data } = drawn;
  if (data.mode !== "script" || !isUnfed(node, drawn)) return;
  const found = stdinFindings(
    foreignStdinReader(data.content),
    Object.values(data.env?.static ?? {}),
    node,
    drawn,
    check.graph,
  );
  report(found, node, drawn, check);
}

/** A node with parents, none of which feeds its standard input. */
function isUnfed({ parents }: GraphNode, { data }: CliNode): boolean {
  return parents.length > 0 && (data.stdin ?? { source: "none" }).source === "none";
}

/** A credential that would reach several hosts has to name them (spec 8.4). */
function checkHosts(entry: Record<string, string>, hosts: readonly string[], path: Path, check: Check): void {
  const others = hosts.filter((host) => !ownHosts(entry).includes(host));
  if (others.length > 1 && entry.hosts === undefined && entry.type !== "netrc")
    check.report(authSeveralHosts(check.at(path, "key"), others));
}

async function checkCommand(
  node: GraphNode,
  drawn: CliNode,
  source: Source,
  check: Check,
  names: Names,
): Promise<Script | undefined> {
  const { data } = drawn;
  report(hiddenFindings(data.content), node, drawn, check);
  const scope = new Set([...loopScope(node, check), ...Object.keys(data.env?.static ?? {})]);
  const isFactHere = factsOfCommand(drawn, node);
  const known: Known = (root, members) => isKnown(root, node, scope, names) || isFactHere(root, members);
  const unfed = isUnfed(node, drawn);
  const always = data.content.includes("$") || (unfed && STDIN_WORDS.test(data.content));
  const reading = await readCommand(data.content, known, always);
  if (reading === undefined) return undefined;
  const { asks, plain, script } = inspect(reading, source, drawn.data);
  const [first] = data.safetyLevel === "advanced" || data.needsUserApproval === true ? [] : asks;
  const reasons = asks.map(({ message }) => message);
  const asked = first === undefined ? [] : [finding(first, (at) => diagnostics.asksApproval(at, reasons))];
  const statics = Object.values(data.env?.static ?? {});
  const findings = [
    ...asked,
    ...plain.flatMap((use) => plainFinding(use, drawn, check.workflow)),
    ...lintsOf(script, node, drawn, source, check.workflow),
    ...(unfed
      ? stdinFindings(stdinReader(script, data.mode === "script"), [data.content, ...statics], node, drawn, check.graph)
      : []),
  ];
  report(findings, node, drawn, check);
  for (const url of script.calls.flatMap((call) => requestsOf(call).flatMap(({ urls }) => urls)))
    checkDefault(url.pieces[0]?.value?.name ?? "", drawn, check);
  return script;
}

function lintsOf(script: Script, node: GraphNode, { data }: CliNode, source: Source, workflow: Workflow): Finding[] {
  const statics = Object.entries(data.env?.static ?? {});
  const filled = statics.filter(([, text]) => referencesOf(text).length > 0).map(([name]) => name);
  const hasSecrets =
    referencesOf(data.content).some((reference) => source.meaningOf(reference).secret !== undefined) ||
    filled.some((name) => source.exported(name)?.secret !== undefined);
  const exported = new Set([...filled.filter((name) => !isNumber(data.env!.static![name]!)), ...parentNames(node)]);
  return [
    ...curlFindings(script, {
      decidesOnHttpErrors: data.httpErrors === "fail" || data.httpErrors === "ignore",
      hasTimeLimit: data.timeout !== undefined || data.idleTimeout !== undefined || workflow.timeout !== undefined,
    }),
    ...(data.flags?.exitOnError === true ? [] : lostFailures(script, data.content)),
    ...secretFindings(script, data.content, hasSecrets, new Set(statics.map(([name]) => name))),
    ...shellFindings(script.reading, posixDialect(data) ?? "bash", exported),
  ];
}

/** A command that reads standard input, in a node with parents that feeds it nothing and names no value (spec 8.4). */
function stdinFindings(
  reader: StdinReader | undefined,
  texts: readonly string[],
  node: GraphNode,
  { data }: CliNode,
  graph: Graph,
): Finding[] {
  if (reader === undefined) return [];
  const { inputs, secrets } = graph.workflow;
  const isValue = (root: string) => !Object.hasOwn(inputs, root) && !secrets.includes(root);
  const namesValue =
    data.env?.exposeParents === true || texts.some((text) => referencesOf(text).some(({ root }) => isValue(root)));
  if (namesValue && !reader.certain) return [];
  const source = feederOf(node, graph);
  const edge = source === undefined ? undefined : { source: source.id, target: node.id };
  return [finding(reader.at, (at) => stdinMissing(at, reader.name, edge, reader.certain))];
}

/** The nearest node before this one whose value is data: not the answer of an IF, and not a node that failed. */
function feederOf(node: GraphNode, graph: Graph): GraphNode | undefined {
  const open = [node];
  const collections: GraphNode[] = [];
  const seen = new Set(open);
  for (const at of open)
    for (const { source, handle } of at.parents) {
      const from = graph.nodes[source]!;
      if (handle === "error" || seen.has(from)) continue;
      seen.add(from);
      const { effect } = kindOf(from.node);
      if (effect === "branch") open.push(from);
      else if (effect === "collects") collections.push(from);
      else return from;
    }
  return collections[0];
}

function report(findings: readonly Finding[], node: GraphNode, { data }: CliNode, check: Check): void {
  const path: Path = [...check.nodePath(node.index), "data", "content"];
  for (const found of findings)
    check.report(found.tell(check.inside(path, data.content, found.start, Math.max(found.end, found.start + 1))));
}

function plainFinding(use: PlainUse, node: CliNode, workflow: Workflow): Finding[] {
  const { kind, seen, at, loopback } = use;
  if (loopback) return [];
  if (!allowsPlain(node.data, workflow)) return [finding(at, (place) => diagnostics.plainRefused(place, use))];
  const isCall = kind === "address" || kind === "no-scheme";
  return isCall ? [finding(at, (place) => diagnostics.httpUrl(place, seen, kind === "no-scheme"))] : [];
}

/** Checks the default of an input at the start of a URL, which the run would reject. */
function checkDefault(name: string, node: CliNode, check: Check): void {
  const [reference] = referencesOf(name);
  if (reference === undefined || reference.members.length > 0) return;
  const { root } = reference;
  const spec = Object.hasOwn(check.workflow.inputs, root) ? check.workflow.inputs[root] : undefined;
  if (typeof spec?.default !== "string" || Object.hasOwn(node.data.env?.static ?? {}, root)) return;
  const scheme = schemeOf(spec.default);
  if (scheme !== undefined && scheme !== "https" && !isLoopbackUrl(spec.default))
    check.report(diagnostics.httpUrl(check.at(["inputs", root, "default"]), spec.default, false));
}

/** The node fails on anything but a number. */
function isNumber(text: string): boolean {
  return referencesOf(text).every(({ filter }) => filter === "int");
}
