// import: writes someone else's workflow, or a pasted curl command, to a file that is blocked until approved (spec 2.2,
// 4.2).
//   I1. Nothing is executed. One new file is written, in the current folder or below it.
//   I2. Only a valid workflow is written. The import mark is the only change to its text.
//   I3. The commands it would run are shown at once. `curlew trust` asks about the same commands.

import { lstatSync, realpathSync, writeFileSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { type Checked, checkFile } from "../../app/documents/check-file.ts";
import { readTextFile } from "../../app/documents/read-file.ts";
import { type Source, sourceOfCurl, sourceOfText } from "../../app/import/source.ts";
import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { count, harmless, oneLine } from "../../base/text.ts";
import { realFolder, sha256 } from "../../engine/trust-hash.ts";
import { type Mark, marked } from "../../workflow/import/mark.ts";
import { isCurl } from "../../workflow/import/pasted.ts";
import { inertCommands } from "../../workflow/unseen.ts";
import { Exit } from "../exit.ts";
import { readText, tellDiagnostics } from "../load.ts";
import { type HomeOption, refuse, refused } from "../open.ts";
import { cannotWrite, type Problem, problem } from "../problem.ts";
import { seenBy } from "../seen.ts";
import { commandText, type ShownCommand, shownCommands } from "../show-command.ts";
import type { Terminal } from "../terminal.ts";
import { columnsOf, shellWord } from "../text.ts";

export interface ImportOptions extends HomeOption {
  to?: string;
  json?: boolean;
}

export async function importWorkflow(words: string[], options: ImportOptions, terminal: Terminal): Promise<Exit> {
  const source = await readSource(words, terminal);
  const target = source.ok ? targetFor(source.value, options.to, terminal.cwd) : source;
  if (!source.ok || !target.ok) return refused(((source.ok ? target : source) as { error: Problem }).error, terminal);
  const { text, from, notes, asIs } = source.value;
  const mark: Mark = { from, at: new Date().toISOString(), ...(asIs ? { sha256: sha256(text) } : {}) };

  const before = await checkFile(text, target.value, terminal.cwd, Object.keys(terminal.env));
  tellDiagnostics(before.diagnostics, before.textOf, terminal);
  if (before.workflow === undefined) {
    terminal.err(`${oneLine(from)}: not valid. Nothing was written.\n`);
    return Exit.USAGE;
  }
  const written = marked(text, target.value, mark);
  if (!written.ok) {
    const says = "Curlew can't mark this file as imported without changing its meaning.";
    const help = 'Write it in the usual form ("curlew fmt"), and import that.';
    return refuse(terminal, "import-unmarked", says, help);
  }
  const checked = await checkFile(written.value, target.value, terminal.cwd, Object.keys(terminal.env));
  if (checked.workflow === undefined) {
    tellDiagnostics(checked.diagnostics, checked.textOf, terminal);
    return Exit.USAGE;
  }
  try {
    writeFileSync(resolve(terminal.cwd, target.value), written.value, { flag: "wx" });
  } catch (reason) {
    return refused(notWritten(target.value, reason as NodeJS.ErrnoException), terminal);
  }
  await tell(target.value, checked, mark, notes, options, terminal);
  return Exit.OK;
}

/** I1. Relative to the current folder. */
function targetFor(source: Source, to: string | undefined, cwd: string): Result<string, Problem> {
  const name = to ?? `${fileName(source.name)}.flow.${source.json ? "json" : "yaml"}`;
  const ending = source.json ? /\.flow\.json$/i : /\.flow\.ya?ml$/i;
  if (!ending.test(name))
    return err(
      problem(
        "bad-name",
        `"${name}" is not a valid name for the workflow.`,
        `Use a name that ends with .flow.${source.json ? "json" : "yaml"}.`,
      ),
    );
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(name))
    return err(problem("bad-name", `"${name}" is not a valid file name.`));
  const path = resolve(cwd, name);
  const inside = relative(realFolder(cwd), join(realPath(dirname(path)) ?? sep, basename(path)));
  if (inside.startsWith("..") || isAbsolute(inside))
    return err(
      problem("import-outside", `${name} is not in this folder.`, "Change into the folder where it should be."),
    );
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined)
    return err(problem("file-exists", `${name} already exists.`, "Choose another name with --to, or remove it first."));
  return ok(relative(cwd, path));
}

function realPath(folder: string): string | undefined {
  try {
    return realpathSync(folder);
  } catch {
    return undefined;
  }
}

/**
 * `../../.bashrc` → `bashrc`: only letters, digits, dots and dashes, which are safe in shells, terminals and listings.
 */
function fileName(name: string): string {
  const base = name.split(/[/\\]/).at(-1) ?? "";
  const plain = base
    .replace(/\.flow\.(?:ya?ml|json)$|\.(?:ya?ml|json|txt)$/i, "")
    .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[.-]+|[.-]+$/g, "")
    .slice(0, limits.idCharsMax);
  return plain === "" ? "imported" : plain;
}

function notWritten(file: string, reason: NodeJS.ErrnoException): Problem {
  if (reason.code === "EEXIST")
    return problem("file-exists", `${file} already exists.`, "Choose another name with --to.");
  return cannotWrite(file, reason);
}

/** Maximum number of commands shown at once. `curlew trust` shows the others. */
const SHOWN_MAX = 20;

async function tell(
  file: string,
  { tree, workflow }: Checked,
  mark: Mark,
  told: readonly string[],
  options: ImportOptions,
  terminal: Terminal,
): Promise<void> {
  const deps = await seenBy(options, terminal);
  const { commands, cut } = inertCommands({ ...tree, file }, tree.subflows, deps);
  const known = commands.length === 0 ? new Set<string>() : await deps.known(commands.map(({ hash }) => hash));
  const around = { environment: terminal.env, folderOf: deps.folderOf };
  const shown = await shownCommands(options.json ? commands : commands.slice(0, SHOWN_MAX), known, around);
  const secrets = workflow?.secrets ?? [];
  if (options.json) {
    terminal.json({ file, imported: mark, secrets, hosts: hostsOf(shown), notes: told, commands: shown }, true);
    return;
  }
  terminal.out(`${file}\n`);
  terminal.err(`Imported from ${oneLine(mark.from)}. None of it was run.\n`);
  for (const note of told) terminal.err(`${harmless(note)}\n`);
  terminal.err("\n");
  const columns = columnsOf(terminal.errStream, 120);
  for (const [index, card] of shown.entries())
    terminal.err(commandText(card, `${index + 1} of ${commands.length}`, terminal.errStyle, columns));
  if (commands.length > shown.length || cut) terminal.err(`… and more: curlew trust ${shellWord(file)}\n\n`);
  if (secrets.length > 0) {
    const save = secrets.map((name) => `  curlew secrets set ${oneLine(name)}\n`).join("");
    terminal.err(`It needs ${count(secrets.length, "secret")}. To set them, run:\n${save}`);
  }
  terminal.err(`${count(commands.length, "command")}, blocked until approved: curlew trust ${shellWord(file)}\n`);
}

function hostsOf(shown: readonly ShownCommand[]): string[] {
  return [...new Set(shown.flatMap(({ hosts }) => hosts))];
}

/** A file, stdin, or a curl command: of limited size, in UTF-8, and never anything but text. */
async function readSource(words: readonly string[], terminal: Terminal): Promise<Result<Source, Problem>> {
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
