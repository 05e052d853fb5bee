// words: splits a command line into words without a shell. For EDITOR and VISUAL, which may include arguments (`code
// --wait`).
//   W1. Blanks separate words. Quotes and backslashes work as in sh. There are no variables, globs or substitutions.

/** Undefined if a quote is not closed. */
export function splitWords(text: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (quote !== "") {
      if (character === quote) quote = "";
      else if (quote === '"' && character === "\\" && /["\\$`]/.test(text[at + 1] ?? "")) word += text[++at]!;
      else word += character;
    } else if (character === "'" || character === '"') {
      quote = character;
      word ??= "";
    } else if (character === "\\" && at + 1 < text.length) word = (word ?? "") + text[++at]!;
    else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + character;
  }
  if (quote !== "") return undefined;
  return word === undefined ? words : [...words, word];
}
