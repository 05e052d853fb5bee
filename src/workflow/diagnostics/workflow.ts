// diagnostics/workflow: findings about inputs, secrets, output, layout, the graph and subflows.

import { limits } from "../../base/limits.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { didYouMean, listed } from "../nearest.ts";
import { type At, error, said, warning } from "./base.ts";

export function inputDefaultWrong(at: At, name: string, why: string): Diagnostic {
  return error(at, "bad-default", `The default of input "${said(name)}" does not fit: ${why}`);
}

export function enumValueWrong(at: At, name: string, type: string, seen: unknown): Diagnostic {
  return error(
    at,
    "bad-enum",
    `"${said(seen)}" in the enum of input "${said(name)}" is not of its type, ${said(type)}.`,
  );
}

export function badPattern(at: At, name: string, why: string): Diagnostic {
  return error(
    at,
    "bad-pattern",
    `The pattern of input "${said(name)}" cannot be read: ${said(why)}.`,
    "In YAML double quotes a backslash is written twice; single quotes keep it.",
  );
}

export function ruleOfOtherType(at: At, rule: string, type: string, wanted: string): Diagnostic {
  return error(
    at,
    "rule-of-other-type",
    `"${rule}" is a rule for ${wanted}, but the type of this input is ${said(type)}.`,
  );
}

export function emptyInterval(at: At, least: string, most: string, low: number, high: number): Diagnostic {
  return error(at, "empty-interval", `"${least}" (${low}) is more than "${most}" (${high}): nothing can fit.`);
}

export function requiredWithDefault(at: At, name: string): Diagnostic {
  return warning(
    at,
    "required-with-default",
    `Input "${said(name)}" is required and has a default, which is never used.`,
    "Remove one of the two.",
  );
}

export function unusedInput(at: At, name: string): Diagnostic {
  return warning(
    at,
    "unused-input",
    `Nothing uses the input "${said(name)}".`,
    `Write \${${said(name)}} where it belongs, or remove it.`,
  );
}

export function badSecretName(at: At, name: string): Diagnostic {
  return error(
    at,
    "bad-secret-name",
    `"${said(name)}" cannot be the name of a secret.`,
    "Secrets are named like environment variables: letters, digits and _, such as GITHUB_TOKEN. Write names here, never values.",
  );
}

export function duplicateSecret(at: At, name: string): Diagnostic {
  return error(at, "duplicate-secret", `The secret "${said(name)}" stands twice.`);
}

export function secretLikeInput(at: At, name: string): Diagnostic {
  return error(
    at,
    "secret-like-input",
    `"${said(name)}" is also an input; \${${said(name)}} could mean either.`,
    "Rename one of the two.",
  );
}

export function outputMissing(at: At, id: string, known: Iterable<string>): Diagnostic {
  return error(at, "output-missing-node", `"output" names "${said(id)}"; no node has that id.${didYouMean(id, known)}`);
}

export function outputInLoop(at: At, id: string, end: string): Diagnostic {
  return error(
    at,
    "output-in-loop",
    `"output" names "${said(id)}", which has one value in each iteration of a loop.`,
    `Name the loop end "${said(end)}" instead.`,
  );
}

export function finallyMissing(at: At, id: string, known: Iterable<string>): Diagnostic {
  return error(
    at,
    "finally-missing-node",
    `"finally" names "${said(id)}"; no node has that id.${didYouMean(id, known)}`,
  );
}

export function duplicateFinally(at: At, id: string): Diagnostic {
  return error(at, "duplicate-finally", `"${said(id)}" stands twice in "finally".`);
}

export function layoutMissing(at: At, id: string, known: Iterable<string>): Diagnostic {
  return warning(
    at,
    "layout-of-missing-node",
    `"layout" places "${said(id)}"; no node has that id.${didYouMean(id, known)}`,
  );
}

export function cycle(at: At, nodes: readonly string[], named: string | undefined): Diagnostic {
  const way = nodes.length > 9 ? [...nodes.slice(0, 4), "…", ...nodes.slice(-4)] : nodes;
  const self = nodes.length === 2;
  const message = self ? `"${nodes[0]}" waits for itself.` : `These nodes wait for each other: ${way.join(" -> ")}.`;
  return error(
    at,
    "cycle",
    message,
    named === undefined
      ? "Remove one of the edges; to repeat nodes, put them between a loop-start and a loop-end node."
      : `Naming ${named === "" ? "a Variable" : `"${named}"`} makes a node wait for it. Name it in a node that does not come before it.`,
  );
}

export function loopsTooDeep(at: At): Diagnostic {
  return error(
    at,
    "loops-too-deep",
    `Loops are more than ${limits.loopDepthMax} deep here.`,
    "Put the inner loops into a separate workflow, and run it with a subflow node.",
  );
}

