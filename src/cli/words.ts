// words: a command line as words, without a shell: for EDITOR and VISUAL, which may hold a program with arguments (`code --wait`).
//   W1. Blanks separate; quotes and backslashes keep together as in sh. Nothing else has a meaning: no variables, globs or substitutions.

/** Nothing when a quote is not closed. */
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
