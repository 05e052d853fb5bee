// diagnostics/workflow: findings about inputs, secrets, output, layout, the graph and subflows.

import { limits } from "../../base/limits.ts";
import { didYouMean, listed } from "../nearest.ts";
import { error, excerpt, warning } from "./base.ts";

export const inputDefaultWrong = error("bad-default", (name: string, why: string) => [
  `The default of input "${excerpt(name)}" is not valid: ${why}`,
]);
export const enumValueWrong = error("bad-enum", (name: string, type: string, seen: unknown) => [
  `The enum of input "${excerpt(name)}" contains "${excerpt(seen)}", which is not of type ${excerpt(type)}.`,
]);
export const badPattern = error("bad-pattern", (name: string, why: string) => [
  `The pattern of input "${excerpt(name)}" is not valid: ${excerpt(why)}.`,
  "In double quotes of YAML, write each backslash twice. In single quotes, write it once.",
]);
export const ruleOfOtherType = error("rule-for-other-type", (rule: string, type: string, wanted: string) => [
  `"${rule}" applies to ${wanted}, but the type of this input is ${excerpt(type)}.`,
]);
export const emptyInterval = error("empty-interval", (least: string, most: string, low: number, high: number) => [
  `"${least}" (${low}) is greater than "${most}" (${high}), so no value is valid.`,
]);
export const requiredWithDefault = warning("required-with-default", (name: string) => [
  `Input "${excerpt(name)}" is required, so its default is never used.`,
  "Remove one of the two.",
]);
export const unusedInput = warning("unused-input", (name: string) => [
  `The input "${excerpt(name)}" is not used.`,
  `Use it as \${${excerpt(name)}}, or remove it.`,
]);
export const tooManyStateNames = error("too-many-state-names", (count: number) => [
  `"state" has ${count} names. The limit is ${limits.stateNamesMax}.`,
  "Store several values as one JSON value, or use a file or a database.",
]);
export const persistSecret = error("persist-secret", (name: string) => [
  `"${excerpt(name)}" is secret, but "persist" would store it unencrypted.`,
  "Remove one of the two. To keep a secret, use `curlew secrets set`.",
]);
export const badSecretName = error("bad-secret-name", (name: string) => [
  `"${excerpt(name)}" is not a valid name of a secret.`,
  "Use letters, digits, and _, such as GITHUB_TOKEN. Write only names here, never values.",
]);
export const duplicateSecret = error("duplicate-secret", (name: string) => [
  `The secret "${excerpt(name)}" is listed twice.`,
]);
export const secretLikeInput = error("secret-like-input", (name: string) => [
  `"${excerpt(name)}" is also an input, so \${${excerpt(name)}} could mean either.`,
  "Rename one of the two.",
]);
export const labelsApart = error("labels-apart", (label: string, before: string) => [
  `No machine has both "${excerpt(label)}" and "${excerpt(before)}", and a run stays on one machine.`,
  "Remove one of the two, or move the node to a subflow: it may run on another machine.",
]);
export const outputMissing = error("output-missing-node", (id: string, known: Iterable<string>) => [
  `"output" names "${excerpt(id)}", but there is no node with that id.${didYouMean(id, known)}`,
]);
export const outputInLoop = error("output-in-loop", (id: string, end: string) => [
  `"output" names "${excerpt(id)}", which has one value in each iteration of a loop.`,
  `Name the loop end "${excerpt(end)}" instead.`,
]);
export const finallyMissing = error("finally-missing-node", (list: string, id: string, known: Iterable<string>) => [
  `"${list}" names "${excerpt(id)}", but there is no node with that id.${didYouMean(id, known)}`,
]);
export const duplicateFinally = error("duplicate-finally", (list: string, id: string, isInBoth: boolean) => {
  const where = isInBoth ? `is in "onFailure" and in "finally"` : `appears twice in "${list}"`;
  return [`"${excerpt(id)}" ${where}.`];
});

export const layoutMissing = warning("layout-of-missing-node", (id: string, known: Iterable<string>) => [
  `"layout" names "${excerpt(id)}", but there is no node with that id.${didYouMean(id, known)}`,
]);
export const cycle = error("cycle", (nodes: readonly string[], named: string | undefined) => {
  const way = nodes.length > 9 ? [...nodes.slice(0, 4), "…", ...nodes.slice(-4)] : nodes;
  const self = nodes.length === 2;
  const message = self ? `"${nodes[0]}" waits for itself.` : `These nodes wait for each other: ${way.join(" -> ")}.`;
  return [
    message,
    named === undefined
      ? "Remove one of the edges. To repeat nodes, put them between a loop-start and a loop-end node."
      : `A node waits for the nodes it names. Use ${named === "" ? "the value" : `"${named}"`} only in nodes that come after it.`,
  ];
});

