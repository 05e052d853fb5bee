// diagnostics/document: findings about the text as YAML or JSON, and about the shape of the workflow.

import { limits } from "../../base/limits.ts";
import { didYouMean, listed } from "../nearest.ts";
import { error, excerpt } from "./base.ts";

export const documentTooLarge = error("document-too-large", (bytes: number) => [
  `This file has ${bytes} bytes. The limit is ${limits.documentBytesMax}.`,
  "Move large data into separate files that a command reads, or split the workflow with subflows.",
]);
export const nestedTooDeeply = error("nested-too-deeply", () => [
  `Objects and lists are nested more than ${limits.nestingMax} levels deep.`,
]);

export const badCharacter = error("bad-character", (text: string) => [
  text.includes("\0")
    ? "This text contains a NUL character, which commands and file names cannot contain."
    : "This text contains a lone surrogate (\\ud800 to \\udfff), which cannot be written as UTF-8.",
]);

export const tooManyAliases = error("too-many-aliases", () => [
  `This file expands YAML aliases (*name) more than ${limits.aliasesMax} times, including aliases inside aliases.`,
]);
export const unknownAlias = error("yaml-alias", (name: string) => [
  `"*${excerpt(name)}" is a YAML alias, but there is no anchor "&${excerpt(name)}" before it.`,
  "Put strings that begin with * in quotes.",
]);
export const multipleDocuments = error("multiple-documents", () => [
  'A second YAML document begins here ("---"). A file can contain only one workflow.',
  "Move it to a separate file. To run it from this workflow, add a subflow node.",
]);
export const emptyDocument = error("empty-document", () => [
  "This file contains no workflow.",
  "Create one with `curlew new`, or write: curlew: 1",
]);
export const notAMap = error("not-a-workflow", (seen: string) => [
  `A workflow file must contain an object, but this one contains ${seen}.`,
]);
export const yamlSyntax = error("yaml-syntax", (message: string, help?: string) => [message, help]);
export const jsonSyntax = error("json-syntax", (message: string, help?: string) => [message, help]);
export const tabIndent = error("tab-indent", () => [
  "This line is indented with a tab. YAML allows only spaces.",
  "Replace the tab with two spaces.",
]);
export const unknownTag = error("yaml-tag", (tag: string) => [
  `Curlew does not support the YAML tag ${excerpt(tag)}.`,
  "Remove it, or put the string in quotes.",
]);
export const duplicateKey = error("duplicate-key", (key: string) => [
  `The key "${excerpt(key)}" appears twice in the same object.`,
  "Remove one of them.",
]);
export const forbiddenKey = error("forbidden-key", (key: string) => [
  `"${excerpt(key)}" is not allowed as a name.`,
  "Choose another name.",
]);
export const badKey = error("bad-key", () => [
  "A key must be a string, but this one is an object or a list.",
  "Put strings in quotes.",
]);
export const badMerge = error("bad-merge", () => [
  'The value of the merge key "<<" must be an alias of an object, or a list of such aliases.',
]);

export const unknownField = error("unknown-field", (field: string, where: string, known: readonly string[]) => {
  const near = suggestion(field, known);
  if (near === "" && where === '"env"')
    return [
      `"env" has no field "${excerpt(field)}". Variables belong under "env.static".`,
      `Write env: { static: { ${excerpt(field)}: … } }`,
    ];
  return [
    `${where} has no field "${excerpt(field)}".${near}`,
    near === "" ? `Known fields: ${listed([...known].sort(), 40)}. Begin other keys with "x-".` : undefined,
  ];
});

export const missingField = error("missing-field", (field: string, where: string) => [
  `${where} has no "${field}", which is required.`,
]);

