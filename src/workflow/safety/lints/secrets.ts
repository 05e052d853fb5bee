// safety/lints/secrets: secrets where others can read them: on a command line, in a trace (4.1, "Warned"; 4.2, "Off the command line").

import * as told from "../../diagnostics/safety.ts";
import type { Call, Script } from "../script.ts";
import { type Term, textOf, valuesIn } from "../terms.ts";
import { type Finding, finding } from "./finding.ts";
import { signInFor } from "./sign-in.ts";

/** `content`: the author's text, for the exact place of a name in a word. `exported`: names of env.static. */
export function secretFindings(
  script: Script,
  content: string,
  hasSecrets: boolean,
  exported: ReadonlySet<string>,
): Finding[] {
  const functions = new Set(
    script.reading.tree.nodes.flatMap((chain) => {
      const node = chain.at(-1);
      return node?.type === "Function" ? [node.name.value] : [];
    }),
  );
  const findings: Finding[] = [];
  for (const call of script.calls) {
    if (hasSecrets) for (const word of tracing(call)) findings.push(finding(word, told.secretTraced));
    for (const { words, program } of commandLines(call))
      if (!BUILTINS.has(program) && !functions.has(program))
        for (const word of words) findings.push(...inWord(word, program, content, signInFor(call, word, exported)));
  }
  return findings;
}

/** Commands of the shell itself: their words stand on no command line. */
const BUILTINS = new Set([
  "echo",
  "printf",
  "test",
  "[",
  ":",
  "set",
  "local",
  "readonly",
  "export",
  "declare",
  "typeset",
  "read",
  "return",
  "exit",
  "cd",
  "eval",
  "source",
  ".",
  "shift",
  "unset",
  "command",
  "builtin",
  "exec",
  "noglob",
  "nocorrect",
]);

/** Of `sudo curl x` both: what sudo starts stands on its own command line too. */
function commandLines(call: Call): { words: Term[]; program: string }[] {
  const name = call.name ?? "a program";
  return [
    { words: call.args, program: name },
    ...call.wrappers
      .filter(({ name: wrapper }) => wrapper !== name)
      .map(({ name: program, own }) => ({ words: own, program })),
  ];
}

/** Once a word: `${user}:${password}` is one mistake. */
function inWord(word: Term, program: string, content: string, signIn: string | undefined): Finding[] {
  const secrets = valuesIn(word).filter(({ meaning, filter }) => meaning.secret !== undefined && filter !== "file");
  return secrets.slice(-1).flatMap(({ name }) => {
    const start = content.indexOf(name, word.start);
    const exact = start !== -1 && start + name.length <= word.end ? { start, end: start + name.length } : word;
    return [
      finding(exact, (at) =>
        told.secretOnCommandLine(at, name, program, program === "curl" ? (signIn ?? "") : undefined),
      ),
    ];
  });
}

/** `set -x`, `set -o xtrace`, `bash -x`. */
function tracing(call: Call): Term[] {
  if (call.name === "set" || /^(?:ba|z|da|k)?sh$/.test(call.name ?? ""))
    return call.args.filter((word, index) => {
      const text = textOf(word) ?? "";
      const options = call.name === "set" || call.args.slice(0, index).every((one) => /^-/.test(textOf(one) ?? ""));
      return (
        options && (/^-[a-zA-Z]*x/.test(text) || (text === "xtrace" && textOf(call.args[index - 1] ?? word) === "-o"))
      );
    });
  return [];
}
