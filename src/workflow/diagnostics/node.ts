// diagnostics/node: findings about nodes and their fields.

import { limits } from "../../base/limits.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { didYouMean, listed } from "../nearest.ts";
import { type At, error, said, warning } from "./base.ts";

export function badNodeId(at: At, id: string): Diagnostic {
  const why = id.length > limits.idCharsMax ? `is longer than ${limits.idCharsMax} characters` : "is not an id";
  return error(
    at,
    "bad-node-id",
    `"${said(id)}" ${why}.`,
    "An id begins with a letter or _, followed by letters, digits, _ and -.",
  );
}

export function duplicateNodeId(at: At, id: string, line: number): Diagnostic {
  return error(
    at,
    "duplicate-node-id",
    `A node with the id "${said(id)}" is already on line ${line}.`,
    "Ids are unique in a document.",
  );
}

export function unknownNodeType(at: At, type: string, types: readonly string[]): Diagnostic {
  return error(
    at,
    "unknown-node-type",
    `There is no node type "${said(type)}".${didYouMean(type, types)}`,
    `Types are ${listed(types, 20)}.`,
  );
}

export function defaultForNone(at: At, field: string, known: readonly string[]): Diagnostic {
  return error(
    at,
    "unknown-field",
    `No kind of node has a field "${said(field)}", so it cannot be a default.${didYouMean(field, known)}`,
  );
}

export function noNodes(at: At): Diagnostic {
  return warning(at, "no-nodes", "This workflow has no nodes: a run does nothing.");
}

export function badAnswerSchema(at: At, keyword: string, why: string): Diagnostic {
  const what = keyword === "" ? "The schema" : `"${said(keyword)}" of the schema`;
  return error(
    at,
    "bad-answer-schema",
    `${what} ${why}.`,
    "A JSON Schema describes the answer: https://json-schema.org",
  );
}

export function emptyContent(at: At, name: string, type: string): Diagnostic {
  const what = type === "llm" ? "a prompt" : "a command";
  return error(at, "empty-content", `${name} has ${what} without text: "content" is empty.`);
}

export function parentIndexOutOfRange(at: At, index: number, parents: readonly string[]): Diagnostic {
  return error(
    at,
    "parent-index-out-of-range",
    `"parentIndex" is ${index}, but ${parentsSaid(parents)}.`,
    parentsHelp(parents),
  );
}

export function parentNumberOutOfRange(at: At, number: string, parents: readonly string[]): Diagnostic {
  return error(
    at,
    "parent-out-of-range",
    `\${${number}} is the value of parent ${number}, but ${parentsSaid(parents)}.`,
    parentsHelp(parents),
  );
}

export function inputOutOfRange(at: At, index: number, parents: readonly string[]): Diagnostic {
  return error(
    at,
    "parent-out-of-range",
    `inputs[${index}] is the value of parent ${index + 1}, but ${parentsSaid(parents)}.`,
    "inputs counts from 0: inputs[0] is the first parent.",
  );
}

function parentsSaid(parents: readonly string[]): string {
  if (parents.length === 0) return "no edge leads to this node";
  if (parents.length === 1) return `this node has one parent: ${parents[0]}`;
  return `this node has ${parents.length} parents: ${listed(parents)}`;
}

function parentsHelp(parents: readonly string[]): string {
  return parents.length === 0 ? "Draw an edge to it." : "Parents are counted in the order of the edges in the file.";
}

export function stdinMissing(at: At, field: string, source: string): Diagnostic {
  return error(at, "stdin-mismatch", `"stdin.source" is ${source}, but "stdin.${field}" is missing.`);
}

export function stdinMismatch(at: At, field: string, wanted: string, source: string): Diagnostic {
  return error(
    at,
    "stdin-mismatch",
    `"stdin.${field}" belongs to source: ${wanted}; here it is ${source}.`,
    `Write source: ${wanted}, or remove "${field}".`,
  );
}

export function policyBypassNotAdvanced(at: At): Diagnostic {
  return error(
    at,
    "bypass-without-advanced",
    '"flags.executionPolicyBypass" needs safetyLevel: advanced.',
    "Set safetyLevel: advanced if the command is trusted, or remove the flag.",
  );
}

export function approvalBypassed(at: At): Diagnostic {
  return warning(
    at,
    "approval-bypassed",
    '"needsUserApproval" has no effect here: safetyLevel: advanced bypasses the approval.',
    "Remove one of the two.",
  );
}

export function namesWithoutExpose(at: At): Diagnostic {
  return error(
    at,
    "names-without-expose-parents",
    '"env.names" names the exported parents, but "env.exposeParents" is not true.',
    "Add exposeParents: true.",
  );
}

export function namesBeyondParents(at: At, names: number, parents: readonly string[]): Diagnostic {
  return error(at, "names-beyond-parents", `"env.names" has ${names} names, but ${parentsSaid(parents)}.`);
}

export function badEnvName(at: At, name: string): Diagnostic {
  return error(
    at,
    "bad-env-name",
    `"${said(name)}" cannot be the name of an environment variable.`,
    "Names have letters, digits and _, and do not begin with a digit.",
  );
}

