// languages: syntax highlighting for fields (ui 6.3). A script's first line chooses the language, as in a run.
//   L1. Each language is made once. A field asks for its language on every render, and CodeMirror never frees one.

import { json } from "@codemirror/lang-json";
import { yaml } from "@codemirror/lang-yaml";
import { StreamLanguage, type StreamParser } from "@codemirror/language";
import { javascript } from "@codemirror/legacy-modes/mode/javascript";
import { perl } from "@codemirror/legacy-modes/mode/perl";
import { powerShell } from "@codemirror/legacy-modes/mode/powershell";
import { python } from "@codemirror/legacy-modes/mode/python";
import { ruby } from "@codemirror/legacy-modes/mode/ruby";
import { shell } from "@codemirror/legacy-modes/mode/shell";
import type { Extension } from "@codemirror/state";
import type { LanguageName } from "./language-name.ts";

const KEYWORDS = new Set(["and", "or", "in", "true", "false", "null", "function"]);

/** JSONata, with just enough grammar for highlighting. */
const expression: StreamParser<null> = {
  startState: () => null,
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^"(?:\\.|[^"\\])*"?/) || stream.match(/^'(?:\\.|[^'\\])*'?/)) return "string";
    if (stream.match(/^-?\d+(?:\.\d+)?/)) return "number";
    if (stream.match(/^\/\*.*?(?:\*\/|$)/)) return "comment";
    if (stream.match(/^\$[A-Za-z_]\w*/)) return "builtin";
    const word = stream.match(/^[A-Za-z_]\w*/) as RegExpMatchArray | null;
    if (word !== null) return KEYWORDS.has(word[0]) ? "keyword" : "variable";
    stream.next();
    return "operator";
  },
};

const LANGUAGES: Record<LanguageName, () => Extension> = {
  shell: () => StreamLanguage.define(shell),
  python: () => StreamLanguage.define(python),
  javascript: () => StreamLanguage.define(javascript),
  ruby: () => StreamLanguage.define(ruby),
  perl: () => StreamLanguage.define(perl),
  powershell: () => StreamLanguage.define(powerShell),
  json: () => json(),
  yaml: () => yaml(),
  expression: () => StreamLanguage.define(expression),
  text: () => [],
};

const made = new Map<LanguageName, Extension>();

/** Returns the same extension on every call (L1). */
export function languageOf(name: LanguageName): Extension {
  const known = made.get(name) ?? LANGUAGES[name]();
  made.set(name, known);
  return known;
}
