// json-tree: reads strict JSON into plain values, with a position for each problem.
//   J1. It accepts exactly the syntax of JSON.parse, but rejects duplicate keys and too deep nesting.
//   J2. The message names the likely habit: a comment, a trailing comma, single quotes.
// Positions of valid values come from the YAML parser, which reads JSON too. It runs only when a position is needed.

import { printParseErrorCode, visit } from "jsonc-parser";
import { limits } from "../base/limits.ts";
import type { Diagnostic } from "./diagnostic.ts";
import * as found from "./diagnostics/document.ts";
import { sourceMap } from "./source-map.ts";
import { anchorsOf, FORBIDDEN, isUnwritable, type Tree } from "./yaml-tree.ts";

export function readJson(file: string, text: string): Tree {
  const source = sourceMap(file, text, () => anchorsOf(text));
  const at = (start: number, length: number) => ({
    file,
    range: source.rangeAt(start, Math.min(start + length, text.length)),
  });
  if (text.trim() === "") return { diagnostics: [found.emptyDocument(at(0, 0))], source };
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => {
    if (diagnostics.length < limits.shapeFindingsMax) diagnostics.push(diagnostic);
  };
  const open: Open[] = [];
  const begin = (closing: Open["closing"]) => (offset: number) => {
    if (open.length >= limits.nestingMax) throw new Stop(found.nestedTooDeeply(at(offset, 1)));
    open.push({ closing, keys: new Set() });
  };
  const end = (): void => void open.pop();
  try {
    visit(
      text,
      {
        onObjectBegin: begin("}"),
        onArrayBegin: begin("]"),
        onObjectEnd: end,
        onArrayEnd: end,
        onObjectProperty(key, offset, length) {
          if (isUnwritable(key)) report(found.badCharacter(at(offset, length), key));
          if (FORBIDDEN.has(key)) report(found.forbiddenKey(at(offset, length), key));
          else if (open.at(-1)?.keys.has(key)) report(found.duplicateKey(at(offset, length), key));
          open.at(-1)?.keys.add(key);
        },
        onLiteralValue(value, offset, length) {
          if (typeof value === "string" && isUnwritable(value)) report(found.badCharacter(at(offset, length), value));
        },
        onError(code, offset) {
          const name = printParseErrorCode(code);
          const closing = MISSING_END[name] ?? open.at(-1)?.closing;
          const { start, length, message, help } = mistake(text, name, offset, closing);
          throw new Stop(found.jsonSyntax(at(start, length), message, help));
        },
      },
      { disallowComments: true },
    );
    return diagnostics.length > 0 ? { diagnostics, source } : { plain: JSON.parse(text), diagnostics, source };
  } catch (thrown) {
    if (thrown instanceof Stop) return { diagnostics: [...diagnostics, thrown.diagnostic], source };
    const message = thrown instanceof Error ? `${thrown.message}.` : "This is not JSON.";
    return { diagnostics: [...diagnostics, found.jsonSyntax(at(0, 1), message)], source };
  }
}

/** An object or list that is being read, with its keys so far. */
interface Open {
  closing: "}" | "]";
  keys: Set<string>;
}

/** Thrown to stop at the first syntax error. */
class Stop extends Error {
  readonly diagnostic: Diagnostic;
  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
  }
}

interface Mistake {
  start: number;
  length: number;
  message: string;
  help?: string;
}

/** J2. */
function mistake(text: string, code: string, start: number, closing: Open["closing"] | undefined): Mistake {
  const here = (message: string, help?: string, length = 1): Mistake => ({ start, length, message, help });
  const before = text.slice(0, start).trimEnd().at(-1);
  const wanted = expected(before, code, closing);
  if (start >= text.length) {
    const message = `The file ends after this, where ${wanted} is expected.`;
    return { start: text.trimEnd().length - 1, length: 1, message };
  }
  const rest = text.slice(start, start + 40);
  if (/^(?:\/[/*]|#)/.test(rest))
    return here("JSON has no comments.", "Remove it, or keep the workflow as YAML: NAME.flow.yaml");
  if (rest.startsWith("'")) return here("JSON strings need double quotes.", "Write \"…\" instead of '…'.");
  if (closing === undefined && before !== undefined) return here("Something follows after the end of the document.");
  if (OF_TEXTS.has(code))
    return here(
      "This string is not closed, or contains a newline or an invalid escape.",
      "Write a newline as \\n and a backslash as \\\\.",
    );
  if (/^[}\]]/.test(rest) && before === ",")
    return here("JSON allows no comma after the last entry.", "Remove the comma before this.");
  if (rest.startsWith('"')) return here(`There is a string where ${wanted} is expected.`);
  const word = /^[\w$]+/.exec(rest)?.[0] ?? String.fromCodePoint(text.codePointAt(start)!);
  return here(`There is "${word}" where ${wanted} is expected.`, undefined, word.length);
}

/** Errors that are reported after the end of the object or list. */
const MISSING_END: Partial<Record<string, Open["closing"]>> = {
  CloseBraceExpected: "}",
  CloseBracketExpected: "]",
};

const OF_TEXTS: ReadonlySet<string> = new Set([
  "UnexpectedEndOfString",
  "InvalidUnicode",
  "InvalidEscapeCharacter",
  "InvalidCharacter",
]);

function expected(before: string | undefined, code: string, closing: string | undefined): string {
  if (code === "ColonExpected") return '":"';
  if (before === "{" || (before === "," && closing === "}")) return "a name in double quotes";
  return before === undefined || /[:[,]/.test(before) ? "a value" : `"," or "${closing}"`;
}
