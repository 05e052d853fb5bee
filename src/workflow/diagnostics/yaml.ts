// diagnostics/yaml: rewords the errors of the YAML parser so that they say what to do.

import type { Diagnostic } from "../diagnostic.ts";
import { type At, excerpt } from "./base.ts";
import { tabIndent, unknownTag, yamlSyntax } from "./document.ts";

const QUOTE = "Put the string in quotes, or write it as a block: | after the colon, and the text indented below.";

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
        'This is not valid YAML: a value contains ": ", or a line has the wrong indentation.',
        QUOTE,
      );
    case "BAD_ALIAS":
      return yamlSyntax(at, sentence(message), "Put strings that begin with * or & in quotes.");
    case "BAD_INDENT": {
      const close = /^Flow .* end with a (.)/.exec(message)?.[1];
      if (close !== undefined) {
        const open = close === "]" ? "[" : "{";
        return yamlSyntax(
          at,
          `The closing ${close} of this ${open} is missing.`,
          `Add it, and indent its lines deeper than the field. Put strings that begin with ${open} in quotes.`,
        );
      }
      return yamlSyntax(
        at,
        "The indentation of this line does not match the lines it belongs to.",
        "Indent all entries of an object or list by the same number of spaces.",
      );
    }
    case "MISSING_CHAR":
      return /quote/.test(message)
        ? yamlSyntax(
            at,
            "The closing quote of this string is missing.",
            "Add it. Double or escape quotes inside the string.",
          )
        : yamlSyntax(at, sentence(message));
    case "BAD_SCALAR_START":
      return yamlSyntax(at, `An unquoted string cannot begin with ${excerpt(text.slice(offset, offset + 1))}.`, QUOTE);
    case "BAD_DQ_ESCAPE":
      return yamlSyntax(
        at,
        `${excerpt(text.slice(offset, offset + 2))} is not a valid escape in a double-quoted string.`,
        "Double the backslash, use single quotes, or write a block: |",
      );
    case "UNEXPECTED_TOKEN":
      return yamlSyntax(
        at,
        `Unexpected text: ${excerpt(text.slice(offset).split("\n", 1)[0])}`,
        /[{}[\],&*#|>%@`"']/.test(text[offset] ?? "") ? QUOTE : undefined,
      );
    case "KEY_OVER_1024_CHARS":
      return yamlSyntax(at, "A key has more than 1,024 characters.", QUOTE);
    default:
      return yamlSyntax(at, sentence(message));
  }
}

function sentence(message: string): string {
  const text = excerpt(message.replace(/\s+/g, " "));
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