/** `fields`: the fields of the object that is expected. */
export const wrongType = error(
  "wrong-type",
  (field: string, expected: string, seen: unknown, fields?: readonly string[]) => {
    const isBareScalar = typeof seen === "number" || typeof seen === "boolean";
    const quotes = isBareScalar && expected === "a string" ? `Put it in quotes: "${String(seen)}".` : undefined;
    const help = fields === undefined ? quotes : `Known fields: ${listed([...fields], 40)}.`;
    return [
      seen === null
        ? `${field} must be ${expected}, but it is empty.`
        : `${field} must be ${expected}, but is ${kindOf(seen)}.`,
      help,
    ];
  },
);

export const notAllowed = error("value-not-allowed", (field: string, seen: unknown, allowed: readonly string[]) => {
  const near = typeof seen === "string" ? suggestion(seen, allowed) : "";
  return [`${field} cannot be "${excerpt(seen)}".${near}`, `Allowed: ${alternatives(allowed)}.`];
});

export const outOfRange = error("out-of-range", (field: string, rule: string, seen: unknown) => [
  `${field} must be ${rule}, but is ${excerpt(seen)}.`,
]);
export const emptyValue = error("empty-value", (field: string, help?: string) => [`${field} is empty.`, help]);
export const badDuration = error("bad-duration", (field: string, why: string) => [`${field}: ${why}`]);
export const badSize = error("bad-size", (field: string, why: string) => [`${field}: ${why}`]);
export const formatMissing = error("format-missing", () => [
  "This file does not state its format version.",
  "Add this line at the top: curlew: 1",
]);
export const formatNewer = error("format-newer", (seen: unknown) => [
  `This file has format version ${excerpt(seen)}, but this version of Curlew reads only version 1.`,
  "Install a newer version: npm install -g curlew@latest",
]);
export const formatUnknown = error("format-unknown", (seen: unknown) => [
  `"curlew" must be the format version, an integer, but is ${kindOf(seen)}.`,
  "Write: curlew: 1",
]);
export const tooManyNodes = error("too-many-nodes", (count: number) => [
  `This workflow has ${count} nodes. The limit is ${limits.nodesMax}.`,
  "Use a loop, or split the workflow with subflows.",
]);
export const tooManyEdges = error("too-many-edges", (count: number) => [
  `This workflow has ${count} edges. The limit is ${limits.edgesMax}.`,
  "Use a loop, or split the workflow with subflows.",
]);
export const tooManyDiagnostics = error("too-many-findings", (more: number) => [
  `${more} more ${more === 1 ? "finding is" : "findings are"} not shown. Fix the first ones and check again.`,
]);

export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (typeof value === "object") return "an object";
  if (typeof value === "string") return value === "" ? "an empty string" : `the string "${excerpt(value)}"`;
  if (typeof value === "number") return `the number ${excerpt(value)}`;
  return excerpt(value);
}

function alternatives(words: readonly string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

/** The Curlew word for another tool's, or the nearest known word. */
function suggestion(word: string, known: readonly string[]): string {
  const other = OTHER_WORDS[word.toLowerCase().replaceAll(/[-_]/g, "")]?.find((candidate) => known.includes(candidate));
  return other === undefined ? didYouMean(word, known) : ` Did you mean "${other}"?`;
}

/** Words of other tools, with Curlew's words. */
const OTHER_WORDS: Record<string, readonly string[]> = {
  command: ["run", "content"],
  commands: ["run", "content"],
  cmd: ["run", "content"],
  exec: ["run", "content"],
  execute: ["run", "content"],
  shellcommand: ["run", "content"],
  run: ["content"],
  script: ["content"],
  bash: ["script", "content"],
  sh: ["script", "content"],
  python: ["script", "content"],
  code: ["script", "content"],
  prompt: ["content"],
  question: ["prompt", "content"],
  template: ["text", "content"],
  condition: ["if", "content"],
  when: ["if", "content"],
  depends: ["after"],
  dependson: ["after"],
  dependencies: ["after"],
  needs: ["after"],
  requires: ["after"],
  waitfor: ["after"],
  parents: ["after"],
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
