// problem: why a command could not do its job: one sentence, a stable code, and help.
//   P1. There is one format: `curlew: error[code]: message`, then `  help: …` lines. docs/reference/command-line.md
//       lists the codes.
//   P2. Untrusted text is made harmless before it reaches a terminal.

import { dirname } from "node:path";
import type { Failure } from "../base/failure.ts";
import { harmless } from "../base/text.ts";
import type { Style } from "./style.ts";
import { shellWord } from "./text.ts";

export type Problem = Pick<Failure, "code" | "message" | "hint">;

export function problem(code: string, message: string, hint?: string): Problem {
  return { code, message, hint };
}

/** Problem for output that could not be written (T4 of terminal.ts). */
export function notWritten({ message }: Error): Problem {
  return problem(
    "cannot-write",
    `Curlew can't write to standard output: ${message}.`,
    "The output so far is incomplete.",
  );
}

/** `file` as the user wrote it. */
export function cannotWrite(file: string, { code, message }: NodeJS.ErrnoException): Problem {
  const folder = dirname(file);
  const says = (why: string, hint?: string) => problem("cannot-write", `Curlew can't write ${file}. ${why}`, hint);
  switch (code) {
    case "ENOENT":
      return says(`The folder ${folder} does not exist.`, `Make it first: mkdir -p ${shellWord(folder)}`);
    case "ENOTDIR":
      return says(`${folder} is not a folder.`);
    case "EACCES":
    case "EPERM":
      return says("Permission denied.", `Check who may write to ${folder === "." ? "this folder" : folder}.`);
    case "EROFS":
      return says("The disk can only be read.");
    case "ENOSPC":
    case "EDQUOT":
      return says("The disk is full.");
    case "ENAMETOOLONG":
      return says("The name is too long.");
    default:
      return says(`${message}.`);
  }
}

/** `kind` is `error`, or `warning` if the command continues. Ends in a newline. */
export function renderProblem(given: Problem, style: Style, kind: "error" | "warning" = "error"): string {
  const label = style(kind === "error" ? "error" : "warning", `${kind}[${given.code}]`);
  const head = `curlew: ${label}: ${harmless(given.message)}\n`;
  if (given.hint === undefined) return head;
  const [first, ...rest] = harmless(given.hint).split("\n");
  return `${head}  ${style("label", "help:")} ${first}\n${rest.map((line) => `        ${line}\n`).join("")}`;
}
