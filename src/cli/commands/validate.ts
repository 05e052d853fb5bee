// validate: reports problems in workflow files and their subflows. Runs nothing and uses neither the network nor other
// files (spec 1.1). Diagnostics go to stderr as text, or to stdout as one JSON array with --json. Valid files are named
// on stdout.

import { checkFile } from "../../app/documents/check-file.ts";
import { count, harmless } from "../../base/text.ts";
import type { Diagnostic } from "../../workflow/diagnostic.ts";
import { Exit } from "../exit.ts";
import { isProgram, noProgram, readText, tellDiagnostics, verdict } from "../load.ts";
import type { Problem } from "../problem.ts";
import { seenBy } from "../seen.ts";
import type { Terminal } from "../terminal.ts";

export async function validate(
  files: string[],
  options: { json?: boolean; strict?: boolean },
  terminal: Terminal,
): Promise<Exit> {
  const all: Diagnostic[] = [];
  let invalid = 0;
  for (const file of files) {
    const found = await check(file, options.json === true, terminal);
    all.push(...found);
    if (found.some((diagnostic) => diagnostic.severity === "error")) invalid += 1;
  }
  if (options.json) terminal.json(all, true);
  else if (files.length > 1)
    terminal.err(
      `${count(files.length, "file")} checked, ${invalid === 0 ? "all valid" : `${invalid} not valid`}${verdict(all) === "" ? "" : `: ${verdict(all)}`}.\n`,
    );
  if (invalid > 0) return Exit.USAGE;
  return options.strict === true && all.some(({ severity }) => severity === "warning") ? Exit.FAILED : Exit.OK;
}

async function check(file: string, json: boolean, terminal: Terminal): Promise<Diagnostic[]> {
  const text = isProgram(file) ? noProgram(file) : readText(file, terminal);
  if (typeof text !== "string") {
    if (!json) terminal.problem(text);
    return [asDiagnostic(text, file)];
  }
  const trust = await seenBy({}, terminal);
  const checked = await checkFile(text, file, terminal.cwd, Object.keys(terminal.env), trust);
  const all = checked.diagnostics;
  if (json) return all;
  tellDiagnostics(all, checked.textOf, terminal);
  const counts = verdict(all) === "" ? "" : ` (${verdict(all)})`;
  if (all.some((diagnostic) => diagnostic.severity === "error"))
    terminal.err(`${harmless(file)}: not valid${counts}\n`);
  else terminal.out(`${harmless(file)}: valid${counts}\n`);
  return all;
}

/** A file that cannot be read is reported like any other problem. */
function asDiagnostic({ code, message, hint }: Problem, file: string): Diagnostic {
  const start = { line: 1, column: 1 };
  return {
    code,
    severity: "error",
    message,
    help: hint,
    file,
    range: { start, end: start },
  };
}
