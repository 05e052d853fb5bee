// import/source: reads the source given to `curlew import`: a file, stdin or a curl command (spec 2.2).
// app/import/source.ts detects its type.
//   S1. The source is limited in size, must be UTF-8, and is treated only as text.
// It downloads nothing. Use curl, which knows your proxy and your certificates.

import { isAbsolute } from "node:path";
import { readTextFile } from "../../app/documents/read-file.ts";
import { type Source, sourceOfCurl, sourceOfText } from "../../app/import/source.ts";
import { limits } from "../../base/limits.ts";
import { err, type Result } from "../../base/result.ts";
import { isCurl } from "../../workflow/import/pasted.ts";
import { readText } from "../load.ts";
import { type Problem, problem } from "../problem.ts";
import type { Terminal } from "../terminal.ts";
import { shellWord } from "../text.ts";

export type { Source };

export async function readSource(words: readonly string[], terminal: Terminal): Promise<Result<Source, Problem>> {
  const [first = ""] = words;
  if (/^(?:.*\/)?curl$/.test(first)) return await sourceOfCurl(words.map(shellWord).join(" "));
  if (words.length > 1)
    return err(problem("too-many-arguments", "Give one file, or a curl command in quotes or after --."));
  if (isCurl(first)) return await sourceOfCurl(first);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(first) || /^(?:file|data|javascript):/i.test(first))
    return err(problem("import-url", "Curlew downloads nothing.", "Run: curl -fsSL URL | curlew import -"));
  const text = first === "-" ? readStdin(terminal) : readText(first, terminal);
  if (typeof text !== "string") return err(text);
  if (isCurl(text)) return await sourceOfCurl(text);
  const from = first === "-" ? "standard input" : `the file ${isAbsolute(first) ? nameOf(first) : first}`;
  return await sourceOfText(text, { from, name: first === "-" ? "imported" : first });
}

function nameOf(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}

function readStdin({ stdinFd }: Terminal): string | Problem {
  const read = readTextFile(stdinFd, limits.documentBytesMax, { pipes: true });
  return read.ok ? read.value : problem("cannot-read", `Standard input cannot be read: ${read.error.why}.`);
}
