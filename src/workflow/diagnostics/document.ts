// diagnostics/document: findings about the text as YAML or JSON, and about the shape of the workflow.

import { limits } from "../../base/limits.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { didYouMean, listed } from "../nearest.ts";
import { type At, error, said } from "./base.ts";

export function documentTooLarge(at: At, bytes: number): Diagnostic {
  return error(
    at,
    "document-too-large",
    `This document has ${bytes} bytes; ${limits.documentBytesMax} are allowed.`,
    "Move large data into separate files and read them from a command, or split the workflow with subflows.",
  );
}

export function nestedTooDeeply(at: At): Diagnostic {
  return error(at, "nested-too-deeply", `Maps and lists are nested more than ${limits.nestingMax} deep here.`);
}

export function badCharacter(at: At, text: string): Diagnostic {
  return text.includes("\0")
    ? error(at, "bad-character", "There is a NUL character here. No command and no file name can contain one.")
    : error(
        at,
        "bad-character",
        "There is half of a character here (a lone surrogate, \\ud800 to \\udfff), which cannot be written as UTF-8.",
      );
}

export function tooManyAliases(at: At): Diagnostic {
  return error(
    at,
    "too-many-aliases",
    `YAML aliases (*name) are expanded more than ${limits.aliasesMax} times, counting aliases inside aliases.`,
  );
}

export function unknownAlias(at: At, name: string): Diagnostic {
  return error(
    at,
    "yaml-alias",
    `"*${said(name)}" is a YAML alias, but nothing before it has the anchor "&${said(name)}".`,
    "A text that begins with * needs quotes.",
  );
}

export function multipleDocuments(at: At): Diagnostic {
  return error(
    at,
    "multiple-documents",
    'A second YAML document begins here ("---"); one file holds one workflow.',
    "Move it to a separate file, and call it with a subflow node if it belongs to this one.",
  );
}

export function emptyDocument(at: At): Diagnostic {
  return error(at, "empty-document", "This file holds no workflow.", "Start with `curlew new`, or write: curlew: 1");
}

export function notAMap(at: At, seen: string): Diagnostic {
  return error(at, "not-a-workflow", `A workflow document is a map of fields; this file holds ${seen}.`);
}

export function yamlSyntax(at: At, message: string, help?: string): Diagnostic {
  return error(at, "yaml-syntax", message, help);
}

export function jsonSyntax(at: At, message: string, help?: string): Diagnostic {
  return error(at, "json-syntax", message, help);
}

export function tabIndent(at: At): Diagnostic {
  return error(
    at,
    "tab-indent",
    "A tab indents this line; YAML is indented with spaces only.",
    "Replace the tab by two spaces.",
  );
}

export function unknownTag(at: At, tag: string): Diagnostic {
  return error(
    at,
    "yaml-tag",
    `The YAML tag ${said(tag)} means nothing here.`,
    "Remove it; a text that looks like a tag needs quotes.",
  );
}

export function duplicateKey(at: At, key: string): Diagnostic {
  return error(at, "duplicate-key", `"${said(key)}" stands twice in the same map.`, "Keep one of the two.");
}

export function forbiddenKey(at: At, key: string): Diagnostic {
  return error(at, "forbidden-key", `"${said(key)}" cannot be a name here.`, "Choose another name.");
}

export function badKey(at: At): Diagnostic {
  return error(
    at,
    "bad-key",
    "There is a map or a list where a name is expected.",
    "Put the text in quotes if it is one.",
  );
}

export function badMerge(at: At): Diagnostic {
  return error(at, "bad-merge", 'The merge key "<<" takes an alias of a map, or a list of such aliases.');
}

export function unknownField(at: At, field: string, where: string, known: readonly string[]): Diagnostic {
  const near = suggestion(field, known);
  if (near === "" && where === '"env"')
    return error(
      at,
      "unknown-field",
      `"env" has no field "${said(field)}"; variables stand one level deeper.`,
      `Write env: { static: { ${said(field)}: … } }`,
    );
  return error(
    at,
    "unknown-field",
    `${where} has no field "${said(field)}".${near}`,
    near === "" ? `It has ${listed([...known].sort(), 40)}. Your own keys begin with "x-".` : undefined,
  );
}

export function missingField(at: At, field: string, where: string): Diagnostic {
  return error(at, "missing-field", `${where} has no "${field}"; it is required.`);
}

