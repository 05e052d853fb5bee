// check/safety: what can be told about commands before they run: what a person will be asked, calls in the clear, curl as it is often
// misused, secrets that others can read (spec 4.1 "Warned", 4.2). The rules stand in safety/.
//   S1. Nothing is told of scripts that no shell of ours reads.

import * as told from "../diagnostics/safety.ts";
import type { GraphNode } from "../graph.ts";
import type { CliNode } from "../model.ts";
import { isLoopbackUrl, schemeOf } from "../safety/addresses.ts";
import type { PlainUse } from "../safety/https-only.ts";
import { allowsPlain, documentSource, inspect, isInspected, readCommand, stdinSource } from "../safety/inspect.ts";
import { curlFindings } from "../safety/lints/curl.ts";
import { evaluationFindings } from "../safety/lints/evaluation.ts";
import type { Finding } from "../safety/lints/finding.ts";
import { hostFindings } from "../safety/lints/hosts.ts";
import { secretFindings } from "../safety/lints/secrets.ts";
import { shellFindings } from "../safety/lints/shell.ts";
import { type Provenance, provenanceOf } from "../safety/provenance.ts";
import { requestsOf } from "../safety/requests.ts";
import type { Source } from "../safety/script.ts";
import type { Places } from "../safety/writes.ts";
import type { Path } from "../source-map.ts";
import { referencesOf } from "../template.ts";
import type { Check } from "./context.ts";
import { loopScope, type Names } from "./names.ts";

export async function checkSafety(check: Check, names: Names): Promise<void> {
  let provenance: Provenance | undefined;
  for (const node of check.graph.nodes) {
    if (node.node.type !== "cli" || !isInspected(node.node.data)) continue;
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
  const source = documentSource(node, provenance, places);
  const exported = Object.keys(data.env?.static ?? {}).filter((name) => data.env?.static?.[name]?.includes("${"));
  const secret = hasSecret(data.content, exported, source);
  const scope = new Set([...loopScope(node, check), ...Object.keys(data.env?.static ?? {})]);
  const known = (root: string) =>
    /^[0-9]/.test(root) ? Number(root) <= node.parents.length : scope.has(root) || names.shared.has(root);
  const always = secret || exported.length > 0 || data.env?.exposeParents === true;
  const reading = await readCommand(data.content, known, always);
  if (reading === undefined) return;

  const found = inspect(reading, source, drawn, places, stdinSource(node, provenance));
  const path: Path = [...check.nodePath(node.index), "data", "content"];
  const at = (place: { start: number; end: number }) =>
    check.inside(path, data.content, place.start, Math.max(place.end, place.start + 1));
  const tell = (findings: readonly Finding[]) => {
    for (const one of findings) check.report(one.tell(at(one)));
  };
  const [first] = found.asks;
  if (first !== undefined && data.safetyLevel !== "advanced" && data.needsUserApproval !== true)
    check.report(
      told.asksApproval(
        at(first),
        found.asks.map(({ message }) => message),
      ),
    );
  for (const use of found.plain) tellPlain(use, drawn, at(use.at), check);
  for (const call of found.script.calls)
    for (const { urls } of requestsOf(call))
      for (const url of urls) checkDefault(url.pieces[0]?.value?.name, drawn, check);
  const hasTimeLimit =
    data.timeout !== undefined || data.idleTimeout !== undefined || check.workflow.timeout !== undefined;
  tell(
    curlFindings(found.script, {
      decidesOnHttpErrors: data.httpErrors === "fail" || data.httpErrors === "ignore",
      hasTimeLimit,
    }),
  );
  tell(secretFindings(found.script, data.content, secret, new Set(Object.keys(data.env?.static ?? {}))));
  const values = new Map(
    [...exported, ...parentNames(node, drawn)]
      .filter((name) => !isNumber(name, data.env?.static))
      .map((name) => [name, source.exported(name)?.untrusted]),
  );
  tell(shellFindings(found.script, dialectOf(drawn), values));
  tell(evaluationFindings(found.script));
  const { egress = check.workflow.egress } = data;
  const isHeld = data.safetyLevel === "advanced" || data.needsUserApproval === true || typeof egress === "object";
  if (!isHeld) tell(hostFindings(found.script));
}

function tellPlain(use: PlainUse, node: CliNode, at: ReturnType<Check["at"]>, check: Check): void {
  const open = allowsPlain(node, check.workflow);
  if (use.kind === "bypass") {
    if (!open) check.report(told.curlConfigBypassed(at, use.seen));
  } else if (use.kind === "forgets-auth")
    check.report(told.curlNextForgets(at, use.seen, "auth", node.data.safetyLevel !== "advanced"));
  else if (use.kind === "forgets-https") {
    if (!open) check.report(told.curlNextForgets(at, use.seen, "https", true));
  } else if (use.loopback) return;
  else if (open) check.report(told.httpUrl(at, use.seen, use.kind === "no-scheme"));
  else check.report(told.httpNotAllowed(at, use.seen, use.kind === "no-scheme"));
}

/** An input that a call begins with: what it is when nobody gives it is refused in the run. */
function checkDefault(name: string | undefined, node: CliNode, check: Check): void {
  const [reference] = referencesOf(name ?? "");
  if (reference === undefined || reference.members.length > 0) return;
  const { root } = reference;
  const spec = Object.hasOwn(check.workflow.inputs, root) ? check.workflow.inputs[root] : undefined;
  if (typeof spec?.default !== "string" || Object.hasOwn(node.data.env?.static ?? {}, root)) return;
  const scheme = schemeOf(spec.default);
  if (scheme !== undefined && scheme !== "https" && !isLoopbackUrl(spec.default))
    check.report(told.httpUrl(check.at(["inputs", root, "default"]), spec.default, false));
}

/** Whatever comes, it is a number, or the node fails. */
function isNumber(name: string, statics: Readonly<Record<string, string>> = {}): boolean {
  return Object.hasOwn(statics, name) && referencesOf(statics[name]!).every(({ filter }) => filter === "int");
}

/** Variables that hold what the parents hand on. */
function parentNames({ parents }: GraphNode, { data: { env } }: CliNode): string[] {
  if (env?.exposeParents !== true) return [];
  return parents.map((_, index) => env.names?.[index] ?? `INPUT_${index + 1}`);
}

function hasSecret(content: string, exported: readonly string[], source: Source): boolean {
  return (
    referencesOf(content).some((reference) => source.meaningOf(reference).secret !== undefined) ||
    exported.some((name) => source.exported(name)?.secret !== undefined)
  );
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

function dialectOf({ data }: CliNode): "bash" | "sh" | "zsh" {
  const line = data.mode === "script" ? /^#!.*/.exec(data.content)?.[0] : undefined;
  const named = line === undefined ? data.shell : (/(bash|zsh)/.exec(line)?.[1] ?? "sh");
  return named === "zsh" || named === "sh" ? named : "bash";
}
