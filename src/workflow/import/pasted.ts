// import/pasted: extracts the command from text copied from a web page, a chat or a terminal. It does not need the
// shell parser.

const LEAD = /^(?:[ \t\r]*(?:#[^\n]*)?\n)*\s*(?:\$\s+)?/;

/** Whether the text is a curl command, possibly with text from a page around it. */
export function isCurl(text: string): boolean {
  return /^curl(?:\.exe)?\s+\S/.test(unfenced(text).replace(LEAD, ""));
}

/** The parser of shell text would keep the page busy for longer ones. */
export const CURL_CHARS_MAX = 100_000;

/** Says that a curl command is too long to be read, if it is. */
export function tooLong(text: string): string | undefined {
  if (text.length < CURL_CHARS_MAX || !isCurl(text)) return undefined;
  return "This curl command is longer than 100 kB. Put its body into a file beside the workflow, and paste it with --data-binary @FILE.";
}

/** The prefix of names of secrets: `GITHUB` for api.github.com, otherwise `API`. */
export function brandOf(host: string): string {
  const [word = ""] = /([a-z][a-z0-9-]+)(?:\.(?:com?|org|net|gov|ac))?\.[a-z]{2,}$/i.exec(host)?.slice(1) ?? [];
  return word === "" || /^(?:example|localhost)$/i.test(word) ? "API" : word.toUpperCase().replaceAll("-", "_");
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
  return withBashLines(withQuotedUrls(withTypedQuotes(command)));
}

/** Bash would end the command at the `&` of a query outside quotes. */
function withQuotedUrls(command: string): string {
  return command.replaceAll(/'[^']*'|"(?:\\.|[^"\\])*"|(?<=\s)https?:\/\/[^\s'"\\;|<>()`]+(?=\s|$)/g, (word) =>
    /^http.*\?.*[^&]&[\w.[\]-]+=/.test(word) && !word.includes("&&") ? `"${word}"` : word,
  );
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
