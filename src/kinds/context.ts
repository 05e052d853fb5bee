// context: what a node sees of its run while it is decided or started. The engine fills it, executors only read it.
//   N1. Names come in this order (spec 1.3, 8.1). First a loop variable, innermost first, then env.static of the node, a
//       Variable or Accumulator, an input, a secret, a fact, the id of a node.
//   N2. In fields that no shell reads it can also mean an environment variable of the process.

import type { Warning } from "../base/attempt.ts";
import type { Failure } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import { parseJson } from "../base/tolerant.ts";
import { EMPTY, type Value } from "../base/value.ts";
import type { Masker } from "../secrets/masker.ts";
import { describeReference, parseTemplate, type Reference } from "../shell/template.ts";
import { type FactPlace, factRoots, mayBeJson, STATE } from "../workflow/facts.ts";
import type { Workflow } from "../workflow/model.ts";
import { bringsEvent, EVENT, inputSpecs } from "../workflow/triggers/index.ts";
import { absent, type OnNull, renderTemplate } from "./template.ts";
import { memberOf } from "./template-members.ts";
import { type RunFiles, startOf, valueText } from "./values.ts";

export interface ParentValue {
  id: string;
  path?: string;
  value: Value;
  /** It is a parent because the node names it by its id. */
  reference?: true;
  /** False if the edge was not taken. The parent then keeps its number and has an empty value (1.2, IF). */
  live: boolean;
  exitCode?: number;
  status?: number;
  headers?: Record<string, string>;
}

/** The members of `${failure.…}`. A member that does not apply is empty. */
export interface FailureFacts {
  node: string;
  code: string;
  message: string;
  exitCode: number | "";
  signal: string;
  status: number | "";
  body: string;
  stderr: string;
  attempts: number | "";
}

const NO_FAILURE: FailureFacts = {
  ...{ node: "", code: "", message: "", exitCode: "", signal: "" },
  ...{ status: "", body: "", stderr: "", attempts: "" },
};

/** `url`: empty if no server shows the run. `status`: only at the end. */
export interface RunFacts {
  id: string;
  name: string;
  startedAt: string;
  url: string;
  status?: string;
}

export interface NodeContext {
  /** `fetch`, `fetch[2]`. */
  path: string;
  /** In file order of the edges. `${1}` is index 0. */
  parents(): readonly ParentValue[];
  /**
   * The value of a node by its id (8.1), or why it has none. Undefined if this node does not refer to it; with
   * `byName`, if it does so only by `stdin: id` or `nodes.id`.
   */
  node(id: string, byName?: boolean): { value: Value } | { absent: string } | undefined;
  /** Value of a loop variable or loop item (innermost first), a Variable, or an Accumulator. */
  variable(name: string): Value | undefined;
  /** Whether the workflow defines this name here (1.3), even if it has no value. Facts are not among them. */
  knows(name: string): boolean;
  /** Loop variables and items by name, for expressions. */
  loop(): Record<string, Value>;
  /** The resolved inputs of the run. */
  inputs: Readonly<Record<string, unknown>>;
  /** Inputs of a subflow that the parent filled with a value of a node or an event. */
  handedOn?: readonly string[];
  /** Values of the run's secrets by name. A node gets a secret only by naming it. */
  secrets: ReadonlyMap<string, string>;
  /** The process environment, overridden by `--env-file`, without secrets. */
  environment: Readonly<Record<string, string | undefined>>;
  workflow: Workflow;
  /** Absolute folder of the workflow file. */
  folder: string;
  run: RunFacts;
  trigger: { kind: string; at: string };
  /** Which facts have a value here. */
  place: FactPlace;
  /** The failure that the node may name, if there was one. */
  failure(): FailureFacts | undefined;
  /** The state that was stored before this node (workflow/facts.ts F3). */
  stored?: Readonly<Record<string, string>>;
  /** The number of the attempt that runs, or would run next. */
  attempt: number;
  /** On a cluster: the number of the run's claim, for services that refuse what an earlier owner still sends. */
  fence?: () => number | undefined;
  files: RunFiles;
  /** Problems that do not stop the node. They become part of its record. */
  warnings?: Warning[];
  /** Masks the run's secrets in what a command prints (4.2). */
  masker: Masker;
  /** The program that the approver put in place of the node's own, for this attempt (3.5). */
  edited?: string;
  /** Model usage of earlier attempts of this node. */
  spent?: { tokens: number; usd: number };
  /** Whether the value of this node is a secret (workflow/graph-secrets.ts). */
  isSecret: boolean;
}

