// visible: makes untrusted text safe for decisions: nothing in it can hide or change how the rest looks.
//   V1. A character that is invisible or changes others is shown as its code: `⟨U+001B⟩`. None is left out.

// Controls, formats (including bidi), line separators, lone surrogates, and everything that Unicode says is invisible.
// Exceptions are tab, line feed, and the emoji variation selector after a character that can be an emoji. After a
// letter the selector is invisible but would change the command.
const HIDDEN =
  /(?![\t\n]|(?<=\p{Extended_Pictographic})\ufe0f|(?<=[0-9#*])\ufe0f\u20e3)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
const TAB = "    ";

/** Lines stay lines; a tab takes four columns. */
export function visible(text: string): string {
  return text
    .replaceAll(HIDDEN, (character) => `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}⟩`)
    .replaceAll("\t", TAB);
}

/** The same on one line: a newline is shown as `⏎`. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll("\n", "⏎");
}
