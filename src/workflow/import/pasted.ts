// import/pasted: extracts the command from text copied from a web page, a chat or a terminal. It does not need the
// shell parser.

const LEAD = /^(?:[ \t\r]*(?:#[^\n]*)?\n)*\s*(?:\$\s+)?/;

/** Whether the text is a curl command, possibly with text from a page around it. */
export function isCurl(text: string): boolean {
  return /^curl(?:\.exe)?\s+\S/.test(unfenced(text).replace(LEAD, ""));
}

/** The text inside a Markdown code block. */
export function unfenced(text: string): string {
  return /^\s*```[^\n`]*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text;
}

/**
 * The command alone, for bash: without a code fence, comments before it, the prompt, and `.exe`. Typographic quotes
 * become plain ones, and line continuations with `^` become `\\`.
 */
export function commandOf(pasted: string): string {
  const command = unfenced(pasted)
    .replace(LEAD, "")
    .replace(/^curl\.exe\b/, "curl")
    .trimEnd();
  return withBashLines(withTypedQuotes(command));
}

/** Only if there are no plain quotes; otherwise the typographic ones may be intended. */
function withTypedQuotes(command: string): string {
  if (/["']/.test(command)) return command;
  return command.replaceAll(/[\u201c\u201d]/g, '"').replaceAll(/[\u2018\u2019]/g, "'");
}

/** A command that bash and cmd would read differently stays as it is, and is rejected later. */
function withBashLines(command: string): string {
  const isWindows = /\^[ \t]*\r?\n/.test(command) && !/\^(?![ \t]*\r?\n)|[$`']/.test(command);
  return isWindows ? command.replaceAll(/\^[ \t]*\r?\n/g, "\\\n") : command;
}
