// fmt: rewrites workflow files in the canonical form and keeps comments (spec 2.7). A file with errors is not changed.

import { resolve } from "node:path";
import { readTextFile } from "../../app/documents/read-file.ts";
import { limits } from "../../base/limits.ts";
import { harmless, oneLine } from "../../base/text.ts";
import { shownSentence, shownText } from "../../workflow/credentials.ts";
import { formatWorkflow } from "../../workflow/format.ts";
import { Exit } from "../exit.ts";
import { readWorkflowText, tellDiagnostics } from "../load.ts";
import { refuse } from "../open.ts";
import { replaceFile } from "../replace-file.ts";
import type { Terminal } from "../terminal.ts";
import { shellWord } from "../text.ts";

export interface FmtOptions {
  check?: boolean;
  short?: boolean;
  long?: boolean;
}

export async function fmt(files: string[], options: FmtOptions, terminal: Terminal): Promise<Exit> {
  if (options.short === true && options.long === true)
    return refuse(terminal, "conflicting-options", "--short and --long can't be given together.", "Leave one out.");
  let code: Exit = Exit.OK;
  for (const file of files) {
    const exit = file === "-" ? fmtStdin(options, terminal) : fmtFile(file, options, terminal);
    // An invalid file outweighs one that would change.
    code = Math.max(code, exit) as Exit;
  }
  return code;
}

function fmtStdin(options: FmtOptions, terminal: Terminal): Exit {
  const read = readTextFile(terminal.stdinFd, limits.documentBytesMax, { pipes: true });
  if (!read.ok) return refuse(terminal, "cannot-read", `Curlew can't read stdin: ${read.error.why}.`);
  const text = read.value;
  // stdin has no file name: JSON is recognised by its first character and stays JSON.
  const formatted = format(text, text.trimStart().startsWith("{") ? "stdin.json" : "stdin", options, terminal);
  if (formatted === undefined) return Exit.USAGE;
  if (options.check !== true) {
    terminal.out(terminal.outStream.isTTY === true ? harmless(formatted) : formatted);
    return Exit.OK;
  }
  return wouldChange("-", text, formatted, options, terminal);
}

function fmtFile(file: string, options: FmtOptions, terminal: Terminal): Exit {
  const read = readWorkflowText(file, terminal);
  if (read === undefined) return Exit.USAGE;
  const formatted = format(read, file, options, terminal);
  if (formatted === undefined) return Exit.USAGE;
  if (options.check === true) return wouldChange(file, read, formatted, options, terminal);
  if (formatted === read) return Exit.OK;
  const why = replaceFile(resolve(terminal.cwd, file), read, formatted);
  if (why !== undefined) return refuse(terminal, "cannot-write", `${oneLine(file)} is unchanged: ${why}.`);
  terminal.err(`${oneLine(file)}: formatted\n`);
  return Exit.OK;
}

function format(text: string, file: string, { short, long }: FmtOptions, terminal: Terminal): string | undefined {
  const formatted = formatWorkflow(text, file, short === true ? "short" : long === true ? "long" : undefined);
  if (formatted.ok) return formatted.value;
  const shown = formatted.error.map((one) => ({ ...one, message: shownSentence(one.message, text) }));
  tellDiagnostics(shown, () => shownText(text), terminal);
  return undefined;
}

function wouldChange(
  file: string,
  before: string,
  after: string,
  { short, long }: FmtOptions,
  terminal: Terminal,
): Exit {
  if (before === after) return Exit.OK;
  const name = file === "-" ? "stdin" : oneLine(file);
  const form = short === true ? "--short " : long === true ? "--long " : "";
  const help = file === "-" ? "" : ` To rewrite it, run: curlew fmt ${form}${shellWord(name)}`;
  terminal.out(`${name}\n`);
  terminal.err(`${name} is not in canonical form.${help}\n`);
  return Exit.FAILED;
}