export const loopsTooDeep = error("loops-too-deep", () => [
  `Loops are nested more than ${limits.loopDepthMax} levels deep.`,
  "Move the inner loops to a separate workflow that a subflow node runs.",
]);
export const loopWithoutEnd = error("loop-without-end", (node: string) => [
  `Loop "${excerpt(node)}" has no loop end.`,
  `Add a node of type loop-end, with an edge from the last node of the loop.`,
]);
export const endWithoutStart = error("end-without-start", (node: string) => [
  `The loop end "${excerpt(node)}" has no loop start.`,
  "Add a node of type loop-start before it, connected by edges.",
]);
export const loopWithTwoEnds = error("loop-with-two-ends", (node: string, loop: string, other: string) => [
  `Loop "${excerpt(loop)}" has two loop ends: "${excerpt(other)}" and "${excerpt(node)}".`,
  "Connect all branches to one loop end.",
]);
export const edgeLeavesLoop = error("edge-leaves-loop", (edge: string, loop: string, end: string | undefined) => [
  `Edge "${excerpt(edge)}" leaves loop "${excerpt(loop)}" from inside. Only the loop end can lead out of a loop.`,
  end === undefined
    ? "Connect it to the loop end."
    : `Connect it to the loop end, or start the edge there: ${end} -> NEXT`,
]);
export const edgesFromTwoLoops = error("edges-from-two-loops", (node: string, loops: readonly string[]) => [
  `"${excerpt(node)}" has edges out of ${loops.length === 2 ? "two loops" : "several loops"}: ${listed(loops)}.`,
  "Close each loop with its own loop end, and continue from there. Give each listener its own nodes.",
]);
export const finallyInLoop = error("finally-in-loop", (node: string) => [
  `"${excerpt(node)}" runs at the end of the run ("finally"), so it cannot be in a loop.`,
]);
export const edgeFromFinally = error("edge-from-finally", (edge: string) => [
  `Edge "${excerpt(edge)}" leads from a "finally" node to one that runs before it.`,
  "Add the target to finally, or remove the edge.",
]);
export const nameFromFinally = error("name-from-finally", (node: string, name: string) => [
  `"${excerpt(node)}" uses \${${excerpt(name)}}, but that node runs later, at the end of the run ("finally").`,
  `Add "${excerpt(node)}" to finally, or remove "${excerpt(name)}" from it.`,
]);

export const referenceIntoLoop = error(
  "reference-into-loop",
  ({ node, named }: { node: string; named: string }, loop: string, end: string | undefined) => [
    `"${excerpt(node)}" refers to "${excerpt(named)}", which ${named === loop ? "starts a loop and has a value only in it" : `is in the loop "${excerpt(loop)}" and has a value per iteration`}.`,
    end === undefined
      ? `Refer to it in a node that "${excerpt(loop)}" leads to.`
      : `Refer to the loop end: \${${excerpt(end)}}. If "${excerpt(node)}" belongs to the loop, draw an edge from it to "${excerpt(end)}".`,
  ],
);

export const subflowAbsolute = error("subflow-absolute-path", (path: string) => [
  `"${excerpt(path)}" is an absolute path, which would work on this machine only.`,
  "Write the path relative to the folder of this file.",
]);
export const subflowNotAFlow = error("subflow-bad-name", (path: string) => [
  `"${excerpt(path)}" is not the name of a workflow file.`,
  "Workflow files end in .flow.yaml, .flow.yml or .flow.json.",
]);
export const subflowMissing = error("subflow-missing", (path: string, why: string) => [
  `Curlew can't read the subflow "${excerpt(path)}": ${excerpt(why)}.`,
  "The path is relative to the folder of this file.",
]);
export const subflowOutside = error("subflow-outside", (path: string, root: string) => [
  `The subflow "${excerpt(path)}" is outside of the project.`,
  `Curlew reads only workflows in ${excerpt(root)}: the folder with .git, otherwise the folder of the main file.`,
]);
export const subflowRecursive = error("subflow-recursive", (chain: readonly string[]) => [
  `This subflow calls itself: ${chain.join(" -> ")}.`,
  "To repeat work, use a loop.",
]);
export const subflowTooDeep = error("subflow-too-deep", () => [
  `Subflows are nested more than ${limits.subflowDepthMax} levels deep.`,
]);
export const subflowWrong = error("subflow-wrong", (path: string) => [
  `The subflow "${excerpt(path)}" has errors.`,
  "Curlew reports them with the name of that file.",
]);
export const subflowUnknownInput = error(
  "subflow-unknown-input",
  (name: string, path: string, known: readonly string[]) => {
    const near = didYouMean(name, known);
    return [
      `"${excerpt(path)}" has no input "${excerpt(name)}".${near}`,
      near === "" ? (known.length === 0 ? "It has no inputs." : `Its inputs: ${listed(known)}.`) : undefined,
    ];
  },
);

export const subflowMissingInput = error("subflow-missing-input", (name: string, path: string) => [
  `"${excerpt(path)}" requires the input "${excerpt(name)}".`,
  `Add it under "inputs".`,
]);
export const subflowWrongInput = error("subflow-wrong-input", (path: string, why: string) => [
  `This value is not valid for "${excerpt(path)}": ${why}`,
]);
