// diagnostics/yaml: rewords the errors of the YAML parser so that they say what to do.

import type { Diagnostic } from "../diagnostic.ts";
import { type At, said } from "./base.ts";
import { tabIndent, unknownTag, yamlSyntax } from "./document.ts";

const QUOTE = 'Put the text in quotes, or write it as a block: "content: |" and the text indented below.';

/** `code` and `message` are those of the `yaml` package. */
export function yamlProblem(at: At, code: string, message: string, text: string, offset: number): Diagnostic {
  switch (code) {
    case "TAB_AS_INDENT":
      return tabIndent(at);
    case "TAG_RESOLVE_FAILED":
      return unknownTag(at, text.slice(offset).split(/[\s,[\]{}]/, 1)[0] ?? "");
    case "BLOCK_AS_IMPLICIT_KEY":
    case "MULTILINE_IMPLICIT_KEY":
      return yamlSyntax(
        at,
        'This cannot be read: ": " begins a value in the middle of another one, or a line is indented wrongly.',
        QUOTE,
      );
    case "BAD_ALIAS":
      return yamlSyntax(at, sentence(message), "A text that begins with * or & needs quotes.");
    case "BAD_INDENT": {
      const close = /^Flow .* end with a (.)/.exec(message)?.[1];
      if (close !== undefined) {
        const open = close === "]" ? "[" : "{";
        return yamlSyntax(
          at,
          `The ${open} that begins here is not closed with a ${close}.`,
          `Close it, and indent its lines deeper than the field. A text that begins with ${open} needs quotes.`,
        );
      }
      return yamlSyntax(
        at,
        "This line is indented differently from those it belongs to.",
        "Give all entries of one map or list the same number of spaces.",
      );
    }
    case "MISSING_CHAR":
      return /quote/.test(message)
        ? yamlSyntax(
            at,
            "The text that begins here is not closed with a quote.",
            "Close it, and double (or escape) quotes inside it.",
          )
        : yamlSyntax(at, sentence(message));
    case "BAD_SCALAR_START":
      return yamlSyntax(at, `A text cannot begin with ${said(text.slice(offset, offset + 1))} here.`, QUOTE);
    case "BAD_DQ_ESCAPE":
      return yamlSyntax(
        at,
        `The escape ${said(text.slice(offset, offset + 2))} does not exist in a double-quoted text.`,
        "Double the backslash, use single quotes, or write a block: |",
      );
    case "UNEXPECTED_TOKEN":
      return yamlSyntax(
        at,
        `This is not expected here: ${said(text.slice(offset).split("\n", 1)[0])}`,
        /[{}[\],&*#|>%@`"']/.test(text[offset] ?? "") ? QUOTE : undefined,
      );
    case "KEY_OVER_1024_CHARS":
      return yamlSyntax(at, "A key has more than 1,024 characters.", QUOTE);
    default:
      return yamlSyntax(at, sentence(message));
  }
}

function sentence(message: string): string {
  const text = said(message.replace(/\s+/g, " "));
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
