// new: writes a first workflow file that runs unchanged and has a comment on each part.

import { existsSync, writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { firstWorkflow } from "../../workflow/first-workflow.ts";
import { Exit } from "../exit.ts";
import { refused } from "../open.ts";
import { problem } from "../problem.ts";
import type { Terminal } from "../terminal.ts";
import { shellWord } from "../text.ts";

const EXTENSION = /\.flow\.ya?ml$/;

export async function newWorkflow(
  name: string | undefined,
  options: { force?: boolean },
  terminal: Terminal,
): Promise<Exit> {
  const file = fileFor(name ?? "hello");
  const title = basename(file).replace(EXTENSION, "");
  if (title === "" || /[\u0000-\u001f]/.test(file)) {
    return refused(
      problem("bad-name", `"${name}" is not a valid file name.`, "Give a name such as open-issues."),
      terminal,
    );
  }
  const path = resolve(terminal.cwd, file);
  if (existsSync(path) && !options.force) {
    return refused(
      problem("file-exists", `${file} is there already.`, "Give another name, or --force to write over it."),
      terminal,
    );
  }
  try {
    writeFileSync(path, firstWorkflow(title));
  } catch (reason) {
    return refused(problem("cannot-write", `${file} cannot be written: ${(reason as Error).message}.`), terminal);
  }
  terminal.out(`${file}\n`);
  const word = shellWord(file.startsWith("-") ? `./${file}` : file);
  terminal.err(
    `Wrote ${file}. Try it:\n  curlew run ${word}\n  curlew run ${word} --input name=you\n  curlew graph ${word}\n`,
  );
  return Exit.OK;
}

/** `open-issues` → `open-issues.flow.yaml`. A name with the extension is kept. */
function fileFor(name: string): string {
  return EXTENSION.test(name) ? name : `${name}.flow.yaml`;
}
