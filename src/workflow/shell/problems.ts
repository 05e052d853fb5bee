// problems: one function for each way a template can be refused in a shell script. Codes are listed in docs/reference/templates.md.

import { limits } from "../../base/limits.ts";
import { helpOf, helpOfFed } from "./program-help.ts";
import type { ShellProblem } from "./types.ts";

export interface At {
  start: number;
  end: number;
  /** As the author wrote it: `${1.id}`. */
  name: string;
}

/** What always works: the value as a variable or as standard input of the program that needs it. */
const viaEnv = (at: At) =>
  `Hand it over as a variable instead: env: { static: { VALUE: "${at.name}" } } and "$VALUE" in the command, or as stdin.`;

const problem = (code: string, at: At, message: string, help: string): ShellProblem => ({
  code,
  message,
  help,
  start: at.start,
  end: at.end,
});

export const unreadable = (at: At, detail: string): ShellProblem =>
  problem(
    "template-script-unreadable",
    at,
    `This script cannot be read as shell text, so no value can be placed in it safely: ${detail}.`,
    "Correct the syntax. If the shell accepts it all the same, hand values over by env.static or stdin and write no ${…} in the script.",
  );
export const tooMany = (at: At, count: number): ShellProblem =>
  problem(
    "template-too-many",
    at,
    `This script holds ${count} references; ${limits.templateReferencesMax} are looked at in one script.`,
    "Give the value to a variable of the script once (v=${name}) and use $v, or hand it over by stdin.",
  );
export const unaccounted = (at: At): ShellProblem =>
  problem(
    "template-place-unknown",
    at,
    `It is not clear what ${at.name} would mean at this place of the script.`,
    viaEnv(at),
  );
export const commandName = (at: At): ShellProblem =>
  problem(
    "template-command-name",
    at,
    `${at.name} would choose which command runs.`,
    "Write the command itself; choose between commands with case, or with an IF node.",
  );
export const redirectTarget = (at: At): ShellProblem =>
  problem(
    "template-redirect-target",
    at,
    `${at.name} would choose a file or descriptor to redirect to.`,
    `Redirect to a name written in the script. To read a value as a file write < \${…|file}.`,
  );
export const assignedName = (at: At): ShellProblem =>
  problem(
    "template-name",
    at,
    `${at.name} would choose the name of a variable, function or descriptor.`,
    "Write the name itself.",
  );
export const quotedHeredoc = (at: At): ShellProblem =>
  problem(
    "template-quoted-heredoc",
    at,
    `${at.name} stands in a heredoc whose delimiter is quoted; the shell replaces nothing there.`,
    "Take the quotes off the delimiter: <<EOF instead of <<'EOF'.",
  );
export const backquotes = (at: At): ShellProblem =>
  problem(
    "template-backquotes",
    at,
    `${at.name} stands in backquotes, whose quoting rules are their own.`,
    "Write $(…) instead of `…`.",
  );
export const inExpansion = (at: At): ShellProblem =>
  problem(
    "template-in-expansion",
    at,
    `${at.name} stands inside another expansion, where parts of it would be a pattern or an expression.`,
    `Give it a name first: v=${at.name}, then use "$v" there.`,
  );
export const oddExpansion = (at: At, expansion: string): ShellProblem =>
  problem(
    "template-evaluated",
    at,
    `${at.name} comes to ${expansion}, which takes it for a name, a pattern or a prompt and evaluates it.`,
    "Use a plain $name, or a case over the names that may come.",
  );
export const subscript = (at: At): ShellProblem =>
  problem(
    "template-subscript",
    at,
    `${at.name} stands in an array subscript or slice, which the shell evaluates.`,
    "Use a fixed index, or filter with jq.",
  );
export const inGlob = (at: At): ShellProblem =>
  problem(
    "template-in-glob",
    at,
    `${at.name} stands inside a pattern or brace list that is not quoted.`,
    "Put the word in double quotes.",
  );
export const afterTilde = (at: At): ShellProblem =>
  problem(
    "template-after-tilde",
    at,
    `${at.name} stands in a word that begins with ~:, which bash reads as the home folder only while nothing in it is quoted.`,
    'Write "$HOME:…" in double quotes, or quote the ~ if it is meant as it is.',
  );
export const localeString = (at: At): ShellProblem =>
  problem(
    "template-locale-string",
    at,
    `${at.name} stands in $"…", which the shell may translate.`,
    'Write "…" without the dollar sign.',
  );
export const ansiEscape = (at: At): ShellProblem =>
  problem(
    "template-ansi-escape",
    at,
    `${at.name} follows an unfinished escape in $'…'.`,
    "End the escape first, or use double quotes.",
  );
export const operator = (at: At): ShellProblem =>
  problem(
    "template-operator",
    at,
    `${at.name} applies an operator of the shell to a value of the workflow.`,
    `Give it a name first: v=\${…}, then use the operator on that: \${v:-default}.`,
  );
