// visible: text of others where a person decides by it: nothing in it can hide, or change how the rest is seen.
//   V1. A character that is not seen, or changes how others are seen, stands as its code: `⟨U+001B⟩`. None is left out.

// Controls, formats (bidi among them), separators of lines, halves, and whatever Unicode says is not to be seen; but tab, line feed, and
// the mark that makes a sign an emoji, behind such a sign: behind a letter it is seen nowhere, and another command is run.
const HIDDEN =
  /(?![\t\n]|(?<=\p{Extended_Pictographic})\ufe0f|(?<=[0-9#*])\ufe0f\u20e3)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
const TAB = "    ";

/** Lines stay lines; a tab takes four columns. */
export function visible(text: string): string {
  return text
    .replaceAll(HIDDEN, (character) => `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}⟩`)
    .replaceAll("\t", TAB);
}

/** The same on one line: a line break stands as `⏎`. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll("\n", "⏎");
}
