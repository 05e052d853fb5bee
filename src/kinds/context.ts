// context: what a node sees of its run while it is decided or started. The engine fills it, executors only read it.
//   N1. A name means, in this order: a loop variable (innermost first), env.static of the node, a Variable or
//       Accumulator, an input or a secret of the workflow. In fields that no shell reads it can also mean an
//       environment variable of the process (spec 1.3).

import type { Failure } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { ok, type Result } from "../base/result.ts";
import { EMPTY, type Value } from "../base/value.ts";
import type { Masker } from "../secrets/masker.ts";
import { parseTemplate, type Reference } from "../shell/template.ts";
import type { Workflow } from "../workflow/model.ts";
import { bringsEvent, EVENT, inputSpecs } from "../workflow/triggers.ts";
import { renderTemplate } from "./template.ts";
import { type Now, type RunFiles, textOf } from "./values.ts";

export interface ParentValue {
  id: string;
  path?: string;
  value: Value;
  /** False if the edge was not taken. The parent then keeps its number and has an empty value (1.2, IF). */
  live: boolean;
  exitCode?: number;
  status?: number;
  headers?: Record<string, string>;
}

export interface NodeContext {
  /** `fetch`, `fetch[2]`. */
  path: string;
  /** In file order of the edges. `${1}` is index 0. */
  parents(): readonly ParentValue[];
  /** Value of a loop variable or loop item (innermost first), a Variable, or an Accumulator. */
  variable(name: string): Value | undefined;
  /** Whether the workflow defines this name here (1.3), even if it has no value. */
  knows(name: string): boolean;
  /** Loop variables and items by name, for expressions. */
  loop(): Record<string, Value>;
  /** The resolved inputs of the run. */
  inputs: Readonly<Record<string, unknown>>;
  /** Values of the run's secrets by name. A node gets a secret only by naming it. */
  secrets: ReadonlyMap<string, string>;
  /** The process environment, overridden by `--env-file`, without secrets. */
  environment: Readonly<Record<string, string | undefined>>;
  workflow: Workflow;
  /** Absolute folder of the workflow file. */
  folder: string;
  run: { id: string; name: string; startedAt: string };
  files: RunFiles;
  /** Masks the run's secrets in what a command prints (4.2). */
  masker: Masker;
  /** The program that the approver put in place of the node's own, for this attempt (3.5). */
  edited?: string;
  /** Model usage of earlier attempts of this node. */
  spent?: { tokens: number; usd: number };
  /** Whether the value of this node is a secret (workflow/graph-secrets.ts). */
  isSecret: boolean;
}

/** N1 for fields that no shell reads (`content` of Text, `initialValue`, `cwd`, `env.static`, …). */
export function renderField(text: string, context: NodeContext): Now<Result<string, Failure>> {
  if (!text.includes("${")) return ok(text);
  return renderTemplate(text, (reference) => textOfName(reference.root, context), context.files.mask);
}

/**
 * The prompt of an approval. Values are shown between « and », on one line, shortened and masked, so that no value can
 * pass for the author's own words.
 */
export async function promptOf(text: string, context: NodeContext): Promise<Result<string, Failure>> {
  let prompt = "";
  for (const part of parseTemplate(text)) {
    if (part.kind === "text") {
      prompt += part.text;
      continue;
    }
    const filled = await renderField(text.slice(part.start, part.end), context);
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

/** N1 for fields that also see the node's env.static: `stdin.literal`, `cwd`. */
export function renderOwnField(
  text: string,
  statics: Readonly<Record<string, string>>,
  context: NodeContext,
): Now<Result<string, Failure>> {
  if (!text.includes("${")) return ok(text);
  return renderTemplate(
    text,
    ({ root }) =>
      Object.hasOwn(statics, root) && context.loop()[root] === undefined
        ? ok(statics[root]!)
        : textOfName(root, context),
    context.files.mask,
  );
}

/** The text of a name by N1 without env.static. Undefined if the name is unknown. */
export function textOfName(root: string, context: NodeContext): Now<Result<string, Failure>> | undefined {
  const value = valueOfName(root, context);
  if (value !== undefined) return textOf(value, context.files, limits.expressionInputBytesMax);
  const outside = context.environment[root] ?? context.secrets.get(root);
  return outside === undefined ? undefined : ok(outside);
}

/** The value of a name by N1 without env.static and the process environment, except for declared secrets. */
export function valueOfName(root: string, context: NodeContext): Value | undefined {
  if (/^[0-9]/.test(root)) return context.parents()[Number(root) - 1]?.value;
  const variable = context.variable(root);
  if (variable !== undefined) return variable;
  if (Object.hasOwn(context.inputs, root)) return { text: inputText(context.inputs[root]) };
  // An optional input without a value is empty, not unknown.
  if (Object.hasOwn(inputSpecs(context.workflow), root)) return EMPTY;
  if (!context.workflow.secrets.includes(root)) return undefined;
  const secret = context.secrets.get(root);
  return secret === undefined ? undefined : { text: secret };
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
export function firstLive(parents: readonly ParentValue[]): ParentValue | undefined {
  return parents.find((parent) => parent.live) ?? parents[0];
}

export type { Reference };
