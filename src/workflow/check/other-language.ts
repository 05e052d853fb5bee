// check/other-language: `${name}` in a script for another interpreter than a shell: the script's own, or a reference that is not replaced.
//   O1. Where the language itself gives `${…}` a meaning, it is the script's own and nobody is warned.
// Deliberately absent: reading these languages. Of JavaScript strings, comments and template literals are told apart; after a pattern
// that holds a quote (/"/) somebody may be warned, or not.

/** Languages in whose strings, or everywhere, `${name}` is a variable of their own. */
const READ_IT = /^(?:perl|php|make|gmake|groovy|kotlin|kotlinc|scala|tclsh|wish|expect|dart)[0-9.]*$/;
/** Languages with `${…}` between backticks. */
const BETWEEN_BACKTICKS = /^(?:node|nodejs|deno|bun|tsx|ts-node|zx|qjs)$/;

/** Texts and comments of JavaScript, also such as are not closed. */
const SKIPPED = /"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|\/\/.*|\/\*[\s\S]*?(?:\*\/|$)/y;

/** Whether `${…}` at that offset of the text is the script's own. */
export function isOwnReference(interpreter: string, text: string): (start: number) => boolean {
  if (READ_IT.test(interpreter)) return () => true;
  if (!BETWEEN_BACKTICKS.test(interpreter)) return () => false;
  const own = expressionsOfTemplates(text);
  return (start) => own.has(start);
}

/** Offsets of each `${` that stands in a template literal. */
function expressionsOfTemplates(text: string): Set<number> {
  const found = new Set<number>();
  // What is open: a template literal, or a brace (of code, or of an expression in a template).
  const open: ("`" | "{")[] = [];
  for (let at = 0; at < text.length; at++) {
    const one = text[at];
    if (open.at(-1) === "`") {
      if (one === "\\") at++;
      else if (one === "`") open.pop();
      else if (text.startsWith("${", at)) {
        found.add(at++);
        open.push("{");
      }
      continue;
    }
    SKIPPED.lastIndex = at;
    const skipped = SKIPPED.exec(text)?.[0];
    if (skipped !== undefined) at += skipped.length - 1;
    else if (one === "`" || one === "{") open.push(one);
    else if (one === "}") open.pop();
  }
  return found;
}
