// check/other-language: decides whether `${name}` in a script for another interpreter belongs to the script, or is a
// reference that is not replaced.
//   O1. If `${…}` has a meaning in the language, it belongs to the script and is not reported.
// These languages are not parsed. For JavaScript, strings, comments and template literals are recognised. After a
// regular expression with a quote (/"/) the result may be wrong.

/** Languages where `${name}` is a variable, in strings or everywhere. */
const READ_IT = /^(?:perl|php|make|gmake|groovy|kotlin|kotlinc|scala|tclsh|wish|expect|dart)[0-9.]*$/;
/** Languages with `${…}` between backticks. */
const BETWEEN_BACKTICKS = /^(?:node|nodejs|deno|bun|tsx|ts-node|zx|qjs)$/;

/** Strings and comments of JavaScript, even unclosed ones. */
const SKIPPED = /"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|\/\/.*|\/\*[\s\S]*?(?:\*\/|$)/y;

/** Whether `${…}` at that offset belongs to the script. */
export function isOwnReference(interpreter: string, text: string): (start: number) => boolean {
  if (READ_IT.test(interpreter)) return () => true;
  if (!BETWEEN_BACKTICKS.test(interpreter)) return () => false;
  const own = expressionsOfTemplates(text);
  return (start) => own.has(start);
}

/** Offsets of each `${` in a template literal. */
function expressionsOfTemplates(text: string): Set<number> {
  const found = new Set<number>();
  // Open template literals and braces (of code, or of an expression in a template).
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
