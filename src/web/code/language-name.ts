// language-name: a command's language, from its first line and its shell, as in a run (spec 1.2 `mode`).

import { interpreterOf } from "../../shell/dialect.ts";

export type LanguageName =
  | "shell"
  | "python"
  | "javascript"
  | "ruby"
  | "perl"
  | "powershell"
  | "json"
  | "yaml"
  | "expression"
  | "text";

const BY_PROGRAM: readonly (readonly [RegExp, LanguageName])[] = [
  [/^(?:ba|da|z|k|fi)?sh$/, "shell"],
  [/^python[\d.]*$/, "python"],
  [/^(?:node|deno|bun|tsx|ts-node)$/, "javascript"],
  [/^ruby[\d.]*$/, "ruby"],
  [/^perl[\d.]*$/, "perl"],
  [/^(?:pwsh|powershell)$/, "powershell"],
];

export function commandLanguage(content: string, mode: unknown, shell: unknown): LanguageName {
  const program = mode === "script" ? interpreterOf(content) : undefined;
  if (program !== undefined) return BY_PROGRAM.find(([names]) => names.test(program))?.[1] ?? "text";
  return shell === "pwsh" ? "powershell" : shell === "cmd" ? "text" : "shell";
}
