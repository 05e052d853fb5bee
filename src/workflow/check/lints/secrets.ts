// safety/lints/secrets: finds secrets that others can read: on a command line or in a trace (4.1, "Warned"; 4.2, "Off
// the command line").

import type { Call, Script, Term } from "../../../shell/safety/index.ts";
import * as diagnostics from "../../diagnostics/safety.ts";
import { type Finding, finding } from "./finding.ts";
import { signInFor } from "./sign-in.ts";

/** `content`: the node's content, to locate a name in a word. `exported`: names of env.static. */
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
    if (hasSecrets) for (const word of tracing(call)) findings.push(finding(word, diagnostics.secretTraced));
    for (const { words, program } of commandLines(call))
      if (!BUILTINS.has(program) && !functions.has(program))
        for (const word of words) findings.push(...inWord(word, program, content, signInFor(call, word, exported)));
  }
  return findings;
}

/** Shell builtins: no other program can read their arguments. */
const BUILTINS: ReadonlySet<string> = new Set(
  (
    "echo printf test [ : set local readonly export declare typeset read return exit cd eval source . shift unset command " +
    "builtin exec noglob nocorrect"
  ).split(" "),
);

/** For `sudo curl x`, both: sudo's own command line contains the command that it starts. */
function commandLines(call: Call): { words: Term[]; program: string }[] {
  const name = call.name ?? "a program";
  const wrappers = call.wrappers.filter((wrapper) => wrapper.name !== name);
  return [{ words: call.args, program: name }, ...wrappers.map((one) => ({ words: one.own, program: one.name }))];
}

/** One finding per word: `${user}:${password}` is one mistake. */
function inWord(word: Term, program: string, content: string, signIn: string | undefined): Finding[] {
  const secret = word.pieces.findLast(({ value }) => value?.meaning.secret !== undefined && value.filter !== "file");
  if (secret?.value === undefined) return [];
  const { name } = secret.value;
  const start = content.indexOf(name, word.start);
  const exact = start !== -1 && start + name.length <= word.end ? { start, end: start + name.length } : word;
  const fix = program === "curl" ? (signIn ?? "") : undefined;
  return [finding(exact, (at) => diagnostics.secretOnCommandLine(at, name, program, fix))];
}

/** `set -x`, `set -o xtrace`, `bash -x`. */
function tracing({ name = "", args }: Call): Term[] {
  if (name !== "set" && !/^(?:ba|z|da|k)?sh$/.test(name)) return [];
  return args.filter((word, index) => {
    const text = word.literal ?? "";
    const isOption = name === "set" || args.slice(0, index).every((one) => /^-/.test(one.literal ?? ""));
    const isTrace = /^-[a-zA-Z]*x/.test(text) || (text === "xtrace" && args[index - 1]?.literal === "-o");
    return isOption && isTrace;
  });
}