export const scriptAssigns = (at: At): ShellProblem =>
  problem(
    "template-assigned",
    at,
    `The script sets a variable of the same name as ${at.name}, so it is not clear which one is meant.`,
    "Rename the script's variable, or write $name without braces for the script's own.",
  );
export const reservedName = (at: At): ShellProblem =>
  problem(
    "template-reserved-name",
    at,
    "Names that begin with CURLEW_V_ are how values reach the script; it may not use them itself.",
    "Write ${name}, or choose another name.",
  );
export const unknownFilter = (at: At, filter: string): ShellProblem =>
  problem("unknown-filter", at, `There is no filter "${filter}".`, "There are json, uri, b64, int, arg, sh and file.");
export const notPosix = (at: At, what: string): ShellProblem =>
  problem(
    "template-not-posix",
    at,
    `${what} is not POSIX shell, so "sh" may read this script differently; no value can be placed in it safely.`,
    "Set shell: bash, or write it the POSIX way.",
  );
export const builtin = (at: At, name: string): ShellProblem =>
  problem(
    "template-evaluated",
    at,
    `${at.name} is an argument of "${name}", which evaluates it or lets it choose names.`,
    viaEnv(at),
  );
export const programText = (at: At, name: string): ShellProblem =>
  problem(
    "template-program-text",
    at,
    `${at.name} stands in program text of "${name}": the value would be read as code.`,
    helpOf(name, at.name) ?? viaEnv(at),
  );
export const programStdin = (at: At, name: string): ShellProblem =>
  problem(
    "template-program-text",
    at,
    `${at.name} is fed to "${name}", which runs what it reads.`,
    helpOfFed(name, at.name),
  );
export const writtenAndRun = (at: At, file: string): ShellProblem =>
  problem(
    "template-program-text",
    at,
    `${at.name} is written into "${file}", which the script runs.`,
    "Pass the value to it as an argument or variable instead.",
  );
export const printfFormat = (at: At): ShellProblem =>
  problem("template-printf-format", at, `${at.name} would be a format of printf.`, `Write printf '%s\\n' ${at.name}.`);
export const echoed = (at: At): ShellProblem =>
  problem(
    "template-echo",
    at,
    `echo changes backslashes in ${at.name} in this shell or with this option.`,
    `Write printf '%s\\n' ${at.name}.`,
  );
export const dangerousName = (at: At, name: string): ShellProblem =>
  problem(
    "template-dangerous-variable",
    at,
    `${at.name} would set ${name}, which can run code or change what programs do.`,
    `Set ${name} to a fixed text.`,
  );
export const setWithoutDashes = (at: At): ShellProblem =>
  problem("template-evaluated", at, `${at.name} could switch options of the shell.`, `Write set -- ${at.name}.`);
export const testOperator = (at: At): ShellProblem =>
  problem(
    "template-evaluated",
    at,
    `${at.name} could act as an operator of the test.`,
    'Compare with case … in, or with [ "$a" = "$b" ] on one pair at a time.',
  );
export const zshRegex = (at: At): ShellProblem =>
  problem(
    "template-evaluated",
    at,
    `${at.name} would be a regular expression: zsh ignores quotes after =~.`,
    "Use == with quotes, or grep -F.",
  );
export const zshNumber = (at: At): ShellProblem =>
  problem(
    "template-evaluated",
    at,
    `${at.name} would be evaluated as arithmetic by zsh's printf.`,
    "Use %s, or give the value as ${…|int}.",
  );
export const shWord = (at: At): ShellProblem =>
  problem(
    "template-sh-place",
    at,
    `${at.name} must stand by itself in the inner command, outside its quotes.`,
    'Write for example ssh host "grep -F -- ${name|sh} file".',
  );
export const inPwsh = (at: At, why: string): ShellProblem =>
  problem(
    "template-shell-unsupported",
    at,
    `${at.name} cannot stand here in a PowerShell script: ${why}.`,
    `Hand it over by env: { static: { VALUE: "${at.name}" } } and write $env:VALUE, or by stdin.`,
  );
export const inCmd = (at: At): ShellProblem =>
  problem(
    "template-shell-unsupported",
    at,
    `${at.name}: values cannot be placed in the text of cmd scripts.`,
    `Hand it over by env: { static: { VALUE: "${at.name}" } } and write !VALUE! after "setlocal EnableDelayedExpansion" (never %VALUE%), or by stdin.`,
  );
export const expandedByCmd = (at: At): ShellProblem =>
  problem(
    "template-shell-unsupported",
    at,
    `${at.name} holds a value of the run, and cmd puts it in before it reads the line: "&" in it starts a command.`,
    `Write "setlocal EnableDelayedExpansion" at the top and ${at.name.replaceAll("%", "!")} here, or hand the value over by stdin.`,
  );
export const readAgainByCmd = (at: At, program: string): ShellProblem =>
  problem(
    "template-shell-unsupported",
    at,
    `${at.name} holds a value of the run, and ${program} has its text read a second time: "&" in it starts a command.`,
    `Let what ${program} starts read the variable itself, or hand the value over by stdin.`,
  );