/** N1 for fields that no shell reads (`initialValue`, `env.static`, …). */
export function renderField(text: string, context: NodeContext): Result<string, Failure> {
  if (!text.includes("${")) return ok(text);
  const { mask } = context.files;
  return renderTemplate(text, (reference) => textOfReference(reference, context), mask, nullsOf(context));
}

/** Notes a null once per reference. */
export function nullsOf(context: NodeContext): OnNull {
  return (reference) =>
    noteOnce(context, "template-null", `${describeReference(reference)} is null. Curlew used an empty string.`);
}

export function noteOnce({ warnings }: NodeContext, code: string, message: string): void {
  if (warnings?.every((each) => each.message !== message)) warnings.push({ code, message });
}

/**
 * The same for a text that may be JSON: `content` of Text, and with `statics`, the node's env.static, `stdin.literal`
 * and `cwd`.
 */
export function renderText(
  text: string,
  context: NodeContext,
  statics: Readonly<Record<string, string>> = {},
): Result<string, Failure> {
  const lookup = (reference: Reference): ReturnType<typeof textOfReference> =>
    Object.hasOwn(statics, reference.root) && context.loop()[reference.root] === undefined
      ? ok(statics[reference.root]!)
      : textOfReference(reference, context);
  return renderTemplate(text, lookup, context.files.mask, nullsOf(context), true);
}

/**
 * The prompt of an approval. Values are shown between « and », on one line, shortened and masked, so that no value can
 * pass for the author's own words.
 */
export function promptOf(text: string, context: NodeContext): Result<string, Failure> {
  let prompt = "";
  for (const part of parseTemplate(text)) {
    if (part.kind === "text") {
      prompt += part.text;
      continue;
    }
    const filled = renderField(text.slice(part.start, part.end), context);
    if (!filled.ok) return filled;
    prompt += quoted(context.masker.mask(filled.value));
  }
  return ok(prompt);
}

