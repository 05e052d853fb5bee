// script-file: writes a command's program to a file of the run that only its user can read (spec 4.1).

import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import type { NodeContext } from "../context.ts";
import type { Program } from "./program.ts";

/**
 * Writes the script once per run and program text. A script with values read from files belongs to one attempt. An
 * existing file is used only if it has exactly this content.
 */
export function writeScript(program: Program, prologue: string, stem: string, context: NodeContext): string {
  const text = prologue + program.text;
  const digest = createHash("sha256").update(program.text).digest("hex").slice(0, 16);
  const name = prologue === "" ? `script-${digest}${program.extension}` : `script-${stem}${program.extension}`;
  const file = context.files.path(name);
  if (context.files.has(name) && readFileSync(file, "utf8") === text) return file;
  rmSync(file, { force: true });
  writeFileSync(file, text, { mode: 0o600, flag: "wx" });
  return file;
}

/**
 * A command's message with the shell's name in place of the path of our script file: `bash: line 2: x: command not
 * found`.
 */
export function withoutScriptFile(said: string, interpreter: string, context: NodeContext): string {
  const [beginning, ...rest] = said.split(context.files.path("script-"));
  const name = /^(?:bash|sh|zsh)$/.test(interpreter) ? interpreter : "script";
  return [beginning, ...rest.map((part) => part.replace(/^[\w.-]*\w/, name))].join("");
}
