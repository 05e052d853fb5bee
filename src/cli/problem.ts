// problem: why a command could not do its job: one sentence, a stable code, and help.
//   P1. There is one format: `curlew: error[code]: message`, then `  help: …` lines. docs/reference/command-line.md
//       lists the codes.
//   P2. Untrusted text is made harmless before it reaches a terminal.

import type { Failure } from "../base/failure.ts";
import { harmless } from "../base/text.ts";
import type { Style } from "./style.ts";

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

/** `kind` is `error`, or `warning` if the command continues. Ends in a newline. */
export function renderProblem(given: Problem, style: Style, kind: "error" | "warning" = "error"): string {
  const label = style(kind === "error" ? "error" : "warning", `${kind}[${given.code}]`);
  const head = `curlew: ${label}: ${harmless(given.message)}\n`;
  if (given.hint === undefined) return head;
  const [first, ...rest] = harmless(given.hint).split("\n");
  return `${head}  ${style("label", "help:")} ${first}\n${rest.map((line) => `        ${line}\n`).join("")}`;
}