/** `fields`: the fields of the object that is expected. */
export function wrongType(
  at: At,
  field: string,
  expected: string,
  seen: unknown,
  fields?: readonly string[],
): Diagnostic {
  const isBareScalar = typeof seen === "number" || typeof seen === "boolean";
  const quotes = isBareScalar && expected === "text" ? `Put it in quotes: "${String(seen)}".` : undefined;
  const help = fields === undefined ? quotes : `Its fields are ${listed([...fields], 40)}.`;
  return error(
    at,
    "wrong-type",
    seen === null
      ? `${field} must be ${expected}, but it is empty.`
      : `${field} must be ${expected}, not ${kindOf(seen)}.`,
    help,
  );
}

export function notAllowed(at: At, field: string, seen: unknown, allowed: readonly string[]): Diagnostic {
  const near = typeof seen === "string" ? suggestion(seen, allowed) : "";
  return error(
    at,
    "value-not-allowed",
    `${field} cannot be "${said(seen)}".${near}`,
    `Allowed: ${alternatives(allowed)}.`,
  );
}

export function outOfRange(at: At, field: string, rule: string, seen: unknown): Diagnostic {
  return error(at, "out-of-range", `${field} must be ${rule}, not ${said(seen)}.`);
}

export function emptyValue(at: At, field: string, help?: string): Diagnostic {
  return error(at, "empty-value", `${field} is empty.`, help);
}

export function badDuration(at: At, field: string, why: string): Diagnostic {
  return error(at, "bad-duration", `${field}: ${why}`);
}

export function badSize(at: At, field: string, why: string): Diagnostic {
  return error(at, "bad-size", `${field}: ${why}`);
}

export function formatMissing(at: At): Diagnostic {
  return error(
    at,
    "format-missing",
    "The document does not say its format version.",
    "Add this line at the top: curlew: 1",
  );
}

export function formatNewer(at: At, seen: unknown): Diagnostic {
  return error(
    at,
    "format-newer",
    `This document is of format ${said(seen)}; this Curlew reads format 1.`,
    "Install a newer Curlew: npm install -g curlew@latest",
  );
}

export function formatUnknown(at: At, seen: unknown): Diagnostic {
  return error(
    at,
    "format-unknown",
    `"curlew" is the format version, a whole number, not ${kindOf(seen)}.`,
    "Write: curlew: 1",
  );
}

export function tooManyNodes(at: At, count: number): Diagnostic {
  return error(
    at,
    "too-many-nodes",
    `There are ${count} nodes; ${limits.nodesMax} are allowed.`,
    "Use a loop, or split the workflow with subflows.",
  );
}

export function tooManyEdges(at: At, count: number): Diagnostic {
  return error(
    at,
    "too-many-edges",
    `There are ${count} edges; ${limits.edgesMax} are allowed.`,
    "Use a loop, or split the workflow with subflows.",
  );
}

export function tooManyDiagnostics(at: At, more: number): Diagnostic {
  return error(
    at,
    "too-many-findings",
    `${more} more ${more === 1 ? "finding is" : "findings are"} not shown. Fix the first ones and check again.`,
  );
}

export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (typeof value === "object") return "a map";
  if (typeof value === "string") return value === "" ? "an empty text" : `the text "${said(value)}"`;
  if (typeof value === "number") return `the number ${said(value)}`;
  return said(value);
}

function alternatives(words: readonly string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

/** The nearest known word, or the Curlew word for another tool's. */
function suggestion(word: string, known: readonly string[]): string {
  const near = didYouMean(word, known);
  if (near !== "") return near;
  const other = OTHER_WORDS[word.toLowerCase().replaceAll(/[-_]/g, "")]?.find((candidate) => known.includes(candidate));
  return other === undefined ? "" : ` Did you mean "${other}"?`;
}

/** Words of other tools, with Curlew's words. */
const OTHER_WORDS: Record<string, readonly string[]> = {
  command: ["content"],
  cmd: ["content"],
  run: ["content"],
  script: ["content"],
  prompt: ["content"],
  condition: ["content"],
  name: ["title", "variableName"],
  label: ["title"],
  workdir: ["cwd"],
  workingdirectory: ["cwd"],
  dir: ["cwd"],
  environment: ["env"],
  vars: ["inputs", "static"],
  params: ["inputs"],
  steps: ["nodes"],
  tasks: ["nodes"],
  jobs: ["nodes"],
  connections: ["edges"],
  triggers: ["on"],
  schedule: ["on"],
  retries: ["retry", "maxAttempts"],
  maxretries: ["retry", "maxAttempts"],
  from: ["source"],
  to: ["target"],
  handle: ["sourceHandle"],
  times: ["iterations"],
  count: ["iterations"],
  foreach: ["items"],
  value: ["initialValue", "content"],
  path: ["workflow"],
  file: ["workflow"],
  int: ["integer"],
  bool: ["boolean"],
  text: ["string"],
  float: ["number"],
  min: ["minimum"],
  max: ["maximum"],
};
