// safety/lints/own-environment: a program (Python, JavaScript, Perl, Ruby) that starts curl with an environment of its own, as its text shows:
// what leads that curl to the one in front is not in it (nodes/http-observer), and its calls are seen by nobody.
//   V1. Who adds to the environment that it has hands on what is needed, and is not told.
// Deliberately absent: environments that are put together far from the call, languages whose words these are not.

import * as told from "../../diagnostics/safety.ts";
import { type Finding, finding } from "./finding.ts";

const OWN_ENVIRONMENT = "gives curl an environment of its own instead of adding to the one that it has";

export function ownEnvironmentFindings(content: string): Finding[] {
  const place = ownEnvironment(content);
  return place === undefined ? [] : [finding(place, (at) => told.curlUnseen(at, `the program ${OWN_ENVIRONMENT}`))];
}

/** Where a text says what the environment is, near a curl. */
function ownEnvironment(text: string): { start: number; end: number } | undefined {
  if (!text.includes("curl") || !STARTS_PROGRAMS.test(text) || WHOLE.test(text)) return undefined;
  for (const { index, 0: found } of text.matchAll(OWN)) {
    const end = index + found.length;
    if (/\bcurl\b/.test(text.slice(Math.max(0, index - NEAR), end + NEAR))) return { start: index, end };
  }
  return undefined;
}

/** Characters. */
const NEAR = 400;

const STARTS_PROGRAMS = /\b(?:subprocess|Popen|child_process|proc_open)\b|\b(?:exec|spawn|system|posix_spawn)\w*\b/;

/** `env={…}`, `env: {…}`, `{ env }`, `os.execve(`, `local %ENV = (`, `unsetenv_others`. */
const OWN =
  /(?<![\w.$&?'"-])env\s*(?:=|:)\s*(?!None\b|null\b|undefined\b)(?=\{|dict\b|Object\b|\w+\s*[,)\]}])|[{,]\s*env\s*(?=[,}])|\bos\.(?:exec|spawn)[lv]p?e(?=\()|\bposix_spawnp?(?=\()|%ENV\s*=|\bundef\s+%ENV|\bunsetenv_others\b/g;

/** V1: the whole of it is handed on; a single variable (`os.environ["X"]`, `process.env.X`) is not. */
const WHOLE =
  /\benvironb?\b(?!\s*(?:\[|\.get\b|\.pop\b))|\bprocess\.env\b(?!\s*(?:\[|\??\.\w))|%ENV\s*=\s*\(\s*%ENV|\bENV\.to_h/;
