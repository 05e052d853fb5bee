// diagnostics/node: findings about nodes and their fields.

import { limits } from "../../base/limits.ts";
import { didYouMean, listed } from "../nearest.ts";
import { error, excerpt, warning } from "./base.ts";

export const badNodeId = error("bad-node-id", (id: string) => {
  const why = id.length > limits.idCharsMax ? `has more than ${limits.idCharsMax} characters` : "is not a valid id";
  return [`"${excerpt(id)}" ${why}.`, "An id begins with a letter or _ and contains only letters, digits, _, and -."];
});

export const duplicateNodeId = error("duplicate-node-id", (id: string, line: number) => [
  `The id "${excerpt(id)}" is already used on line ${line}.`,
  "Give one of the nodes another id.",
]);

/** A field of `data`, or a key of the short form, in a node that has `data`. */
export const besideData = error("unknown-field", (key: string, name: string, isContent: boolean) => [
  `${name} has "${excerpt(key)}" next to "data".`,
  `${isContent ? 'Write it as "content" below "data:"' : 'Move it below "data:"'}, or remove "data:" and put its fields next to "id:".`,
]);

/** No `data`, no type, and no key that says the type. */
export const missingType = error("missing-field", (name: string, keys: readonly string[], types: readonly string[]) => [
  `${name} has no type and no content.`,
  `Add one of ${listed(keys)}, or a type: ${listed(types, 20)}.`,
]);
export const contradictingKeys = error(
  "contradicting-keys",
  (name: string, key: string, other: string, value?: unknown) => [
    value === undefined
      ? `${name} has "${excerpt(key)}" and "${excerpt(other)}", but a node can have only one of them.`
      : `${name} has "${excerpt(key)}", which contradicts "${excerpt(other)}: ${excerpt(value)}".`,
    value === undefined
      ? "Keep one of them, and move the other to a separate node."
      : `Remove "${excerpt(other)}". run is a command, script a script, text a text, if a condition, prompt a prompt.`,
  ],
);
export const unknownNodeType = error("unknown-node-type", (type: string, types: readonly string[]) => [
  `Unknown node type "${excerpt(type)}".${meantType(type, types)}`,
  `Known types: ${listed(types, 20)}.`,
]);

/** Names that other tools and earlier versions of this format use. */
const OTHER_TYPES: Readonly<Record<string, readonly string[]>> = {
  cli: ["command", "shell", "bash", "script", "exec", "run", "http", "http-request", "request", "code"],
  llm: ["ai", "agent", "prompt", "model", "chat"],
  text: ["text-format", "template", "format", "preview", "display", "output", "input", "set"],
  if: ["if-else", "condition", "conditional", "branch", "switch"],
  variable: ["var", "assign", "set-variable"],
  accumulator: ["accumulate", "collect", "merge", "aggregate"],
  "loop-start": ["loop", "loop-begin", "for", "foreach", "for-each", "while"],
  start: ["begin", "trigger", "entry"],
  subflow: ["workflow", "sub-workflow", "call", "flow"],
};

function meantType(type: string, types: readonly string[]): string {
  // NodeType.LOOP_START is loop-start.
  const plain = type
    .replace(/^NodeType\./, "")
    .toLowerCase()
    .replaceAll(/[_ ]/g, "-");
  const other = Object.keys(OTHER_TYPES).find((name) => OTHER_TYPES[name]!.includes(plain));
  const meant = types.includes(plain) ? plain : other;
  return meant === undefined ? didYouMean(type, types) : ` Did you mean "${meant}"?`;
}

export const defaultForNone = error("unknown-field", (field: string, known: readonly string[]) => [
  `"${excerpt(field)}" cannot be a default, because no node type has this field.${didYouMean(field, known)}`,
]);
export const noNodes = warning("no-nodes", () => ["This workflow has no nodes, so a run does nothing."]);

export const emptyContent = error("empty-content", (name: string, type: string) => {
  const what = type === "llm" ? "prompt" : "command";
  return [`${name} has an empty ${what}.`];
});

export const parentIndexOutOfRange = error("parent-index-out-of-range", (index: number, parents: readonly string[]) => [
  `"parentIndex" is ${index}, but ${parentsSaid(parents)}.`,
  parentsHelp(parents),
]);
export const parentNumberOutOfRange = error("parent-out-of-range", (number: string, parents: readonly string[]) => [
  `\${${number}} refers to parent ${number}, but ${parentsSaid(parents)}.`,
  parentsHelp(parents),
]);
export const inputOutOfRange = error("parent-out-of-range", (index: number, parents: readonly string[]) => [
  `inputs[${index}] refers to parent ${index + 1}, but ${parentsSaid(parents)}.`,
  "inputs counts from 0: inputs[0] is the first parent.",
]);

function parentsSaid(parents: readonly string[]): string {
  if (parents.length === 0) return "no edge leads to this node";
  if (parents.length === 1) return `this node has one parent: ${parents[0]}`;
  return `this node has ${parents.length} parents: ${listed(parents)}`;
}

function parentsHelp(parents: readonly string[]): string {
  return parents.length === 0 ? "Add an edge to it." : "Parents are numbered in the order of the edges in the file.";
}

export const stdinMissing = error("stdin-mismatch", (field: string, source: string) => [
  `"stdin.source" is ${source}, but "stdin.${field}" is missing.`,
]);

/** `stdin: ID` and `nodes.ID`. */
export const unknownNode = error("unknown-node", (id: string, known: Iterable<string>) => {
  const help = /^(?:parent|parents|parent-index|parents-all|literal|none)$/.test(id)
    ? "A string here is the id of a node. For the first parent, write stdin: { source: parent-index }. For no input, remove stdin."
    : id.includes("${")
      ? "For the value of a node, write its id: stdin: ID. For a text with references, write stdin: { text: … }."
      : undefined;
  return [`There is no node "${excerpt(id)}".${didYouMean(id, known)}`, help];
});