/** A value for display: on one line, shortened, with invisible characters escaped, and marked as a value. */
export function quoted(text: string, bytes = Buffer.byteLength(text)): string {
  const isCut = text.length > limits.approvalInlineCharsMax;
  const line = JSON.stringify(isCut ? text.slice(0, limits.approvalInlineCharsMax) : text).slice(1, -1);
  const seen = line.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ""}}`,
  );
  return `«${seen.replaceAll('\\"', '"').replaceAll("»", "\\»")}${isCut ? `… ${bytes} bytes` : ""}»`;
}

/** The text of a reference's name by N1 without env.static. Undefined if the name is unknown. */
function textOfReference(reference: Reference, context: NodeContext): Result<string, Failure> | undefined {
  const value = valueOfReference(reference, context);
  if (value !== undefined)
    return value.ok ? valueText(value.value, context.files, limits.expressionInputBytesMax) : value;
  const outside = context.environment[reference.root] ?? context.secrets.get(reference.root);
  return outside === undefined ? undefined : ok(outside);
}

/**
 * The value of a reference's name by N1 without env.static and the process environment. Failure: `value-absent`. A
 * default also counts for a skipped parent.
 */
export function valueOfReference(
  reference: Pick<Reference, "root" | "members" | "default" | "filter">,
  context: NodeContext,
): Result<Value, Failure> | undefined {
  const { root } = reference;
  if (reference.default !== undefined && /^[0-9]/.test(root) && context.parents()[Number(root) - 1]?.live === false)
    return err(absent(reference, "that parent was skipped"));
  const defined = definedValue(root, context);
  if (defined !== undefined) return ok(defined);
  if (isFactRoot(root, context)) return factValue(reference, context);
  const found = context.node(root, true);
  if (found === undefined) return undefined;
  return "value" in found ? ok(found.value) : err(absent(reference, found.absent));
}

/**
 * The fact with the one member of its JSON that the reference names (workflow/facts.ts F4). A member that the body of a
 * failure lacks is empty, so that a note about another failure is not lost.
 */
function factValue(reference: Pick<Reference, "root" | "members">, context: NodeContext): Result<Value, Failure> {
  const { root, members } = reference;
  const [name, ...rest] = members;
  const ofJson = rest.length > 0 && mayBeJson(root, name);
  const fact = factsOf(context, ofJson)[root] as Record<string, unknown>;
  if (!ofJson) return ok({ text: inputText(fact) });
  const text = inputText(fact[name!]);
  const found = memberOf({ root: `${root}.${name}`, members: rest }, text);
  if (!found.ok && root === STATE) return found;
  if (!found.ok) noteCutBody(text, context);
  const member = found.ok ? found.value : "";
  return ok({ text: JSON.stringify(members.reduceRight<unknown>(within, member ?? null)) });
}

/** Members of a body that was cut are empty. Without this warning, that looks as if the server had sent none. */
export function noteCutBody(body: string, context: NodeContext): void {
  if (!/^\s*[{[]/.test(body) || parseJson(body) !== undefined) return;
  const message = `failure.body has no members: Curlew read ${Buffer.byteLength(body)} bytes of it, which are not complete JSON.`;
  noteOnce(context, "failure-body-cut", message);
}

function within(value: unknown, member: string | number): unknown {
  if (typeof member === "string" || member > limits.stateValueBytesMax) return { [member]: value };
  return Object.assign(new Array(member + 1), { [member]: value });
}

/** The value of a name by N1 without env.static, ids and the process environment, except for declared secrets. */
export function valueOfName(root: string, context: NodeContext): Value | undefined {
  const defined = definedValue(root, context);
  return defined ?? (isFactRoot(root, context) ? { text: inputText(factsOf(context)[root]) } : undefined);
}

function isFactRoot(root: string, { place }: NodeContext): boolean {
  return factRoots(place.stateNames).includes(root);
}

function definedValue(root: string, context: NodeContext): Value | undefined {
  if (/^[0-9]/.test(root)) return context.parents()[Number(root) - 1]?.value;
  const variable = context.variable(root);
  if (variable !== undefined) return variable;
  if (Object.hasOwn(context.inputs, root)) return { text: inputText(context.inputs[root]) };
  // An optional input without a value is empty, not unknown.
  if (Object.hasOwn(inputSpecs(context.workflow), root)) return EMPTY;
  if (context.workflow.secrets.includes(root)) {
    const secret = context.secrets.get(root);
    return secret === undefined ? undefined : { text: secret };
  }
  return undefined;
}

/**
 * The facts of this node (workflow/facts.ts), for templates and expressions. `whole`: the body of a failure is read as
 * JSON, so it is not shortened.
 */
export function factsOf(context: NodeContext, whole = false): Readonly<Record<string, unknown>> {
  const { run, trigger, attempt, place, failure } = context;
  const facts: Record<string, unknown> = { run, trigger, attempt };
  if (place.stateNames?.length) facts[STATE] = { ...context.workflow.state, ...context.stored };
  if (!place.finally && !place.inErrorBranch) return facts;
  const { body, ...rest } = failure() ?? NO_FAILURE;
  const shown = whole ? body : startOf({ text: body }, context.files, limits.failureTextBytes);
  return { ...facts, failure: { ...rest, body: shown } };
}

/** The event of the webhook or file watch that started this run, as JSON text (2.5). */
export function eventOf({ inputs, workflow }: NodeContext): string | undefined {
  return Object.hasOwn(inputs, EVENT) && bringsEvent(workflow) ? inputText(inputs[EVENT]) : undefined;
}

/** An input as text: a string unchanged, anything else as JSON. */
export function inputText(input: unknown): string {
  return typeof input === "string" ? input : JSON.stringify(input ?? "");
}

/** The first parent whose edge was taken, otherwise the first parent. Undefined without parents. */
export function firstTakenParent(parents: readonly ParentValue[]): ParentValue | undefined {
  return parents.find((parent) => parent.live) ?? parents[0];
}
