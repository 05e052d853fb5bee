// new: writes a workflow file to build on. Without an example, it runs unchanged and has a comment on each part. With
// `--like`, it is a copy of an example of the package, with the files that it names.
//   N1. An existing file is overwritten only with `--force`, and only the workflow itself.

import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { exampleNames, examplesFolder, exampleText, filesBeside } from "../../app/examples.ts";
import { firstWorkflow } from "../../workflow/first-workflow.ts";
import { listed, nearest } from "../../workflow/nearest.ts";
import { Exit } from "../exit.ts";
import { refuse, refused } from "../open.ts";
import { cannotWrite, type Problem, problem } from "../problem.ts";
import type { Terminal } from "../terminal.ts";
import { shellWord } from "../text.ts";

const EXTENSION = /\.flow\.ya?ml$/;

export async function newWorkflow(
  name: string | undefined,
  options: { force?: boolean; like?: string },
  terminal: Terminal,
): Promise<Exit> {
  const like = options.like === undefined ? undefined : exampleFor(options.like);
  if (typeof like === "object") return refused(like, terminal);
  const file = fileFor(name ?? like ?? "hello");
  const title = basename(file).replace(EXTENSION, "");
  if (title === "" || /[\u0000-\u001f]/.test(file))
    return refuse(terminal, "bad-name", `"${name}" is not a valid file name.`, "Use a name such as open-issues.");
  const path = resolve(terminal.cwd, file);
  if (existsSync(path) && !options.force)
    return refuse(
      terminal,
      "file-exists",
      `${file} already exists.`,
      "Choose another name, or overwrite it with --force.",
    );
  try {
    if (like === undefined) writeFileSync(path, firstWorkflow(title));
    else copyExample(like, path);
  } catch (reason) {
    return refused(cannotWrite(file, reason as NodeJS.ErrnoException), terminal);
  }
  terminal.out(`${file}\n`);
  const word = shellWord(file.startsWith("-") ? `./${file}` : file);
  if (like !== undefined) {
    terminal.err(`Wrote ${file}, a copy of the example ${like}. Its first lines say how to run it.\n`);
    if (exampleText(like).includes("sample API"))
      terminal.err("It calls the sample API, which runs while `curlew serve --demo` runs.\n");
    return Exit.OK;
  }
  terminal.err(
    `Wrote ${file}. Try it:\n  curlew run ${word}\n  curlew run ${word} --input name=you\n  curlew graph ${word}\n`,
  );
  return Exit.OK;
}

/** The example with this name, or the only one that begins with it. A webhook starts runs, so it is the verified one. */
function exampleFor(like: string): string | Problem {
  const names = exampleNames();
  const wanted = like.toLowerCase();
  if (wanted === "webhook") return "webhook-verified";
  if (names.includes(wanted)) return wanted;
  const found = names.filter((name) => name.startsWith(wanted));
  if (found.length === 1) return found[0]!;
  const near = nearest(wanted, names);
  return problem(
    "unknown-example",
    found.length > 1
      ? `Several examples begin with "${like}": ${listed(found, 20)}.`
      : `There is no example "${like}".${near === undefined ? "" : ` Did you mean "${near}"?`}`,
    found.length > 1 ? "Name one of them." : `Examples: ${listed(names, names.length)}.`,
  );
}

/** N1. The commands in its comments get the name of the copy. */
function copyExample(name: string, path: string): void {
  const text = exampleText(name);
  const own = `${name}.flow.yaml`;
  writeFileSync(path, text.replaceAll(`curlew run ${own}`, `curlew run ${shellWord(basename(path))}`));
  for (const needed of filesBeside(text)) {
    const target = join(dirname(path), needed);
    if (needed === own || existsSync(target)) continue;
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(join(examplesFolder(), needed), target);
  }
}

/** `open-issues` → `open-issues.flow.yaml`. A name with the extension is kept. */
function fileFor(name: string): string {
  return EXTENSION.test(name) ? name : `${name}.flow.yaml`;
}
