// json-tree: strict JSON text to plain values, with a place for what is wrong (spec 1.1).
//   J1. What JSON.parse accepts is accepted, and nothing else; besides, a key stands once in a map and nesting is bounded.
//   J2. The message names the habit behind the mistake: a comment, a trailing comma, single quotes.
// Places of what is right come from the YAML parser, which reads JSON too, and only when one is asked for.

import { limits } from "../base/limits.ts";
import type { Diagnostic } from "./diagnostic.ts";
import * as found from "./diagnostics/document.ts";
import { sourceMap } from "./source-map.ts";
import { anchorsOf, FORBIDDEN, isUnwritable, type Tree } from "./yaml-tree.ts";

export function readJson(file: string, text: string): Tree {
  const source = sourceMap(file, text, () => anchorsOf(text));
  const diagnostics: Diagnostic[] = [];
  const at = (start: number, end: number) => ({ file, range: source.rangeAt(start, Math.min(end, text.length)) });
  const outcome = scan(text, (problem) => {
    if (diagnostics.length >= limits.shapeFindingsMax) return;
    diagnostics.push(
      problem.kind === "duplicate"
        ? found.duplicateKey(at(problem.start, problem.end), problem.key)
        : problem.kind === "character"
          ? found.badCharacter(at(problem.start, problem.end), problem.key)
          : found.forbiddenKey(at(problem.start, problem.end), problem.key),
    );
  });
  if (outcome.problem === "deep") diagnostics.push(found.nestedTooDeeply(at(outcome.start, outcome.start + 1)));
  else if (outcome.problem === "empty") diagnostics.push(found.emptyDocument(at(0, 0)));
  else if (outcome.problem === "syntax")
    diagnostics.push(found.jsonSyntax(at(outcome.start, outcome.end), outcome.message, outcome.help));
  return diagnostics.length > 0 || outcome.problem !== undefined
    ? { diagnostics, source }
    : { plain: outcome.value, diagnostics, source };
}

type Outcome =
  | { problem?: undefined; value: unknown }
  | { problem: "deep"; start: number }
  | { problem: "empty" }
  | { problem: "syntax"; start: number; end: number; message: string; help?: string };
type KeyProblem = { kind: "duplicate" | "forbidden" | "character"; key: string; start: number; end: number };

class Stop extends Error {
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super("stop");
    this.outcome = outcome;
  }
}

const SPACE = /[ \t\r\n]*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /true|false|null/y;

function scan(text: string, report: (problem: KeyProblem) => void): Outcome {
  let offset = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = offset;
    const seen = pattern.exec(text)?.[0];
    if (seen !== undefined) offset += seen.length;
    return seen;
  };
  const fail = (message: string, help?: string, length = 1): never => {
    throw new Stop({
      problem: "syntax",
      start: offset,
      end: offset + length,
      message,
      ...(help === undefined ? {} : { help }),
    });
  };
  const unexpected = (wanted: string): never => {
    const rest = text.slice(offset, offset + 2);
    if (offset >= text.length) {
      offset = Math.max(0, text.trimEnd().length - 1);
      return fail(`The file ends after this, where ${wanted} is expected.`);
    }
    if (rest === "//" || rest === "/*" || rest[0] === "#")
      return fail("JSON has no comments.", "Remove it, or keep the workflow as YAML: NAME.flow.yaml");
    if (rest[0] === "'") return fail("A text in JSON stands in double quotes.", "Write \"…\" instead of '…'.");
    if (rest[0] === '"')
      return fail(
        "This text is not closed, or holds a line break or a wrong escape.",
        "Write a line break as \\n and a backslash as \\\\.",
      );
    if ((rest[0] === "}" || rest[0] === "]") && /,[ \t\r\n]*$/.test(text.slice(0, offset)))
      return fail("JSON allows no comma after the last entry.", "Remove the comma before this.");
    const word =
      /^[\w$]{1,40}/.exec(text.slice(offset, offset + 40))?.[0] ?? String.fromCodePoint(text.codePointAt(offset)!);
    return fail(`"${word}" stands where ${wanted} is expected.`, undefined, word.length);
  };
  const space = () => void match(SPACE);
  const value = (depth: number): unknown => {
    space();
    const first = text[offset];
    if (first === "{" || first === "[") {
      if (depth >= limits.nestingMax) throw new Stop({ problem: "deep", start: offset });
      offset++;
      return first === "{" ? object(depth + 1) : array(depth + 1);
    }
    if (first === '"') return string("a value");
    const word = match(WORD);
    if (word !== undefined) return word === "null" ? null : word === "true";
    const number = match(NUMBER);
    return number === undefined ? unexpected("a value") : Number(number);
  };
  const string = (wanted: string): string => {
    const start = offset;
    const seen = match(STRING);
    if (seen === undefined) return unexpected(wanted);
    const said = JSON.parse(seen) as string;
    if (isUnwritable(said)) report({ kind: "character", key: said, start, end: offset });
    return said;
  };
  const array = (depth: number): unknown[] => {
    const items: unknown[] = [];
    space();
    if (text[offset] === "]") {
      offset++;
      return items;
    }
    for (;;) {
      items.push(value(depth));
      if (closed("]")) return items;
    }
  };
  const object = (depth: number): Record<string, unknown> => {
    const fields: Record<string, unknown> = {};
    space();
    if (text[offset] === "}") {
      offset++;
      return fields;
    }
    for (;;) {
      space();
      const start = offset;
      const key = string("a name in double quotes");
      const end = offset;
      space();
      if (text[offset] !== ":") unexpected('":"');
      offset++;
      const item = value(depth);
      if (FORBIDDEN.has(key)) report({ kind: "forbidden", key, start, end });
      else if (Object.hasOwn(fields, key)) report({ kind: "duplicate", key, start, end });
      else fields[key] = item;
      if (closed("}")) return fields;
    }
  };
  /** After an entry: a comma, or the end of the list or map. */
  const closed = (end: "]" | "}"): boolean => {
    space();
    const seen = text[offset];
    if (seen !== "," && seen !== end) unexpected(`"," or "${end}"`);
    offset++;
    return seen === end;
  };
  try {
    space();
    if (offset >= text.length) return { problem: "empty" };
    const result = value(0);
    space();
    if (offset < text.length) fail("Something follows after the end of the document.");
    return { value: result };
  } catch (thrown) {
    if (thrown instanceof Stop) return thrown.outcome;
    throw thrown;
  }
}
