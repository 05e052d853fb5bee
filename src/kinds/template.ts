// template: fills in `${…}` in fields that no shell reads (spec 1.3), and resolves members and filters for shell
// fields.
//   T1. One pass: a filled-in value is never scanned again.
//   T2. A missing member, a value that is not JSON, and a filter that does not apply give a Failure that names the
//       reference, never an empty text.
//   T3. A member that is null gives an empty text, and `null` with the filter `json`. `onNull` reports it.
//   T4. A Failure shows values masked, and never a part of a secret.
//   T5. A default replaces a value that is absent, and its members. A value that is there never needs one.
//   T6. `|json` is one JSON string with its quotes, whatever the value is. `|sh` is exactly one word for a POSIX shell
//       that parses it once more. `|file` needs a file, which the executor creates (script-values.ts).

import { type Failure, failureOf } from "../base/failure.ts";
import { err, ok, type Result } from "../base/result.ts";
import {
  describeReference,
  FILTERS,
  JSON_STRING,
  memberPath,
  parseTemplate,
  type Reference,
  stringReferencesOf,
} from "../shell/template.ts";
import { memberOf } from "./template-members.ts";

/** The text of a name. Undefined if the name is unknown. */
export type Lookup = (reference: Reference) => Result<string, Failure> | undefined;

/** Masks a text for display (T4). */
export type Mask = (text: string) => string;
const asItIs: Mask = (text) => text;

/** Told about every member that is null (T3). */
export type OnNull = (reference: Reference) => void;

/**
 * The text with every reference filled in. `isJson`: the text may be JSON, and a value inside a JSON string must need
 * no escaping there (spec 4.1). Failures: `template-unknown-name`, `template-not-json`, `template-missing-member`,
 * `template-unknown-filter`, `template-filter`, `value-json-string`, and those of `lookup`.
 * @example renderTemplate("Hello ${1.name}", () => ok('{"name":"Ann"}')) // ok("Hello Ann")
 */
export function renderTemplate(
  text: string,
  lookup: Lookup,
  mask: Mask = asItIs,
  onNull?: OnNull,
  isJson = false,
): Result<string, Failure> {
  if (!text.includes("${")) return ok(text);
  const inStrings = new Set(isJson ? stringReferencesOf(text).map(({ start }) => start) : []);
  let done = "";
  for (const part of parseTemplate(text)) {
    if (part.kind === "text") {
      done += part.text;
      continue;
    }
    const filled = fill(part, lookup(part) ?? err(unknownName(part)), mask, onNull);
    if (!filled.ok) return filled;
    if (inStrings.has(part.start) && JSON.stringify(filled.value) !== `"${filled.value}"`)
      return err(needsEscaping(part));
    done += filled.value;
  }
  return ok(done);
}

/** Applies a reference to a value: its member, then its filter. `file` works only in shell fields and fails here. */
export function resolveReference(
  reference: Reference,
  text: string,
  mask: Mask = asItIs,
  onNull?: OnNull,
): Result<string, Failure> {
  const resolved = resolve(reference, text, onNull);
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
  const checked = again(shown);
  return checked.ok ? { code: failure.code, message: "A value with a secret in it does not fit here." } : checked.error;
}

function resolve(reference: Reference, text: string, onNull?: OnNull): Result<string, Failure> {
  const member = reference.members.length === 0 ? ok(text) : memberOf(reference, text);
  if (!member.ok) return member;
  if (member.value === undefined && reference.filter === "json") return ok("null");
  if (member.value === undefined) onNull?.(reference);
  const value = member.value ?? "";
  return reference.filter === undefined ? ok(value) : applyFilter(reference, reference.filter, value);
}

/** T5. The reference with its value, or its default as the whole value. */
export function orDefault<R extends Pick<Reference, "members" | "default">, V>(
  reference: R,
  value: Result<V, Failure>,
  made: (text: string) => V,
): Result<{ reference: R; value: V }, Failure> {
  if (value.ok) return ok({ reference, value: value.value });
  if (value.error.code !== "value-absent" || reference.default === undefined) return value;
  return ok({ reference: { ...reference, members: [] }, value: made(reference.default) });
}

