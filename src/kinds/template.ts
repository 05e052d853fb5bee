// template: fills in `${…}` in fields that no shell reads (spec 1.3), and resolves members and filters for shell
// fields.
//   T1. One pass: a filled-in value is never scanned again.
//   T2. A missing member, a value that is not JSON, and a filter that does not apply give a Failure that names the
//       reference, never an empty text.
//   T3. If every value is available, the result is synchronous: no promise, no tick.
//   T4. A Failure shows values masked, and never a part of a secret.
// Deliberately absent: the meaning of a name (the engine's lookup), shell positions (shell/rewrite/index.ts).

import type { Failure } from "../base/failure.ts";
import { err, ok, type Result } from "../base/result.ts";
import { parseTemplate, type Reference } from "../shell/template.ts";
import { applyFilter } from "./template-filters.ts";
import { memberOf } from "./template-members.ts";

type Now<T> = T | Promise<T>;

/** The text of a name. Undefined if the name is unknown. */
export type Lookup = (reference: Reference) => Now<Result<string, Failure>> | undefined;

/** Masks a text for display (T4). */
export type Mask = (text: string) => string;
const asItIs: Mask = (text) => text;

/**
 * The text with every reference filled in. Failures: `template-unknown-name`, `template-not-json`,
 * `template-missing-member`,
 * `template-unknown-filter`, `template-filter`, and those of `lookup`.
 * @example renderTemplate("Hello ${1.name}", () => ok('{"name":"Ann"}')) // ok("Hello Ann")
 */
export function renderTemplate(text: string, lookup: Lookup, mask: Mask = asItIs): Now<Result<string, Failure>> {
  if (!text.includes("${")) return ok(text);
  const parts = parseTemplate(text);
  let done = "";
  for (const [index, part] of parts.entries()) {
    if (part.kind === "text") {
      done += part.text;
      continue;
    }
    const value = lookup(part) ?? err(unknownName(part));
    if (value instanceof Promise) return renderLater(parts, index, done, value, lookup, mask);
    const filled = fill(part, value, mask);
    if (!filled.ok) return filled;
    done += filled.value;
  }
  return ok(done);
}

/** Applies a reference to a value: its member, then its filter. `file` works only in shell fields and fails here. */
export function resolveReference(reference: Reference, text: string, mask: Mask = asItIs): Result<string, Failure> {
  const resolved = resolve(reference, text);
  return resolved.ok ? resolved : err(withoutSecrets(resolved.error, text, mask, (shown) => resolve(reference, shown)));
}

/** T4. Repeats the failure for the masked text, because a shortened secret could no longer be masked. */
export function withoutSecrets(
  failure: Failure,
  text: string,
  mask: Mask,
  again: (shown: string) => Result<unknown, Failure>,
): Failure {
  const shown = mask(text);
  if (shown === text) return failure;
  const told = again(shown);
  return told.ok ? { code: failure.code, message: "A value with a secret in it does not fit here." } : told.error;
}

function resolve(reference: Reference, text: string): Result<string, Failure> {
  const member = reference.members.length === 0 ? ok(text) : memberOf(reference, text);
  if (!member.ok || reference.filter === undefined) return member;
  return applyFilter(reference, reference.filter, member.value);
}

/** `${1.items[0].id|json}`, as the author wrote it. */
export function describeReference(reference: Pick<Reference, "root" | "members" | "filter">): string {
  const members = reference.members
    .map((member) => (typeof member === "number" ? `[${member}]` : `.${member}`))
    .join("");
  return `\${${reference.root}${members}${reference.filter === undefined ? "" : `|${reference.filter}`}}`;
}

async function renderLater(
  parts: ReturnType<typeof parseTemplate>,
  from: number,
  done: string,
  first: Promise<Result<string, Failure>>,
  lookup: Lookup,
  mask: Mask,
): Promise<Result<string, Failure>> {
  let text = done;
  for (const [index, part] of parts.entries()) {
    if (index < from) continue;
    if (part.kind === "text") {
      text += part.text;
      continue;
    }
    const filled = fill(part, await (index === from ? first : (lookup(part) ?? err(unknownName(part)))), mask);
    if (!filled.ok) return filled;
    text += filled.value;
  }
  return ok(text);
}

function fill(reference: Reference, value: Result<string, Failure>, mask: Mask): Result<string, Failure> {
  if (!value.ok) return value;
  if (reference.members.length === 0 && reference.filter === undefined) return value;
  return resolveReference(reference, value.value, mask);
}

function unknownName(reference: Reference): Failure {
  const parent = /^[0-9]/.test(reference.root);
  return {
    code: "template-unknown-name",
    message: parent
      ? `\${${reference.root}} names a parent that this node does not have.`
      : `Nothing is called "${reference.root}" here.`,
    hint: parent
      ? "Draw an edge to this node; ${1} is its first parent."
      : "Define it as a Variable node, an input or an environment variable; $${ is a literal ${.",
  };
}