export function loopWithoutEnd(at: At, node: string): Diagnostic {
  return error(
    at,
    "loop-without-end",
    `Loop "${said(node)}" has no end.`,
    `Add a node of type loop-end and lead the last node of the loop to it.`,
  );
}

export function endWithoutStart(at: At, node: string): Diagnostic {
  return error(
    at,
    "end-without-start",
    `No loop leads to the loop end "${said(node)}".`,
    "Add a node of type loop-start before it, connected by edges.",
  );
}

export function loopWithTwoEnds(at: At, node: string, loop: string, other: string): Diagnostic {
  return error(
    at,
    "loop-with-two-ends",
    `Loop "${said(loop)}" already ends at "${said(other)}"; "${said(node)}" would be a second end.`,
    "Lead all branches to one loop end.",
  );
}

export function edgeLeavesLoop(at: At, edge: string, loop: string, end: string | undefined): Diagnostic {
  return error(
    at,
    "edge-leaves-loop",
    `Edge "${said(edge)}" leads out of loop "${said(loop)}"; only its end leads out.`,
    end === undefined
      ? "Lead it to the loop's end."
      : `Lead it to the loop end, or take the value from there: ${end} -> NEXT`,
  );
}

export function edgesFromTwoLoops(at: At, node: string, loops: readonly string[]): Diagnostic {
  return error(
    at,
    "edges-from-two-loops",
    `"${said(node)}" has edges out of ${loops.length === 2 ? "two loops" : "several loops"}: ${listed(loops)}.`,
    "Close each loop with its own loop end, and continue from the ends; give each listener its own nodes.",
  );
}

export function finallyInLoop(at: At, node: string): Diagnostic {
  return error(
    at,
    "finally-in-loop",
    `"${said(node)}" runs at the end of the run ("finally"), so it cannot be in a loop.`,
  );
}

export function edgeFromFinally(at: At, edge: string): Diagnostic {
  return error(
    at,
    "edge-from-finally",
    `Edge "${said(edge)}" leads from a "finally" node to one that runs before it.`,
    "Put the target under finally as well, or remove the edge.",
  );
}

export function nameFromFinally(at: At, node: string, name: string): Diagnostic {
  return error(
    at,
    "name-from-finally",
    `"${said(node)}" names \${${said(name)}}, which is made at the end of the run ("finally"), after it.`,
    `Put "${said(node)}" under finally as well, or take the Variable out of finally.`,
  );
}

export function subflowAbsolute(at: At, path: string): Diagnostic {
  return error(
    at,
    "subflow-absolute-path",
    `"${said(path)}" is an absolute path, which exists on one machine only.`,
    "Write the path relative to the folder of this file.",
  );
}

export function subflowNotAFlow(at: At, path: string): Diagnostic {
  return error(
    at,
    "subflow-bad-name",
    `"${said(path)}" is not the name of a workflow file.`,
    "Workflow files end in .flow.yaml, .flow.yml or .flow.json.",
  );
}

export function subflowMissing(at: At, path: string, why: string): Diagnostic {
  return error(
    at,
    "subflow-missing",
    `The subflow "${said(path)}" cannot be read: ${said(why)}.`,
    "The path is relative to the folder of this file.",
  );
}

export function subflowOutside(at: At, path: string, root: string): Diagnostic {
  return error(
    at,
    "subflow-outside",
    `The subflow "${said(path)}" lies outside of the project.`,
    `Only workflows below ${said(root)} are read. The project is the folder with .git, otherwise the folder of the file that was named.`,
  );
}

export function subflowRecursive(at: At, chain: readonly string[]): Diagnostic {
  return error(
    at,
    "subflow-recursive",
    `This subflow leads back to itself: ${chain.join(" -> ")}.`,
    "To repeat work, use a loop.",
  );
}

export function subflowTooDeep(at: At): Diagnostic {
  return error(at, "subflow-too-deep", `Subflows are more than ${limits.subflowDepthMax} deep here.`);
}

export function subflowWrong(at: At, path: string): Diagnostic {
  return error(
    at,
    "subflow-wrong",
    `The subflow "${said(path)}" cannot be used: it has errors.`,
    "They are reported with their file.",
  );
}

export function subflowUnknownInput(at: At, name: string, path: string, known: readonly string[]): Diagnostic {
  const near = didYouMean(name, known);
  return error(
    at,
    "subflow-unknown-input",
    `"${said(path)}" has no input "${said(name)}".${near}`,
    near === "" ? (known.length === 0 ? "It has no inputs." : `It has ${listed(known)}.`) : undefined,
  );
}

export function subflowMissingInput(at: At, name: string, path: string): Diagnostic {
  return error(
    at,
    "subflow-missing-input",
    `"${said(path)}" requires the input "${said(name)}".`,
    `Add it under "inputs".`,
  );
}

export function subflowWrongInput(at: At, path: string, why: string): Diagnostic {
  return error(at, "subflow-wrong-input", `"${said(path)}" refuses this value: ${why}`);
}
