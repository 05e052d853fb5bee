// edit: the command that waits, in the person's own editor, and what they changed (spec 2.2, 3.5).
//   D1. The file is 0600 in a folder of its own, 0700, which is gone afterwards, with whatever the editor left beside it.
//   D2. The editor is started with words, never through a shell; nothing of the command reaches a command line but the file's path.
//   D3. What a person has written is theirs: a text that cannot be used comes back with the failure, to go on from.
//   D4. A secret of the run that was written into it is told before anything of the text is shown.
//   D5. Nothing is granted here: an editor that is missing or fails, or a text that cannot be used, ends in a failure.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Failure } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import { type Mask, secretIn } from "../engine/answer.ts";
import type { Pending } from "../engine/pending.ts";
import type { Store } from "../store/index.ts";
import type { Terminal } from "./terminal.ts";
import { splitWords } from "./words.ts";

/** `written`: the text that cannot be used. */
export type EditFailure = Failure & { written?: string };

/**
 * The changed text, or undefined when nothing was changed; either way it was said on stderr. `from`: begins with this text, not with
 * the command. Failures: editor-missing, editor-failed, edit-empty, edit-unusable.
 */
export async function editCommand(
  pending: Pending,
  store: Store,
  terminal: Terminal,
  mask: Mask,
  from?: string,
): Promise<Result<string | undefined, EditFailure>> {
  const { detail } = pending.request;
  // A program that is a value: what stands in the document is only its name.
  const before = detail.wholeProgram ? detail.rendered : detail.command;
  const after = await edited(from ?? before, fileName(detail.shell), terminal);
  if (!after.ok) return from === undefined ? after : err({ ...after.error, written: from });
  if (after.value.trim() === "")
    return err({
      code: "edit-empty",
      message: "The edited command is empty. Nothing was approved.",
      hint: '"curlew reject" keeps a command from running.',
    });
  if (after.value === before) {
    terminal.err("The command is unchanged.\n");
    return ok(undefined);
  }
  const holds = secretIn({ grant: true, edited: after.value }, mask);
  if (holds !== undefined) return err({ ...holds, written: after.value });
  const { changes } = await import("./changes.ts");
  const view = { style: terminal.errStyle, columns: terminal.errStream.columns ?? Number.POSITIVE_INFINITY };
  const lines = changes(before, after.value, { ...view, linesMax: limits.cardLinesMax });
  terminal.err(`${["Changed:", ...lines].join("\n")}\n`);
  const { checkEdit } = await import("../server/check-edit.ts");
  const wrong = await checkEdit(after.value, pending, store, terminal.env);
  return wrong === undefined ? ok(after.value) : err({ ...wrong, written: after.value });
}

/** Its ending tells the editor how to colour it. */
function fileName(shell: string | undefined): string {
  const name = shell?.split(/[\\/]/).at(-1) ?? "";
  const endings: Record<string, string> = { python3: "py", python: "py", node: "mjs", pwsh: "ps1", cmd: "cmd" };
  return `command.${Object.hasOwn(endings, name) ? endings[name] : "sh"}`;
}

async function edited(text: string, name: string, terminal: Terminal): Promise<Result<string, Failure>> {
  const editor = terminal.env.VISUAL || terminal.env.EDITOR || "vi";
  const words = splitWords(editor);
  if (words?.[0] === undefined || words[0] === "")
    return err({ code: "editor-missing", message: `VISUAL or EDITOR names no program: ${JSON.stringify(editor)}.` });
  const folder = mkdtempSync(join(tmpdir(), "curlew-edit-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const open: { editor?: ChildProcess } = {};
  const leave = (signal: NodeJS.Signals): void => {
    open.editor?.kill(signal);
    remove();
    process.kill(process.pid, signal);
  };
  // Ctrl-C is the editor's while it is open; whatever else ends this program takes the file with it.
  const stay = (): void => {};
  process.on("SIGINT", stay).on("SIGQUIT", stay).once("SIGTERM", leave).once("SIGHUP", leave);
  try {
    const file = join(folder, name);
    writeFileSync(file, text.endsWith("\n") ? text : `${text}\n`, { mode: 0o600, flag: "wx" });
    const ended = await run(words[0], [...words.slice(1), file], open, terminal);
    return ended === undefined ? read(file, text) : err(ended);
  } finally {
    process.off("SIGINT", stay).off("SIGQUIT", stay).off("SIGTERM", leave).off("SIGHUP", leave);
    remove();
  }
}

/** Nothing when it ended well. */
function run(
  program: string,
  args: string[],
  open: { editor?: ChildProcess },
  terminal: Terminal,
): Promise<Failure | undefined> {
  return new Promise((resolve) => {
    // stdout of an editor is the screen; ours is for data.
    const child = spawn(program, args, { stdio: ["inherit", terminal.errStream, "inherit"], cwd: terminal.cwd });
    open.editor = child;
    child.once("error", (reason: NodeJS.ErrnoException) =>
      resolve({
        code: "editor-missing",
        message: `The editor "${program}" cannot be started: ${reason.code === "ENOENT" ? "there is no such program" : (reason.code ?? reason.message)}. Nothing was approved.`,
        hint: "Name one that is there: VISUAL=nano curlew approve …, or set EDITOR.",
      }),
    );
    child.once("close", (code, signal) =>
      resolve(
        code === 0
          ? undefined
          : {
              code: "editor-failed",
              message: `The editor "${program}" ended with ${signal ?? `exit code ${code}`}. Nothing was approved.`,
            },
      ),
    );
  });
}

/** The line break at the end is the editor's, when the text had none. */
function read(file: string, before: string): Result<string, Failure> {
  const unusable = (message: string): Result<string, Failure> =>
    err({ code: "edit-unusable", message: `${message} Nothing was approved.` });
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    return unusable("The edited file is gone.");
  }
  if (bytes.length > limits.documentBytesMax) return unusable("The edited command is too long.");
  if (bytes.includes(0)) return unusable("The edited command holds a NUL character.");
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return ok(before.endsWith("\n") ? text : text.replace(/\n$/, ""));
  } catch {
    return unusable("The edited command is not UTF-8.");
  }
}
