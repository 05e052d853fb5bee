// edit: opens a waiting command in the approver's editor and checks the change (spec 2.2, 3.5).
//   D1. The file has mode 0600 in its own folder with mode 0700. The folder is removed afterwards with everything in
//       it.
//   D2. The editor is started with an argument list, never through a shell. Its command line contains only the file's
//       path.
//   D3. Edited text is never lost: text that cannot be used is returned with the failure, so that editing can continue.
//   D4. If the text contains a secret of the run, Curlew reports it before showing any of the text.
//   D5. Nothing is approved here. A missing or failing editor, or unusable text, is a failure.

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
import { columnsOf } from "./text.ts";
import { splitWords } from "./words.ts";

/** `written`: the text that cannot be used. */
export type EditFailure = Failure & { written?: string };

/**
 * The changed text, or undefined if it is unchanged. Both are reported on stderr. `from` replaces the command as the
 * initial text. Failures: editor-missing, editor-failed, edit-empty, edit-unusable.
 */
export async function editCommand(
  pending: Pending,
  store: Store,
  terminal: Terminal,
  mask: Mask,
  from?: string,
): Promise<Result<string | undefined, EditFailure>> {
  const { detail } = pending.request;
  // If the whole program is a value, the workflow file contains only its name.
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
  const view = { style: terminal.errStyle, columns: columnsOf(terminal.errStream, Number.POSITIVE_INFINITY) };
  const lines = changes(before, after.value, { ...view, linesMax: limits.cardLinesMax });
  terminal.err(`${["Changed:", ...lines].join("\n")}\n`);
  const { checkEdit } = await import("../app/approvals/check-edit.ts");
  const wrong = await checkEdit(after.value, pending, store, terminal.env);
  return wrong === undefined ? ok(after.value) : err({ ...wrong, written: after.value });
}

/** The extension selects the editor's syntax colours. */
function fileName(shell: string | undefined): string {
  const name = shell?.split(/[\\/]/).at(-1) ?? "";
  const endings: Record<string, string> = { python3: "py", python: "py", node: "mjs", pwsh: "ps1", cmd: "cmd" };
  return `command.${Object.hasOwn(endings, name) ? endings[name] : "sh"}`;
}

async function edited(text: string, name: string, terminal: Terminal): Promise<Result<string, Failure>> {
  const editor = terminal.env.VISUAL || terminal.env.EDITOR || "vi";
  const words = splitWords(editor);
  if (words?.[0] === undefined || words[0] === "")
    return err({
      code: "editor-missing",
      message: `VISUAL or EDITOR is not a valid command: ${JSON.stringify(editor)}.`,
    });
  const folder = mkdtempSync(join(tmpdir(), "curlew-edit-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const open: { editor?: ChildProcess } = {};
  const leave = (signal: NodeJS.Signals): void => {
    open.editor?.kill(signal);
    remove();
    process.kill(process.pid, signal);
  };
  // Ctrl-C belongs to the open editor. Other signals that end this program also remove the file.
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

/** Undefined if the editor exited with 0. */
function run(
  program: string,
  args: string[],
  open: { editor?: ChildProcess },
  terminal: Terminal,
): Promise<Failure | undefined> {
  return new Promise((resolve) => {
    // The editor draws on the screen through stderr, because our stdout is for data.
    const child = spawn(program, args, { stdio: ["inherit", 2, "inherit"], cwd: terminal.cwd, env: terminal.env });
    open.editor = child;
    child.once("error", (reason: NodeJS.ErrnoException) =>
      resolve({
        code: "editor-missing",
        message: `Curlew can't start the editor "${program}": ${reason.code === "ENOENT" ? "it is not installed" : (reason.code ?? reason.message)}. Nothing was approved.`,
        hint: "Choose another: VISUAL=nano curlew approve …, or set EDITOR.",
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

/** Editors add a final newline. It is removed if the text had none. */
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
  if (bytes.includes(0)) return unusable("The edited command contains a NUL character.");
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return ok(before.endsWith("\n") ? text : text.replace(/\n$/, ""));
  } catch {
    return unusable("The edited command is not UTF-8.");
  }
}
