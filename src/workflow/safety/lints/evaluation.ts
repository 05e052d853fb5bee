// safety/lints/evaluation: values that nobody vouches for, exported under a name of the author's, where a program takes them for a program
// (4.1 "Severity rises with provenance"). A reference (`${1}`) in such a place is refused whatever it holds; `$X` is the script's own word,
// so that only an untrusted value is told.
//   E1. An argument of eval, source and `.`; the text after -c or -e of an interpreter; the words of ssh behind the host.
// Deliberately absent: programs that are on no list, and what a script makes of the value first.

import * as told from "../../diagnostics/safety.ts";
import type { Call, Script } from "../script.ts";
import { headOf, type Term, valuesIn } from "../terms.ts";
import { type Finding, finding } from "./finding.ts";

export function evaluationFindings(script: Script): Finding[] {
  const findings: Finding[] = [];
  for (const call of script.calls) {
    if (call.nested || call.name === undefined) continue;
    for (const word of programTexts(call)) {
      const value = valuesIn(word).find(({ name, meaning }) => name.startsWith("$") && meaning.untrusted !== undefined);
      if (value?.meaning.untrusted === undefined || value.name.startsWith("${")) continue;
      const { name, meaning } = value;
      findings.push(finding(word, (at) => told.untrustedEvaluated(at, name, call.name ?? "", meaning.untrusted ?? "")));
    }
  }
  return findings;
}

const INTERPRETERS = /^(?:(?:ba|da|z|k|mk|a|fi)?sh|python[0-9.]*|node|perl|ruby|php|su)$/;
/** `-c`, `-lc`, `-e`, `-ne`, `--eval`. */
const TAKES_PROGRAM = /^(?:-[A-Za-z]*[cer]|--(?:eval|command|run))$/;

/** E1. */
function programTexts({ name = "", args }: Call): readonly Term[] {
  if (/^(?:eval|source|\.)$/.test(name)) return args;
  if (name === "ssh") return args.slice(args.findIndex((word) => !headOf(word).startsWith("-")) + 1);
  if (!INTERPRETERS.test(name)) return [];
  const at = args.findIndex((word) => TAKES_PROGRAM.test(headOf(word)));
  return at === -1 ? [] : args.slice(at + 1, at + 2);
}
