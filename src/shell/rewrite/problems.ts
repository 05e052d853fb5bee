// problems: every reason to reject a reference in a script, with its message and fix. docs/reference/templates.md lists
// the codes.
//   `{ref}` is the reference as written, `{what}` the detail given to refuse(). A suffix after a slash separates
//   messages of one code.

import { limits } from "../../base/limits.ts";
import type { Reference } from "../template.ts";
import { programHelp } from "./programs.ts";
import type { ShellProblem } from "./types.ts";

export interface At {
  start: number;
  end: number;
  /** As written in the script: `${1.id}`. */
  name: string;
}

const VIA_ENV =
  'Pass it as a variable instead: env: { static: { VALUE: "{ref}" } } and "$VALUE" in the command, or on stdin.';
/** For a variable that already holds a value. */
const VIA_DATA = "A program must be fixed text. Take {ref} apart as data: with jq, sed, or read, or by stdin.";
const VIA_PRINTF = "Write printf '%s\\n' {ref}.";

type Text = readonly [message: string, help: string];

const REFUSALS = {
  "template-script-unreadable": [
    "This script cannot be read as shell text, so no value can be placed in it safely: {what}.",
    "Correct the syntax. If the shell accepts the script, pass values with env.static or stdin and write no ${…} in it.",
  ],
  "template-too-many": [
    `This script has {what} references. The limit is ${limits.templateReferencesMax} per script.`,
    "Give the value to a variable of the script once (v=${name}) and use $v, or pass it on stdin.",
  ],
  "template-place-unknown": ["It is not clear what {ref} would mean at this place of the script.", VIA_ENV],
  "template-command-name": [
    "{ref} would choose which command runs.",
    "Write the command itself; choose between commands with case, or with an IF node.",
  ],
  "template-redirect-target": [
    "{ref} would choose a file or descriptor to redirect to.",
    "Redirect to a name written in the script. To read a value as a file write < ${…|file}.",
  ],
  "template-name": ["{ref} would choose the name of a variable, function or descriptor.", "Write the name itself."],
  "template-quoted-heredoc": [
    "{ref} is in a heredoc whose delimiter is quoted, where the shell replaces nothing.",
    "Take the quotes off the delimiter: <<EOF instead of <<'EOF'.",
  ],
  "template-backquotes": [
    "{ref} is inside backquotes, which have their own quoting rules.",
    "Write $(…) instead of `…`.",
  ],
  "template-in-expansion": [
    "{ref} is inside another expansion, where parts of it would be a pattern or an expression.",
    'Give it a name first: v={ref}, then use "$v" there.',
  ],
  "template-subscript": [
    "{ref} is in an array subscript or slice, which the shell evaluates.",
    "Use a fixed index, or filter with jq.",
  ],
  "template-in-glob": ["{ref} is inside a pattern or brace list that is not quoted.", "Put the word in double quotes."],
  "template-after-tilde": [
    "{ref} is in a word that begins with ~:, which bash reads as the home folder only while nothing in it is quoted.",
    'Write "$HOME:…" in double quotes, or quote the ~ if you mean the character.',
  ],
  "template-locale-string": ['{ref} is in $"…", which the shell may translate.', 'Write "…" without the dollar sign.'],
  "template-ansi-escape": [
    "{ref} follows an unfinished escape in $'…'.",
    "End the escape first, or use double quotes.",
  ],
  "template-operator": [
    "{ref} applies an operator of the shell to a value of the workflow.",
    "Give it a name first: v=${…}, then use the operator on that: ${v:-default}.",
  ],
  "template-assigned": [
    "The script sets a variable of the same name as {ref}, so it is not clear which one is meant.",
    "Rename the script's variable, or write $name without braces for the script's own.",
  ],
  "template-reserved-name": [
    "Values reach the script under names that begin with CURLEW_V_. The script must not use such names itself.",
    "Write ${name}, or choose another name.",
  ],
  "unknown-filter": ['There is no filter "{what}".', "There are json, uri, b64, int, arg, sh and file."],
  "template-not-posix": [
    '{what} is not POSIX shell, so "sh" may read this script differently; no value can be placed in it safely.',
    "Set shell: bash, or write it the POSIX way.",
  ],
  "template-evaluated": ['{ref} is an argument of "{what}", which evaluates it or lets it choose names.', VIA_ENV],
  "template-evaluated/expansion": [
    "{ref} comes to {what}, which takes it for a name, a pattern or a prompt and evaluates it.",
    "Use a plain $name, or a case over the names that may come.",
  ],
  "template-evaluated/alias": [
    "This script defines an alias, which can make a command of any word, so no value can be placed in it safely.",
    "Write a function in place of the alias, or the command itself.",
  ],
  "template-evaluated/set": ["{ref} could switch options of the shell.", "Write set -- {ref}."],
  "template-evaluated/test": [
    "{ref} could act as an operator of the test.",
    'Compare with case … in, or with [ "$a" = "$b" ] on one pair at a time.',
  ],
  "template-evaluated/regex": [
    "{ref} would be a regular expression: zsh ignores quotes after =~.",
    "Use == with quotes, or grep -F.",
  ],
  "template-evaluated/number": [
    "zsh's printf would evaluate {ref} as arithmetic.",
    "Use %s, or give the value as ${…|int}.",
  ],
  "template-program-text": ['{ref} is in program text of "{what}": the value would be read as code.', VIA_ENV],
  "template-program-text/stdin": [
    '{ref} is fed to "{what}", which runs what it reads.',
    "Write the program into the script and pass the value as an argument or variable of it.",
  ],
  "template-printf-format": ["{ref} would be a format of printf.", VIA_PRINTF],
  "template-echo": ["echo changes backslashes in {ref} in this shell or with this option.", VIA_PRINTF],
  "template-dangerous-variable": [
    "{ref} would set {what}, which can run code or change what programs do.",
    "Set {what} to a fixed text.",
  ],
  "template-sh-position": [
    "{ref} must be a separate word of the inner command, outside its quotes.",
    'Write for example ssh host "grep -F -- ${name|sh} file".',
  ],
  "template-shell-unsupported/pwsh": [
    "{ref} cannot be used here in a PowerShell script: {what}.",
    'Pass it with env: { static: { VALUE: "{ref}" } } and write $env:VALUE, or on stdin.',
  ],
  "template-shell-unsupported/cmd": [
    "{ref}: values cannot be placed in the text of cmd scripts.",
    'Pass it with env: { static: { VALUE: "{ref}" } } and write !VALUE! after "setlocal EnableDelayedExpansion" (never %VALUE%), or on stdin.',
  ],
  "template-shell-unsupported/cmd-early": [
    '{ref} has a value of the run, and cmd puts it in before it reads the line: "&" in it starts a command.',
    'Write "setlocal EnableDelayedExpansion" at the top and {what} here, or pass the value on stdin.',
  ],
  "template-shell-unsupported/cmd-again": [
    '{ref} has a value of the run, and {what} has its text read a second time: "&" in it starts a command.',
    "Let the program that {what} starts read the variable itself, or pass the value on stdin.",
  ],
} as const satisfies Record<string, Text>;

export function atReference(text: string, { start, end }: Reference): At {
  return { start, end, name: text.slice(start, end) };
}

export type Refusal = keyof typeof REFUSALS;

/** The help for program text comes from the table of programs, if it has one for `what`. */
export function refuse(refusal: Refusal, { start, end, name }: At, what = ""): ShellProblem {
  const fill = (text: string) => text.replaceAll("{ref}", () => name).replaceAll("{what}", () => what);
  const [message, advice] = REFUSALS[refusal];
  const help = advice === VIA_ENV && /^\$\w/.test(name) ? VIA_DATA : advice;
  const [code = refusal] = refusal.split("/");
  const own = code === "template-program-text" ? programHelp(what, name) : undefined;
  const isFed = refusal === "template-program-text/stdin";
  return {
    code,
    message: fill(message),
    help: isFed ? [fill(help), own].join(" ").trim() : (own ?? fill(help)),
    start,
    end,
  };
}
