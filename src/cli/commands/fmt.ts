// fmt: rewrites workflow files in the canonical form and keeps comments (spec 2.7). A file with errors is not changed.

import { resolve } from "node:path";
import { readTextFile } from "../../app/documents/read-file.ts";
import { limits } from "../../base/limits.ts";
import { harmless, oneLine } from "../../base/text.ts";
import { shownSentence, shownText } from "../../workflow/credentials.ts";
import { formatWorkflow } from "../../workflow/format.ts";
import { Exit } from "../exit.ts";
import { readWorkflowText, tellDiagnostics } from "../load.ts";
import { refused } from "../open.ts";
import { problem } from "../problem.ts";
import { replaceFile } from "../replace-file.ts";
import type { Terminal } from "../terminal.ts";
import { shellWord } from "../text.ts";

export async function fmt(files: string[], options: { check?: boolean }, terminal: Terminal): Promise<Exit> {
  let code: Exit = Exit.OK;
  for (const file of files) {
    const exit =
      file === "-" ? fmtStdin(options.check === true, terminal) : fmtFile(file, options.check === true, terminal);
    // An invalid file outweighs one that would change.
    code = Math.max(code, exit) as Exit;
  }
  return code;
}

function fmtStdin(check: boolean, terminal: Terminal): Exit {
  const read = readTextFile(terminal.stdinFd, limits.documentBytesMax, { pipes: true });
  if (!read.ok) {
    return refused(problem("cannot-read", `stdin cannot be read: ${read.error.why}.`), terminal);
  }
  const text = read.value;
  // stdin has no file name: JSON is recognised by its first character and stays JSON.
  const formatted = format(text, text.trimStart().startsWith("{") ? "stdin.json" : "stdin", terminal);
  if (formatted === undefined) return Exit.USAGE;
  if (!check) {
    terminal.out(terminal.outStream.isTTY === true ? harmless(formatted) : formatted);
    return Exit.OK;
  }
  return wouldChange("stdin", text, formatted, terminal);
}

function fmtFile(file: string, check: boolean, terminal: Terminal): Exit {
  const read = readWorkflowText(file, terminal);
  if (read === undefined) return Exit.USAGE;
  const formatted = format(read, file, terminal);
  if (formatted === undefined) return Exit.USAGE;
  if (check) return wouldChange(file, read, formatted, terminal);
  if (formatted === read) return Exit.OK;
  const why = replaceFile(resolve(terminal.cwd, file), read, formatted);
  if (why !== undefined) {
    return refused(problem("cannot-write", `${oneLine(file)} is left as it is: ${why}.`), terminal);
  }
  terminal.err(`${oneLine(file)}: formatted\n`);
  return Exit.OK;
}

function format(text: string, file: string, terminal: Terminal): string | undefined {
  const formatted = formatWorkflow(text, file);
  if (formatted.ok) return formatted.value;
  const shown = formatted.error.map((one) => ({ ...one, message: shownSentence(one.message, text) }));
  tellDiagnostics(shown, () => shownText(text), terminal);
  return undefined;
}

function wouldChange(file: string, before: string, after: string, terminal: Terminal): Exit {
  if (before === after) return Exit.OK;
  terminal.out(`${oneLine(file)}\n`);
  terminal.err(
    `${oneLine(file)} is not in the canonical form; "curlew fmt ${shellWord(oneLine(file))}" rewrites it.\n`,
  );
  return Exit.FAILED;
}
