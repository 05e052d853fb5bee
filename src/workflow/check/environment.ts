// check/environment: checks which environment variables a command reads (spec 4.1).
//   E1. A variable that is set on this machine, but not passed to a command that reads it, is reported with a way to
//       pass it.
//   E2. The shell parser is loaded only if the text contains such a name.

import * as found from "../diagnostics/template.ts";
import type { GraphNode } from "../graph.ts";
import { staticsOf } from "../node-fields.ts";
import { isGiven, isOfScript, SHELL_NAMES } from "../script-names.ts";
import type { Check } from "./context.ts";
import { loopScope, type Names } from "./names.ts";

/** Checks `$NAME`, `${NAME…}`, `$env:NAME` and `%NAME%`. */
export async function checkEnvironmentNames(node: GraphNode, check: Check, names: Names): Promise<void> {
  const { environment, passesEnvironment } = check.options;
  if (node.node.type !== "cli" || environment === undefined || passesEnvironment === undefined) return;
  const { data } = node.node;
  if (data.env?.inherit === true) return;
  const text = data.content;
  const interpreter = data.mode === "script" ? interpreterOf(text) : undefined;
  if (interpreter !== undefined && !SHELLS.has(interpreter)) return;
  const missed = (name: string) =>
    environment.has(name) &&
    !passesEnvironment(name) &&
    !SHELL_NAMES.test(name) &&
    !isGiven(name, node.node) &&
    !Object.hasOwn(data.env?.static ?? {}, name);
  const shell = interpreter ?? data.shell ?? "bash";
  const other = shell === "pwsh" ? PWSH_NAME : shell === "cmd" ? CMD_NAME : undefined;
  const candidates = [...text.matchAll(other ?? POSIX_NAME)];
  if (!candidates.some((match) => missed(match[1]!))) return;
  const read =
    other === undefined
      ? await (await import("../../shell/rewrite/index.ts")).parametersOf(text)
      : candidates.map((match) => ({ name: match[1]!, start: match.index, end: match.index + match[0].length }));
  const ours = new Set([...loopScope(node, check), ...names.shared]);
  const reported = new Set<string>();
  const isSet = mayBeSet(text);
  for (const { name, start, end } of read) {
    const braced = text.startsWith(`\${${name}}`, start) || text.startsWith(`\${${name}|`, start);
    if (reported.has(name) || !missed(name) || (braced && ours.has(name)) || names.ofLoops.has(name)) continue;
    if (other === undefined && isSet(name)) continue;
    reported.add(name);
    check.report(
      found.envNotPassed(
        check.inside([...check.nodePath(node.index), "data", "content"], text, start, end),
        name,
        ours.has(name),
      ),
    );
  }
}

/** `$repo` is a variable of the shell, although the workflow has a value of that name. */
export async function checkUnbraced({ node, id, ...rest }: GraphNode, check: Check, names: Names): Promise<void> {
  if (node.type !== "cli" || node.data.env?.inherit === true) return;
  const text = node.data.content;
  const interpreter = node.data.mode === "script" ? interpreterOf(text) : undefined;
  if (!SHELLS.has(interpreter ?? node.data.shell ?? "bash")) return;
  const scope = loopScope({ node, id, ...rest }, check);
  const isSet = mayBeSet(text);
  const isMeant = (name: string) =>
    name !== id &&
    (names.shared.has(name) || check.graph.indexOf.has(name) || scope.includes(name)) &&
    !Object.hasOwn(staticsOf(node), name) &&
    check.options.environment?.has(name) !== true &&
    !isSet(name) &&
    !isOfScript(name, node);
  if (![...text.matchAll(/\$([A-Za-z_]\w*)/g)].some((match) => isMeant(match[1]!))) return;
  const reported = new Set<string>();
  for (const { name, start, end } of await (await import("../../shell/rewrite/index.ts")).parametersOf(text)) {
    if (reported.has(name) || !text.startsWith(`$${name}`, start) || !isMeant(name)) continue;
    reported.add(name);
    const path = [...check.nodePath(rest.index), "data", "content"];
    check.report(found.nameWithoutBraces(check.inside(path, text, start, end), name));
  }
}
const POSIX_NAME = /\$\{?[!#]?([A-Za-z_]\w*)/g;
const PWSH_NAME = /\$\{?env:([A-Za-z_]\w*)\}?/gi;
const CMD_NAME = /%([A-Za-z_]\w*)(?::[^%\n]*)?%/g;

export const SHELLS: ReadonlySet<string> = new Set(["bash", "sh", "zsh", "dash"]);

/** `#!/usr/bin/env python3` → `python3`. */
export function interpreterOf(text: string): string | undefined {
  const line = /^#!\s*(\S+)(?:[ \t]+([^\r\n]*))?/.exec(text);
  if (line === null) return undefined;
  const program = line[1]!.split("/").at(-1)!;
  if (program !== "env") return program;
  const words = (line[2] ?? "")
    .split(/\s+/)
    .filter((word) => word !== "" && !word.startsWith("-") && !word.includes("="));
  return words[0]?.split("/").at(-1) ?? program;
}

/** Whether a name may be set by an expansion (`${x:=1}`), or by a file that the script reads in. */
export function mayBeSet(text: string): (name: string) => boolean {
  if (/(?:^|[;&|(\n])[ \t]*(?:source|\.|eval)[ \t]+\S/.test(text)) return () => true;
  return (name) => text.includes(`\${${name}:=`) || text.includes(`\${${name}=`);
}
