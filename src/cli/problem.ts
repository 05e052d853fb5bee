// problem: what a command says when it cannot do what was asked: one sentence, a stable code, and what helps.
//   P1. One shape everywhere: `curlew: error[code]: message`, then `  help: …` lines. Codes are listed in docs/reference/command-line.md.
//   P2. Text that came from outside is made harmless before it reaches a terminal.

import type { Style } from "./style.ts";
import { harmless } from "./text.ts";

export interface Problem {
  /** Stable, kebab-case. */
  code: string;
  message: string;
  help?: string;
}

export function problem(code: string, message: string, help?: string): Problem {
  return help === undefined ? { code, message } : { code, message, help };
}

/** T4 of terminal.ts. */
export function notWritten({ message }: Error): Problem {
  return problem("cannot-write", `Standard output takes no more: ${message}.`, "What was written so far is not all.");
}

/** `kind` is `error`, or `warning` for what does not stop the command. Ends in a line break. */
export function renderProblem(given: Problem, style: Style, kind: "error" | "warning" = "error"): string {
  const label = style(kind === "error" ? "error" : "warning", `${kind}[${given.code}]`);
  const head = `curlew: ${label}: ${harmless(given.message)}\n`;
  if (given.help === undefined) return head;
  const [first, ...rest] = harmless(given.help).split("\n");
  return `${head}  ${style("label", "help:")} ${first}\n${rest.map((line) => `        ${line}\n`).join("")}`;
}
