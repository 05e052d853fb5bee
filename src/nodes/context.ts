// context: what a node sees of its run while it is decided or started. The engine fills it; executors only read.
//   N1. A name means, in this order: a loop variable (innermost first), env.static of the node, a Variable or Accumulator, an input or
//       a secret of the workflow; in fields that no shell reads also the environment of the process (spec 1.3).

import type { Failure } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { ok, type Result } from "../base/result.ts";
import { EMPTY, type Value } from "../base/value.ts";
import type { Masker } from "../secrets/masker.ts";
import type { Workflow } from "../workflow/model.ts";
import { parseTemplate, type Reference } from "../workflow/template.ts";
import { bringsEvent, EVENT, inputSpecs } from "../workflow/triggers.ts";
import { renderTemplate } from "./template.ts";
import { type Now, type RunFiles, textOf } from "./values.ts";

export interface ParentValue {
  id: string;
  path?: string;
  value: Value;
  /** False when the edge was not taken: the parent keeps its number with an empty value (1.2, IF). */
  live: boolean;
  exitCode?: number;
  status?: number;
  headers?: Record<string, string>;
}

export interface NodeContext {
  /** `fetch`, `fetch[2]`. */
  path: string;
  /** In file order of the edges; `${1}` is index 0. */
  parents(): readonly ParentValue[];
  /** Loop variables and loop items in scope, innermost first, Variables and Accumulators. */
  variable(name: string): Value | undefined;
  /** Whether a name means something of the workflow's here, whatever its value (1.3). */
  knows(name: string): boolean;
  /** Loop variables and items alone, by name, for expressions. */
  loop(): Record<string, Value>;
  /** The resolved inputs of the run. */
  inputs: Readonly<Record<string, unknown>>;
  /** Values of the run's secrets, by name; a node gets one by naming it. */
  secrets: ReadonlyMap<string, string>;
  /** Process environment with `--env-file` laid over it, without secrets. */
  environment: Readonly<Record<string, string | undefined>>;
  workflow: Workflow;
  /** Folder of the workflow file, absolute. */
  folder: string;
  run: { id: string; name: string; startedAt: string };
  files: RunFiles;
  /** Takes the run's secrets out of what a command prints (4.2). */
  masker: Masker;
  /** The program that the approver put in the place of the node's own, for this attempt (3.5). */
  edited?: string;
  /** What earlier attempts of this node have spent on a language model. */
  spent?: { tokens: number; usd: number };
  /** The value of this node is a secret (workflow/graph-secrets.ts). */
  isSecret: boolean;
}

/** N1 for fields that no shell reads (`content` of Text, `initialValue`, `cwd`, `env.static`, …). */
export function renderField(text: string, context: NodeContext): Now<Result<string, Failure>> {
  if (!text.includes("${")) return ok(text);
  return renderTemplate(text, (reference) => textOfName(reference.root, context), context.files.mask);
}

/**
 * The question of an approval. What is filled in is shown between « and », on one line and cut, without secrets: no value can pass
 * itself off as the author's own words.
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

/** A value in a text for people: on one line, cut, with nothing that nobody sees, and seen to be a value. */
export function quoted(text: string, bytes = Buffer.byteLength(text)): string {
  const isCut = text.length > limits.approvalInlineCharsMax;
  const line = JSON.stringify(isCut ? text.slice(0, limits.approvalInlineCharsMax) : text).slice(1, -1);
  const seen = line.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ""}}`,
  );
  return `«${seen.replaceAll('\\"', '"').replaceAll("»", "\\»")}${isCut ? `… ${bytes} bytes` : ""}»`;
}

/** N1 for the node's own fields that see its env.static: `stdin.literal`, `cwd`. */
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

/** A name's text by N1 without env.static; undefined when nothing has that name. */
export function textOfName(root: string, context: NodeContext): Now<Result<string, Failure>> | undefined {
  const value = valueOfName(root, context);
  if (value !== undefined) return textOf(value, context.files, limits.expressionInputBytesMax);
  const outside = context.environment[root] ?? context.secrets.get(root);
  return outside === undefined ? undefined : ok(outside);
}

/** A name's value by N1 without env.static and without the process environment, except for declared secrets. */
export function valueOfName(root: string, context: NodeContext): Value | undefined {
  if (/^[0-9]/.test(root)) return context.parents()[Number(root) - 1]?.value;
  const variable = context.variable(root);
  if (variable !== undefined) return variable;
  if (Object.hasOwn(context.inputs, root)) return { text: inputText(context.inputs[root]) };
  // An optional input that nobody gave has a name and no value: it is empty.
  if (Object.hasOwn(inputSpecs(context.workflow), root)) return EMPTY;
  if (!context.workflow.secrets.includes(root)) return undefined;
  const secret = context.secrets.get(root);
  return secret === undefined ? undefined : { text: secret };
}

/** What a webhook or a file watch has brought to this run, as JSON text (2.5). */
export function eventOf({ inputs, workflow }: NodeContext): string | undefined {
  return Object.hasOwn(inputs, EVENT) && bringsEvent(workflow) ? inputText(inputs[EVENT]) : undefined;
}

/** An input as text: a string as it is, anything else as JSON. */
export function inputText(input: unknown): string {
  return typeof input === "string" ? input : JSON.stringify(input ?? "");
}

/** The first parent whose edge was taken, else the first parent, else nothing. */
export function firstLive(parents: readonly ParentValue[]): ParentValue | undefined {
  return parents.find((parent) => parent.live) ?? parents[0];
}

export type { Reference };