export const stdinMismatch = error("stdin-mismatch", (field: string, wanted: string, source: string) => [
  `"stdin.${field}" needs source: ${wanted}, but the source is ${source}.`,
  `Write source: ${wanted}, or remove "${field}".`,
]);
export const policyBypassNotAdvanced = error("bypass-without-advanced", () => [
  '"flags.executionPolicyBypass" needs safetyLevel: advanced.',
  "If you trust the command, set safetyLevel: advanced. Otherwise remove the flag.",
]);
export const approvalBypassed = warning("approval-bypassed", () => [
  '"needsUserApproval" has no effect, because nodes with safetyLevel: advanced never ask.',
  "Remove one of the two.",
]);
export const namesWithoutExpose = error("names-without-expose-parents", () => [
  '"env.names" needs env.exposeParents: true.',
  "Add exposeParents: true.",
]);
export const namesBeyondParents = error("names-beyond-parents", (names: number, parents: readonly string[]) => [
  `"env.names" has ${names} names, but ${parentsSaid(parents)}.`,
]);
export const badEnvName = error("bad-env-name", (name: string) => [
  `"${excerpt(name)}" is not a valid name of an environment variable.`,
  "Use letters, digits, and _. The first character must not be a digit.",
]);
export const reservedEnvName = error("reserved-name", (name: string) => [
  `"${excerpt(name)}" begins with CURLEW_, which is reserved for variables that Curlew sets.`,
  "Choose another name.",
]);
export const dangerousEnv = warning("dangerous-env", (name: string) => [
  `Setting "${excerpt(name)}" can make programs run other code or behave differently.`,
  "Set it only if you mean to.",
]);
export const dangerousEnvTemplate = error("dangerous-env-template", (name: string) => [
  `"${excerpt(name)}" can make programs run other code, so it must not contain a value of the run.`,
  "Write a fixed value, or use a variable with another name.",
]);
export const badModel = error("bad-model", (model: string) => [
  `The model "${excerpt(model)}" has no provider.`,
  "Write provider/model, such as anthropic/claude-sonnet-4-5, openai/gpt-5 or ollama/llama3.2.",
]);
export const badName = error("bad-name", (field: string, name: string) => [
  `${field} cannot be "${excerpt(name)}", because \${${excerpt(name)}} is not a valid reference.`,
  "A name begins with a letter or _ and contains only letters, digits, and _.",
]);
export const reservedName = error("reserved-name", (field: string, name: string) => [
  `${field} must not be "${excerpt(name)}", because this name has another meaning in expressions.`,
  "Choose another name.",
]);
export const duplicateVariable = error("duplicate-variable", (name: string, other: string, line: number) => [
  `Node "${excerpt(other)}" on line ${line} already has the name "${excerpt(name)}".`,
  "Each Variable and Accumulator needs its own name.",
]);
export const variableLikeInput = warning("variable-like-input", (name: string, what: "input" | "secret") => [
  `"${excerpt(name)}" is also ${what === "input" ? "an input" : "a secret"} of the workflow. \${${excerpt(name)}} means the value of this node.`,
  "If you need both, rename one of them.",
]);
export const sameLoopNames = error("duplicate-variable", (name: string) => [
  `"as" and "loopVariable" are both "${excerpt(name)}".`,
  "Give the item and the counter different names.",
]);
export const loopWithoutKind = error("loop-without-count", (node: string) => [
  `Loop "${excerpt(node)}" does not say how many iterations it has.`,
  'Add "iterations", "items", or "while" to it, or "until" to its loop end.',
]);
export const loopWithTwoKinds = error("loop-with-two-counts", (node: string, fields: readonly string[]) => [
  `Loop "${excerpt(node)}" has ${listed(fields)}, but a loop can have only one of them.`,
  "Remove all but one.",
]);
export const loopFieldUnused = error("loop-field-without-effect", (field: string, wanted: string) => [
  `"${field}" has no effect without "${wanted}".`,
  `Add "${wanted}", or remove "${field}".`,
]);
export const badCount = error("bad-count", (field: string, seen: unknown) => [
  `"${field}" must be an integer or a template such as \${pages}, but is ${typeof seen === "string" ? `"${excerpt(seen)}"` : excerpt(seen)}.`,
]);
export const countAboveLimit = error("iterations-above-limit", (count: number, limit: number) => [
  `The loop has ${count} iterations, but "maxIterations" allows ${limit}. It would fail.`,
  `Set maxIterations: ${count}, or reduce the iterations.`,
]);
export const flattenWithoutJson = warning("flatten-without-json", () => [
  '"flatten" has no effect without format: json.',
  "Add format: json, or remove it.",
]);
export const ifWithoutParent = error("if-without-question", (node: string) => [
  `The if node "${excerpt(node)}" has neither a condition nor a parent.`,
  "Add a condition (if: …), or an edge to it from the node whose success it should check.",
]);
export const zeroDuration = error("zero-duration", (field: string) => [
  `"${field}" must be longer than 0.`,
  "Use a longer time, or remove the field.",
]);
export const unknownAuth = warning("unknown-auth", (name: string, known: readonly string[]) => [
  `"auth" of this workflow has no entry "${excerpt(name)}".${didYouMean(name, known)}`,
  "Add it there or in config.yaml. Without it, a run does not start.",
]);
export const badAuth = error("bad-auth", (message: string, help?: string) => [message, help]);
export const badEgressHost = error("bad-egress-host", (entry: string) => [
  `"${excerpt(entry)}" is not a valid host name.`,
  "Write a name (api.example.com), a wildcard (*.example.com), or an IP address, without https://, port, and path.",
]);
