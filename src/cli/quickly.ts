// quickly: the two commands called most, in their plain forms, without the parser of options, whose loading costs as much as the work
// (spec 2.2, 5.4). Whatever is not plain here is the parser's (program.ts).
//   Q1. What is read here is exactly what the parser would have read; quickly.test.ts holds both against each other.

import { limits } from "../base/limits.ts";
import type { RunOptions } from "./commands/run.ts";
import type { Terminal } from "./terminal.ts";

/** The exit code, or nothing: then the parser is asked. */
export async function quickly([command, ...words]: string[], terminal: Terminal): Promise<number | undefined> {
  if (command === "run") {
    const plain = plainRun(words);
    if (plain === undefined) return undefined;
    await runnerAhead(plain.file);
    const { run } = await import("./commands/run.ts");
    return run(plain.file, plain.options, terminal);
  }
  const files = words.filter((word) => word !== "--json");
  if (command !== "validate" || files.length === 0 || files.some((word) => word.startsWith("-"))) return undefined;
  const { validate } = await import("./commands/validate.ts");
  return validate(files, { json: files.length < words.length }, terminal);
}

/** What will keep its commands starts while everything else is loaded, when the file looks as if it had any. */
async function runnerAhead(file: string): Promise<void> {
  const { readTextFile } = await import("../server/document/read-file.ts");
  const text = readTextFile(file, limits.documentBytesMax, { pipes: false });
  if (!text.ok || !/\bcli\b/.test(text.value)) return;
  (await import("../nodes/runner/process.ts")).startRunnerEarly();
}

/** `FILE`, `--quiet`, `--json`, `--yes`, `--home FOLDER` and `--input NAME=VALUE`, each in words of their own, in any order. */
export function plainRun(words: readonly string[]): { file: string; options: RunOptions } | undefined {
  const options: RunOptions = {};
  let file: string | undefined;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!;
    if (word === "--quiet" || word === "--json" || word === "--yes") options[word.slice(2) as "quiet"] = true;
    else if (word === "--home" || word === "--input") {
      const value = words[++at];
      if (value === undefined || value.startsWith("-")) return undefined;
      if (word === "--home") options.home = value;
      else options.input = [...(options.input ?? []), value];
    } else if (word.startsWith("-") || file !== undefined) return undefined;
    else file = word;
  }
  return file === undefined ? undefined : { file, options };
}
