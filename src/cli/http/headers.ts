// headers: what a call says about itself, and which of it is a secret (spec 3.6).
//   H1. A header that carries a secret does not come from the command line: from a file, standard input, or --auth.
//   H2. A secret header goes to the host that was called, and to no other where an answer leads.

import type { Stdin } from "./body.ts";
import { readWhole } from "./body.ts";
import { usage } from "./problem.ts";

export interface Header {
  name: string;
  value: string;
  /** H2. */
  secret: boolean;
}

const SECRET_NAME = /^(?:(?:proxy-)?authorization|cookie|(?:x-)?(?:api|auth|access|private|secret)-?(?:key|token))$/i;
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Of `-H`. An empty value takes out the header of that name that would be sent by itself. */
export async function headersOf(lines: readonly string[], stdin: Stdin): Promise<Header[]> {
  const found: Header[] = [];
  for (const line of lines) {
    if (!line.startsWith("@")) {
      const header = headerOf(line, false);
      if (header.secret && header.name.toLowerCase() !== "cookie" && header.value !== "")
        throw onCommandLine(header.name);
      found.push(header);
      continue;
    }
    const text = line === "@-" ? await stdin.text("Standard input") : readWhole(line.slice(1)).toString("utf8");
    for (const one of text.split(/\r?\n/))
      if (one.trim() !== "" && !one.startsWith("#")) found.push(headerOf(one, true));
  }
  return found;
}

function headerOf(line: string, fromFile: boolean): Header {
  const at = line.indexOf(":");
  const name = line.slice(0, Math.max(at, 0)).trim();
  const value = line.slice(at + 1).trim();
  if (at < 1 || !NAME.test(name))
    throw usage("bad-header", `${fromFile ? "A line of the file" : `"${line}"`} is no header.`, "-H 'Name: value'");
  if (/[\r\n\0]/.test(value)) throw usage("bad-header", `The header ${name} holds a line break, which cannot be sent.`);
  return { name, value, secret: fromFile || SECRET_NAME.test(name) };
}

function onCommandLine(name: string) {
  const bearer = /authorization/i.test(name);
  return usage(
    "secret-on-command-line",
    `The header ${name} would stand on the command line, where every program of this machine can read it.`,
    `--auth ${bearer ? "bearer=TOKEN" : `header:${name}=KEY`} takes it from the environment; -H @FILE from a file.`,
  );
}

/** Ours first, then the author's in their place; a later one of the author's does not replace an earlier one. */
export function withDefaults(defaults: readonly Header[], given: readonly Header[]): Header[] {
  const named = new Set(given.map(({ name }) => name.toLowerCase()));
  return [
    ...defaults.filter(({ name }) => !named.has(name.toLowerCase())),
    ...given.filter(({ value }) => value !== ""),
  ];
}

/** Values are texts of UTF-8, and a header is bytes. */
export function asSent(headers: readonly Header[]): [string, string][] {
  return headers.map(({ name, value }) => [name, Buffer.from(value, "utf8").toString("latin1")]);
}
