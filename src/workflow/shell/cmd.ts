// cmd: what a cmd script may not do with values of the run (spec 4.1).
//   C1. The text has no reference: cmd has no position where a value stays a value.
//   C2. `%NAME%` of a variable that holds a value is refused as well: it is replaced before the line is read, so `&` in it starts a command.
//   C3. `!NAME!` (delayed expansion) is put in after the line was read and is safe, but on a line that has its text read a second time:
//       `call`, `start`, `for /f`, another shell.
// Seen with the cmd of Wine 8: C2 and C3's list ran `x & echo …` as a command, `!NAME!` elsewhere printed it.

import { referencesOf } from "../template.ts";
import { atReference } from "./at.ts";
import { refuse } from "./problems.ts";
import type { ShellProblem } from "./types.ts";

/** Text that is read a second time: the rest of such a command's line (with those that `^` joins to it), and what `for /f` runs. */
const READ_AGAIN =
  /(?:^|[\s&|(@])(?:(?<program>call|start|cmd(?:\.exe)?|powershell(?:\.exe)?|pwsh(?:\.exe)?)(?=[\s/]|$)(?:\^\r?\n|[^\n])*|(?<loop>for\s+\/f)\b[\s\S]*?\)\s*do\b)/gim;

/** `names`: variables that hold values of the run (one-step.ts), in cmd whatever their case. Failures: `template-shell-unsupported`. */
export function refuseInCmd(
  content: string,
  known: (root: string) => boolean,
  names: readonly string[],
): ShellProblem[] {
  const found = referencesOf(content)
    .filter(({ root }) => known(root))
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
