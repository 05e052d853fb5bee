// check/safety: what can be told about commands before they run: what a person will be asked, calls in the clear, curl as it is often
// misused, secrets that others can read (spec 4.1 "Warned", 4.2). The rules stand in safety/.
//   S1. Nothing is told of scripts that no shell of ours reads.

import * as told from "../diagnostics/safety.ts";
import type { GraphNode } from "../graph.ts";
import type { CliNode } from "../model.ts";
import { isLoopbackUrl, schemeOf } from "../safety/addresses.ts";
import { documentSource, isInspected, stdinSource } from "../safety/inspect.ts";
import type { Finding } from "../safety/lints/finding.ts";
import { ownEnvironmentFindings } from "../safety/lints/own-environment.ts";
import { type Provenance, provenanceOf } from "../safety/provenance.ts";
import type { Places } from "../safety/writes.ts";
import type { Path } from "../source-map.ts";
import { referencesOf } from "../template.ts";
import { type CommandFacts, commandFindings } from "./command.ts";
import type { Check } from "./context.ts";
import { loopScope, type Names } from "./names.ts";

export async function checkSafety(check: Check, names: Names): Promise<void> {
  let provenance: Provenance | undefined;
  for (const node of check.graph.nodes) {
    if (node.node.type !== "cli") continue;
    tell(ownEnvironmentFindings(node.node.data.content), node, node.node, check);
    if (!isInspected(node.node.data)) continue;
    provenance ??= provenanceOf(check.graph);
    await checkCommand(node, node.node, provenance, check, names);
  }
}

async function checkCommand(
  node: GraphNode,
  drawn: CliNode,
  provenance: Provenance,
  check: Check,
  names: Names,
): Promise<void> {
  const { data } = drawn;
  const places = placesOf(drawn, check);
  const scope = new Set([...loopScope(node, check), ...Object.keys(data.env?.static ?? {})]);
  const known = (root: string) =>
    /^[0-9]/.test(root) ? Number(root) <= node.parents.length : scope.has(root) || names.shared.has(root);
  const { timeout, egress } = check.workflow;
  const facts: CommandFacts = {
    ...{ drawn, places, stdin: stdinSource(node, provenance), parents: node.parents.length },
    workflow: { timeout, egress },
  };
  const { told, begins } = await commandFindings(facts, { known, ...documentSource(node, provenance, places) });
  tell(told, node, drawn, check);
  for (const name of begins) checkDefault(name, drawn, check);
}

function tell(findings: readonly Finding[], node: GraphNode, { data }: CliNode, check: Check): void {
  const path: Path = [...check.nodePath(node.index), "data", "content"];
  for (const found of findings)
    check.report(found.tell(check.inside(path, data.content, found.start, Math.max(found.end, found.start + 1))));
}

/** An input that a call begins with: what it is when nobody gives it is refused in the run. */
function checkDefault(name: string, node: CliNode, check: Check): void {
  const [reference] = referencesOf(name);
  if (reference === undefined || reference.members.length > 0) return;
  const { root } = reference;
  const spec = Object.hasOwn(check.workflow.inputs, root) ? check.workflow.inputs[root] : undefined;
  if (typeof spec?.default !== "string" || Object.hasOwn(node.data.env?.static ?? {}, root)) return;
  const scheme = schemeOf(spec.default);
  if (scheme !== undefined && scheme !== "https" && !isLoopbackUrl(spec.default))
    check.report(told.httpUrl(check.at(["inputs", root, "default"]), spec.default, false));
}

function placesOf(node: CliNode, check: Check): Places {
  const { folder, home } = check.options;
  const { cwd } = node.data;
  const here = folder === undefined ? undefined : joined(folder, check.draftFolder);
  const place = cwd === undefined ? here : cwd.includes("${") ? undefined : joined(here ?? "", cwd);
  return { cwd: place === "" ? undefined : place, home, tmp: undefined };
}

/** Absolute paths stay; `..` is left to whoever compares. */
function joined(folder: string, path: string): string {
  return path.startsWith("/") ? path : folder === "" ? "" : path === "" ? folder : `${folder}/${path}`;
}
