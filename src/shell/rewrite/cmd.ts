// cmd: what a cmd script may not do with runtime values (spec 4.1). Behaviour observed with the cmd of Wine 8.
//   C1. The text has no reference: in cmd there is no position where a value stays a value.
//   C2. `%NAME%` of a variable that contains a value is rejected too: cmd replaces it before reading the line, so `&`
//       in it starts a command.
//   C3. `!NAME!` (delayed expansion) is replaced after the line was read and is safe. The exception is text that is
//       read a second time: `call`, `start`, `for /f`, another shell.

import { type Known, referencesOf } from "../template.ts";
import { atReference, refuse } from "./problems.ts";
import type { ShellProblem } from "./types.ts";

/**
 * Text that is read a second time: the rest of such a command's line, including lines joined by `^`, and the command of
 * `for /f`.
 */
const READ_AGAIN =
  /(?:^|[\s&|(@])(?:(?<program>call|start|cmd(?:\.exe)?|powershell(?:\.exe)?|pwsh(?:\.exe)?)(?=[\s/]|$)(?:\^\r?\n|[^\n])*|(?<loop>for\s+\/f)\b[\s\S]*?\)\s*do\b)/gim;

/**
 * `names`: variables that contain runtime values (one-step.ts); cmd ignores their case. Failures:
 * `template-shell-unsupported`.
 */
export function refuseInCmd(content: string, known: Known, names: readonly string[]): ShellProblem[] {
  const found = referencesOf(content)
    .filter(({ root, members }) => known(root, members))
    .map((reference) => refuse("template-shell-unsupported/cmd", atReference(content, reference)));
  if (names.length === 0) return found;
  const name = names.map((one) => one.replaceAll(/[^A-Za-z0-9_]/g, "\\$&")).join("|");
  const at = ({ 0: seen, index }: RegExpMatchArray, offset = 0) => {
    const start = offset + (index ?? 0);
    return { start, end: start + seen.length, name: seen };
  };
  for (const spot of content.matchAll(new RegExp(`%(?:${name})(?::[^%\\n]*)?%`, "gi")))
    found.push(refuse("template-shell-unsupported/cmd-early", at(spot), spot[0].replaceAll("%", "!")));
  for (const again of content.matchAll(READ_AGAIN))
    for (const spot of again[0].matchAll(new RegExp(`!(?:${name})(?::[^!\\n]*)?!`, "gi"))) {
      const { program, loop } = again.groups ?? {};
      found.push(
        refuse("template-shell-unsupported/cmd-again", at(spot, again.index), (program ?? loop ?? "").toLowerCase()),
      );
    }
  return found;
}
