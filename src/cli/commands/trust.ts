// trust: shows the commands of an imported workflow that are not yet trusted here, and asks about each (spec 4.2;
// docs/how-to/import.md).
//   T1. Trust applies to the hash of the command that was shown: the file is read once.
//   T2. Without a terminal nothing is trusted unless --all is given.
//   T3. Nothing of the workflow is executed.

import { resolve } from "node:path";
import { type Checked, checkFile } from "../../app/documents/check-file.ts";
import { namesHash } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import { count, harmless, oneLine } from "../../base/text.ts";
import { actorHere, type Store, type Trusted } from "../../store/index.ts";
import { type InertCommand, inertCommands } from "../../workflow/unseen.ts";
import { Exit } from "../exit.ts";
import { printList } from "../list.ts";
import { isProgram, noProgram, readText, tellDiagnostics } from "../load.ts";
import { type HomeOption, refuse, refused, withStore } from "../open.ts";
import { seenBy } from "../seen.ts";
import { commandText, type ShownCommand, shownCommands } from "../show-command.ts";
import type { Terminal } from "../terminal.ts";
import { columnsOf, shellWord } from "../text.ts";

export interface TrustOptions extends HomeOption {
  all?: boolean;
  json?: boolean;
}

export async function trust(file: string, options: TrustOptions, terminal: Terminal): Promise<Exit> {
  const text = isProgram(file) ? noProgram(file) : readText(file, terminal);
  if (typeof text !== "string") return refused(text, terminal);
  const checked = await checkFile(text, file, terminal.cwd, Object.keys(terminal.env));
  if (checked.workflow === undefined) {
    tellDiagnostics(checked.diagnostics, checked.textOf, terminal);
    terminal.err(`${oneLine(file)}: not valid. Nothing was approved.\n`);
    return Exit.USAGE;
  }
  const deps = await seenBy(options, terminal);
  const { commands, cut } = inertCommands({ ...checked.tree, file }, checked.tree.subflows, deps);
  if (cut) {
    const says = `${file} has more than ${limits.trustCommandsMax} commands, including those of its subflows.`;
    return refuse(terminal, "trust-too-many", says, "Approve them in the run instead.");
  }
  return withStore({ ...options, creates: true }, terminal, async (store) => {
    const known = await store.trust.known(commands.map(({ hash }) => hash));
    if (!known.ok) return refused(known.error, terminal);
    const shown = await shownCommands(commands, known.value, { environment: terminal.env, folderOf: deps.folderOf });
    return decide(file, checked, commands, shown, options, store, terminal);
  });
}

async function decide(
  file: string,
  { workflow }: Checked,
  commands: readonly InertCommand[],
  shown: readonly ShownCommand[],
  options: TrustOptions,
  store: Store,
  terminal: Terminal,
): Promise<Exit> {
  const open = commands.filter((_, index) => shown[index]?.seen === false);
  const asks = options.all !== true && options.json !== true && terminal.isInteractive();
  const say = options.json === true ? () => {} : (words: string) => terminal.err(words);
  if (commands.length === 0) say(`${harmless(file)}: it was not imported, so its commands need no approval.\n`);
  else if (open.length === 0)
    say(`${harmless(file)}: each of its ${count(commands.length, "command")} was approved here.\n`);
  else if (workflow?.imported !== undefined) say(`Imported from ${oneLine(workflow.imported.from)}\n\n`);
  let left = open.length;
  const columns = columnsOf(terminal.errStream, 120);
  for (const [index, command] of open.entries()) {
    const card = shown[commands.indexOf(command)]!;
    say(commandText(card, `${index + 1} of ${open.length}`, terminal.errStyle, columns));
    const answer = options.all === true ? "yes" : asks ? await askAbout(terminal) : "no";
    if (answer === "interrupted") return Exit.INTERRUPTED;
    if (answer === "quit") break;
    if (answer === "no") continue;
    const { user } = actorHere();
    const place = { file: resolve(terminal.cwd, command.file), node: command.path, hash: command.hash, by: user };
    const added = await store.trust.add([place], "cli");
    if (!added.ok) return refused(added.error, terminal);
    left -= 1;
    card.seen = true;
  }
  if (options.json) terminal.json({ file, imported: workflow?.imported ?? null, commands: shown }, true);
  if (open.length === 0) return Exit.OK;
  say(`${count(open.length - left, "command")} trusted${left === 0 ? "" : `, ${left} not seen`}.\n`);
  if (left > 0 && !asks && options.json !== true)
    terminal.err(
      `On a terminal, Curlew asks about each. To trust all commands above, run: curlew trust ${shellWord(oneLine(file))} --all\n`,
    );
  return left === 0 ? Exit.OK : Exit.WAITING;
}

async function askAbout(terminal: Terminal): Promise<"yes" | "no" | "quit" | "interrupted"> {
  const { askLine, isYes } = await import("../ask.ts");
  for (;;) {
    const typed = await askLine("Trust this command? [y/N/q] ", terminal);
    if ("gone" in typed) return typed.gone === "interrupted" ? "interrupted" : "quit";
    if (isYes(typed.text)) return "yes";
    if (/^(?:n|no|)$/i.test(typed.text)) return "no";
    if (/^(?:q|quit)$/i.test(typed.text)) return "quit";
    terminal.err("Type y, n or q, and Enter.\n");
  }
}

export async function list(options: HomeOption & { json?: boolean }, terminal: Terminal): Promise<Exit> {
  return withStore(options, terminal, async (store) => {
    const all = await store.trust.list();
    if (!all.ok) return refused(all.error, terminal);
    const empty = "No commands of imported workflows are trusted.";
    printList(all.value, { json: options.json, empty, row: cellsOf }, terminal);
    return Exit.OK;
  });
}

function cellsOf({ hash, file, node, by, at }: Trusted): string[] {
  return [hash.slice(0, 12), at.slice(0, 16).replace("T", " "), node, file, `by ${by}`].map(oneLine);
}

export async function rm(names: string[], options: HomeOption, terminal: Terminal): Promise<Exit> {
  return withStore({ ...options, writes: true }, terminal, async (store) => {
    const all = await store.trust.list();
    if (!all.ok) return refused(all.error, terminal);
    const hashes: string[] = [];
    for (const name of names) {
      const found = all.value.filter((one) => isNamed(one, name, terminal));
      if (found.length === 0) {
        const says = `There is no trusted command "${name}".`;
        return refuse(terminal, "not-trusted", says, "To list trusted commands, run: curlew trust list");
      }
      hashes.push(...found.map(({ hash }) => hash));
    }
    const removed = await store.trust.remove(hashes, "cli");
    if (!removed.ok) return refused(removed.error, terminal);
    terminal.err(`${count(removed.value, "command")} will need approval again.\n`);
    return Exit.OK;
  });
}

/** Matches a hash prefix, or all commands of a workflow file. */
function isNamed({ hash, file }: Trusted, name: string, terminal: Terminal): boolean {
  return namesHash(name, hash) || file === resolve(terminal.cwd, name);
}