export function reservedEnvName(at: At, name: string): Diagnostic {
  return error(
    at,
    "reserved-name",
    `"${said(name)}" begins with CURLEW_, which is kept for what we tell a command ourselves.`,
    "Choose another name.",
  );
}

export function dangerousEnv(at: At, name: string): Diagnostic {
  return warning(
    at,
    "dangerous-env",
    `"${said(name)}" makes programs run other code or behave differently.`,
    "Set it only when that is what you want.",
  );
}

export function dangerousEnvTemplate(at: At, name: string): Diagnostic {
  return error(
    at,
    "dangerous-env-template",
    `"${said(name)}" makes programs run other code; a value of a run may not set it.`,
    "Write a fixed text, or use a variable of another name.",
  );
}

export function badModel(at: At, model: string): Diagnostic {
  return error(
    at,
    "bad-model",
    `"${said(model)}" is not a model: its provider is missing.`,
    "Write provider/model, such as anthropic/claude-sonnet-4-5, openai/gpt-5 or ollama/llama3.2.",
  );
}

export function badName(at: At, field: string, name: string): Diagnostic {
  return error(
    at,
    "bad-name",
    `${field} cannot be "${said(name)}": it could not be written as \${${said(name)}}.`,
    "A name begins with a letter or _, followed by letters, digits and _.",
  );
}

export function reservedName(at: At, field: string, name: string): Diagnostic {
  return error(
    at,
    "reserved-name",
    `${field} cannot be "${said(name)}": expressions use that name for something else.`,
    "Choose another name.",
  );
}

export function duplicateVariable(at: At, name: string, other: string, line: number): Diagnostic {
  return error(
    at,
    "duplicate-variable",
    `The name "${said(name)}" is already given by node "${said(other)}" on line ${line}.`,
    "Each Variable and Accumulator needs its own name.",
  );
}

export function variableLikeInput(at: At, name: string, what: "input" | "secret"): Diagnostic {
  return warning(
    at,
    "variable-like-input",
    `"${said(name)}" is also ${what === "input" ? "an input" : "a secret"} of the workflow; \${${said(name)}} means this node's value.`,
    "Rename one of the two if both are wanted.",
  );
}

export function sameLoopNames(at: At, name: string): Diagnostic {
  return error(
    at,
    "duplicate-variable",
    `"as" and "loopVariable" are both "${said(name)}".`,
    "Give the item and the counter different names.",
  );
}

export function loopWithoutKind(at: At, node: string): Diagnostic {
  return error(
    at,
    "loop-without-count",
    `Loop "${said(node)}" does not say how often it runs.`,
    'Give "iterations", "items" or "while", or "until" on its loop end.',
  );
}

export function loopWithTwoKinds(at: At, node: string, fields: readonly string[]): Diagnostic {
  return error(
    at,
    "loop-with-two-counts",
    `Loop "${said(node)}" has ${listed(fields)}; a loop has one of them.`,
    "Remove all but one.",
  );
}

export function loopFieldUnused(at: At, field: string, wanted: string): Diagnostic {
  return error(
    at,
    "loop-field-without-effect",
    `"${field}" means something only with "${wanted}".`,
    `Add "${wanted}", or remove "${field}".`,
  );
}

export function badCount(at: At, field: string, seen: unknown): Diagnostic {
  return error(
    at,
    "bad-count",
    `"${field}" must be a whole number or a template like \${pages}, not ${typeof seen === "string" ? `"${said(seen)}"` : said(seen)}.`,
  );
}

export function countAboveLimit(at: At, count: number, limit: number): Diagnostic {
  return error(
    at,
    "iterations-above-limit",
    `${count} iterations are more than "maxIterations" allows: ${limit}. The loop would fail.`,
    `Set maxIterations: ${count}, or fewer iterations.`,
  );
}

export function flattenWithoutJson(at: At): Diagnostic {
  return warning(
    at,
    "flatten-without-json",
    '"flatten" means something only with format: json.',
    "Add format: json, or remove it.",
  );
}

export function ifWithoutParent(at: At, node: string): Diagnostic {
  return error(
    at,
    "if-without-question",
    `The if node "${said(node)}" has no "content" and no parent whose success it could ask for.`,
    'Write a condition into "content", or draw an edge to it.',
  );
}

export function zeroDuration(at: At, field: string): Diagnostic {
  return error(
    at,
    "zero-duration",
    `"${field}" is nothing: it would be over before it begins.`,
    "Give a longer time, or remove the field.",
  );
}

export function unknownAuth(at: At, name: string, known: readonly string[]): Diagnostic {
  return warning(
    at,
    "unknown-auth",
    `The document's "auth" has no entry "${said(name)}".${didYouMean(name, known)}`,
    "Add it there, or in config.yaml of the home; a run does not start without it.",
  );
}

export function badAuth(at: At, message: string, help?: string): Diagnostic {
  return error(at, "bad-auth", message, help);
}

export function badEgressHost(at: At, entry: string): Diagnostic {
  return error(
    at,
    "bad-egress-host",
    `"${said(entry)}" is not the name of a host.`,
    "A name (api.example.com), all names below one (*.example.com), or an address; no https://, no port, no path.",
  );
}
