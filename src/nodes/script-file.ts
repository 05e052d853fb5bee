// script-file: a command's program as a file of the run, private to its user (spec 4.1).

import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import type { NodeContext } from "./context.ts";
import type { Program } from "./program.ts";

/** The script, written once a run for each program text; one with values read from files is this attempt's own. What stands there counts
 * only when it is exactly what was prepared. */
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

/** What a command said, with the name of its shell where that names our file for its script: `bash: line 2: x: command not found`. */
export function withoutScriptFile(said: string, interpreter: string, context: NodeContext): string {
  const [beginning, ...rest] = said.split(context.files.path("script-"));
  const name = /^(?:bash|sh|zsh)$/.test(interpreter) ? interpreter : "script";
  return [beginning, ...rest.map((part) => part.replace(/^[\w.-]*\w/, name))].join("");
}