/** `why`: what became of the node. */
export const absent = failureOf(
  "value-absent",
  (reference: Pick<Reference, "root" | "members" | "filter">, why: string) => [
    `${describeReference(reference)} has no value: ${why}.`,
    why.endsWith(" failed")
      ? "In its error branch, ${failure.message}, ${failure.status}, and ${failure.body} tell what happened."
      : `Give it a default: ${describeReference({ ...reference, default: "" })}, or use it only on that branch.`,
  ],
);

function fill(given: Reference, text: Result<string, Failure>, mask: Mask, onNull?: OnNull): Result<string, Failure> {
  const found = orDefault(given, text, (fallback) => fallback);
  if (!found.ok) return found;
  const { reference, value } = found.value;
  if (reference.members.length === 0 && reference.filter === undefined) return ok(value);
  return resolveReference(reference, value, mask, onNull);
}

function needsEscaping(reference: Reference): Failure {
  return {
    code: JSON_STRING.code,
    message: `${describeReference(reference)} ${JSON_STRING.says}`,
    hint: JSON_STRING.hint,
  };
}

function unknownName(reference: Reference): Failure {
  const parent = /^[0-9]/.test(reference.root);
  return {
    code: "template-unknown-name",
    message: parent
      ? `\${${reference.root}} names a parent that this node does not have.`
      : `"${reference.root}" is not defined.`,
    hint: parent
      ? "Add an edge to this node. ${1} is its first parent."
      : "Define a Variable node, an input, or an environment variable with that name. For a literal ${, write $${.",
  };
}

type Named = Pick<Reference, "root" | "members">;

/** Failures: `template-unknown-filter`, `template-filter`. */
function applyFilter(reference: Named, filter: string, text: string): Result<string, Failure> {
  switch (filter) {
    case "json":
      return ok(JSON.stringify(text));
    case "uri":
      return text.isWellFormed() ? ok(percentEncode(text)) : err(notText(reference, filter));
    case "b64":
      return text.isWellFormed() ? ok(Buffer.from(text, "utf8").toString("base64")) : err(notText(reference, filter));
    case "int":
      return integer(reference, text);
    case "arg":
      return ok(text);
    case "sh":
      return ok(`'${text.replaceAll("'", "'\\''")}'`);
    case "file":
      return err(fileNotHere(reference));
    default:
      return err(unknownFilter(reference, filter));
  }
}

/** Encodes everything except RFC 3986 unreserved characters. encodeURIComponent leaves five others unchanged. */
function percentEncode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

function integer(reference: Named, text: string): Result<string, Failure> {
  const trimmed = text.trim();
  // BigInt drops leading zeros, which a shell would read as octal.
  if (/^[+-]?[0-9]{1,40}$/.test(trimmed)) return ok(BigInt(trimmed.replace(/^\+/, "")).toString());
  return err({
    code: "template-filter",
    message: `\${${named(reference)}|int} needs an integer, but the value is ${JSON.stringify(text.slice(0, 40))}.`,
  });
}

const notText = failureOf("template-filter", (reference: Named, filter: string) => [
  `\${${named(reference)}|${filter}} cannot be computed: the value holds half a surrogate pair, which no UTF-8 text can.`,
]);
const fileNotHere = failureOf("template-filter", (reference: Named) => [
  `\${${named(reference)}|file} is for commands: it is the path of a file that lives as long as the command.`,
  "Use it in the content of a CLI node.",
]);
const unknownFilter = failureOf("template-unknown-filter", (reference: Named, filter: string) => [
  `\${${named(reference)}|${filter}}: there is no filter "${filter}". There are ${FILTERS.join(", ")}.`,
]);

/** The reference without its filter, as the author wrote it: `1.items[0].id`. */
function named({ root, members }: Named): string {
  return root + memberPath(members);
}
