// check/safety: reports problems of commands before they run: need for approval, calls that are not https, common
// misuse of curl, and exposed secrets (spec 4.1 "Warned", 4.2). The rules are in safety/.
//   S1. Only scripts for bash, sh or zsh are checked.

import type { PlainUse, Script, Source } from "../../shell/safety/index.ts";
import {
  allowsPlain,
  inspect,
  isInspected,
  isLoopbackUrl,
  readCommand,
  requestsOf,
  schemeOf,
} from "../../shell/safety/index.ts";
import { referencesOf } from "../../shell/template.ts";
import * as diagnostics from "../diagnostics/safety.ts";
import type { GraphNode } from "../graph.ts";
import { literalValues, parentNames } from "../literal-values.ts";
import type { CliNode, Workflow } from "../model.ts";
import type { Path } from "../source-map.ts";
import type { Check } from "./context.ts";
import { curlFindings } from "./lints/curl.ts";
import { type Finding, finding, hiddenFindings } from "./lints/finding.ts";
import { secretFindings } from "./lints/secrets.ts";
import { shellFindings } from "./lints/shell.ts";
import { loopScope, type Names } from "./names.ts";

export async function checkSafety(check: Check, names: Names): Promise<void> {
  const sourceOf = literalValues(check.graph);
  for (const node of check.graph.nodes)
    if (node.node.type === "cli" && isInspected(node.node.data))
      await checkCommand(node, node.node, sourceOf(node), check, names);
}

async function checkCommand(node: GraphNode, drawn: CliNode, source: Source, check: Check, names: Names) {
  const { data } = drawn;
  report(hiddenFindings(data.content), node, drawn, check);
  const scope = new Set([...loopScope(node, check), ...Object.keys(data.env?.static ?? {})]);
  const known = (root: string) =>
    /^[0-9]/.test(root) ? Number(root) <= node.parents.length : scope.has(root) || names.shared.has(root);
  const reading = await readCommand(data.content, known, data.content.includes("$"));
  if (reading === undefined) return;
  const { asks, plain, script } = inspect(reading, source, drawn.data);
  const [first] = data.safetyLevel === "advanced" || data.needsUserApproval === true ? [] : asks;
  const reasons = asks.map(({ message }) => message);
  const asked = first === undefined ? [] : [finding(first, (at) => diagnostics.asksApproval(at, reasons))];
  const findings = [
    ...asked,
    ...plain.flatMap((use) => plainFinding(use, drawn, check.workflow)),
    ...lintsOf(script, node, drawn, source, check.workflow),
  ];
  report(findings, node, drawn, check);
  for (const url of script.calls.flatMap((call) => requestsOf(call).flatMap(({ urls }) => urls)))
    checkDefault(url.pieces[0]?.value?.name ?? "", drawn, check);
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
    ...secretFindings(script, data.content, hasSecrets, new Set(statics.map(([name]) => name))),
    ...shellFindings(script.reading, dialectOf(data), exported),
  ];
}

function report(findings: readonly Finding[], node: GraphNode, { data }: CliNode, check: Check): void {
  const path: Path = [...check.nodePath(node.index), "data", "content"];
  for (const found of findings)
    check.report(found.tell(check.inside(path, data.content, found.start, Math.max(found.end, found.start + 1))));
}

function plainFinding(use: PlainUse, node: CliNode, workflow: Workflow): Finding[] {
  const { kind, seen, at } = use;
  const isAllowed = allowsPlain(node.data, workflow);
  if (kind === "bypass") return isAllowed ? [] : [finding(at, (place) => diagnostics.curlConfigBypassed(place, seen))];
  if (kind === "forgets-https")
    return isAllowed ? [] : [finding(at, (place) => diagnostics.curlNextForgets(place, seen))];
  if (use.loopback) return [];
  const tell = isAllowed ? diagnostics.httpUrl : diagnostics.httpNotAllowed;
  return [finding(at, (place) => tell(place, seen, kind === "no-scheme"))];
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

function dialectOf(data: CliNode["data"]): "bash" | "sh" | "zsh" {
  const line = data.mode === "script" ? /^#!.*/.exec(data.content)?.[0] : undefined;
  const named = line === undefined ? data.shell : (/(bash|zsh)/.exec(line)?.[1] ?? "sh");
  return named === "zsh" || named === "sh" ? named : "bash";
}
