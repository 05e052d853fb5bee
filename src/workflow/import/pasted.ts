// import/pasted: a text as a page, a chat or a terminal gives it to copy, and the command in it. Light: the shell's parser is not needed for this.

const LEAD = /^(?:[ \t\r]*(?:#[^\n]*)?\n)*\s*(?:\$\s+)?/;

/** A curl command, whatever a page put around it. */
export function isCurl(text: string): boolean {
  return /^curl(?:\.exe)?\s+\S/.test(unfenced(text).replace(LEAD, ""));
}

/** The text in a block of Markdown. */
export function unfenced(text: string): string {
  return /^\s*```[^\n`]*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text;
}

/**
 * The command by itself, as bash takes it: without the block's fence, remarks in front, the prompt and Windows' `.exe`; with quotes that a
 * page made typographic as they are typed, and lines that go on by `^` going on by `\\`.
 */
export function commandOf(pasted: string): string {
  const command = unfenced(pasted)
    .replace(LEAD, "")
    .replace(/^curl\.exe\b/, "curl")
    .trimEnd();
  return withBashLines(withTypedQuotes(command));
}

/** Only where none is as it is typed: else the others may be meant. */
function withTypedQuotes(command: string): string {
  if (/["']/.test(command)) return command;
  return command.replaceAll(/[\u201c\u201d]/g, '"').replaceAll(/[\u2018\u2019]/g, "'");
}

/** What bash would read otherwise than Windows' own shell is left alone, and is refused then. */
function withBashLines(command: string): string {
  const isWindows = /\^[ \t]*\r?\n/.test(command) && !/\^(?![ \t]*\r?\n)|[$`']/.test(command);
  return isWindows ? command.replaceAll(/\^[ \t]*\r?\n/g, "\\\n") : command;
}
