// arguments: judges an argument that contains a value: rejects it for some builtins, and adds guards for all other
// commands (spec 4.1).

import { isDangerousName } from "../../base/environment-names.ts";
import { NUMERIC } from "./arithmetic.ts";
import { type Layer, NUMBER_BUILTINS, REFUSED_BUILTINS } from "./commands.ts";
import { addJsonGuard, httpGuards } from "./http.ts";
import type { Mark } from "./marks.ts";
import type { Step } from "./place.ts";
import { refuse } from "./problems.ts";
import { isShell, programText } from "./programs.ts";
import type { ShellProblem } from "./types.ts";
import { type Argument, before, type Segment } from "./words.ts";

const STAYS = new Set(["echo", "printf", "test", "[", ":", "true", "false", "set", "local", "readonly"]);

/** `last`: the argument does not belong to an inner command of a wrapper. */
export function asArgument(step: Step, layer: Layer, argument: Argument, last: boolean): ShellProblem | undefined {
  const { name } = layer;
  // `/bin/echo` is a program, whatever `echo` is.
  if (name === undefined || !STAYS.has(name) || layer.nameArgument.literal !== name) step.place.leavesShell = true;
  if (name !== undefined && !step.around.functions.has(name)) {
    const rule = BUILTINS[name];
    if (rule !== undefined && Object.hasOwn(BUILTINS, name)) return rule(step, layer.args, argument, name);
    const problem = refusedIn(step, name, layer.args, argument);
    if (problem !== undefined) return problem;
    if (NUMBER_BUILTINS.has(name)) {
      step.place.guards.push({ kind: "int" });
      return undefined;
    }
  }
  if (last) addArgumentGuards(step, name, layer.args, argument);
  return undefined;
}

function refusedIn(step: Step, name: string, args: readonly Argument[], argument: Argument): ShellProblem | undefined {
  const { at, around } = step;
  const inZsh = around.dialect === "zsh";
  // In zsh, the words after the number of `repeat` are a command.
  if (name === "print" || name === "repeat" ? inZsh : REFUSED_BUILTINS.has(name))
    return refuse("template-evaluated", at, name);
  if (programText(name, args).has(argument)) return asProgramText(step, name, argument);
  if (name !== "env" && name !== "sudo" && name !== "doas") return undefined;
  const assigned = /^([^=]+)=/.exec(argument.head)?.[1];
  return assigned !== undefined && isDangerousName(assigned)
    ? refuse("template-dangerous-variable", at, assigned)
    : undefined;
}

type Rule = (step: Step, args: readonly Argument[], argument: Argument, name: string) => ShellProblem | undefined;

const asDeclaration: Rule = ({ at, place }, args, argument, name) => {
  if (argument.node.type !== "Assignment") return refuse("template-evaluated", at, `${name} without NAME=`);
  if (args.some(({ literal }) => /^-[a-zA-Z]*[infF]/.test(literal ?? "")))
    return refuse("template-evaluated", at, `${name} with options`);
  if (name === "export") place.leavesShell = true;
  return undefined;
};

const asPrintf: Rule = ({ at, mark, place, around }, args, argument) => {
  const words = args.map(({ literal }) => literal);
  if (words[0] === "-v") return refuse("template-evaluated", at, "printf -v");
  const format = words[0] === "--" ? 1 : 0;
  if (args.indexOf(argument) <= format) return refuse("template-printf-format", at);
  const numeric = /%[^sbcq%]*[a-zA-Z]/.test((words[format] ?? "%d").replace(/%%|%-?[0-9]*\.?[0-9]*[sbcq]/g, ""));
  const isInt = mark?.kind === "reference" && mark.reference.filter === "int";
  if (around.dialect === "zsh" && numeric && !isInt) {
    if (mark !== undefined) return refuse("template-evaluated/number", at);
    place.guards.push({ kind: "int" });
  }
  addJsonGuard(argument.segments, mark, place);
  return undefined;
};

const asEcho: Rule = ({ at, mark, place, around }, args, argument) => {
  if (around.dialect !== "bash") return refuse("template-echo", at);
  const ahead = args.slice(0, args.indexOf(argument));
  const words = ahead.findIndex(({ literal }) => !/^-[neE]+$/.test(literal ?? ""));
  const flags = words === -1 ? ahead : ahead.slice(0, words);
  if (flags.some(({ literal }) => literal?.includes("e"))) return refuse("template-echo", at);
  if (words === -1 && begins(argument.segments, mark)) place.guards.push({ kind: "echo-option" });
  addJsonGuard(argument.segments, mark, place);
  return undefined;
};

const asTest: Rule = ({ at, place, around }, args, argument) => {
  const index = args.indexOf(argument);
  const previous = args[index - 1]?.literal ?? "";
  const next = args[index + 1]?.literal ?? "";
  if (previous === "-v" || previous === "-R") return refuse("template-evaluated", at, "test -v");
  if (around.dialect !== "zsh") return undefined;
  if (NUMERIC.test(previous) || NUMERIC.test(next) || previous === "-t") place.guards.push({ kind: "int" });
  // With a literal operator next to it, zsh can't take the value for an operator.
  const operands = args.filter(({ literal }) => literal !== "]");
  const beside = /^(=|==|!=|<|>|-[a-z]{1,2})$/;
  return operands.length > 1 && !beside.test(previous) && !beside.test(next)
    ? refuse("template-evaluated/test", at)
    : undefined;
};

const BUILTINS: Readonly<Record<string, Rule>> = {
  export: asDeclaration,
  local: asDeclaration,
  readonly: asDeclaration,
  set: ({ at }, args, argument) =>
    args.slice(0, args.indexOf(argument)).some(({ literal }) => literal === "--")
      ? undefined
      : refuse("template-evaluated/set", at),
  printf: asPrintf,
  echo: asEcho,
  test: asTest,
  "[": asTest,
};

/** `|sh` makes one word for an inner shell, if it is outside quotes there. */
function asProgramText({ at, mark }: Step, name: string, argument: Argument): ShellProblem | undefined {
  const isWord = mark?.kind === "reference" && mark.reference.filter === "sh";
  if (!isWord || !(isShell(name) || name === "ssh" || name === "su")) return refuse("template-program-text", at, name);
  const ahead = before(argument.segments, mark);
  const isWhole = !argument.segments.some((segment) => "dynamic" in segment);
  if (ahead === undefined || !isWhole) return refuse("template-sh-position", at);
  let quote = "";
  for (let index = 0; index < ahead.text.length; index++) {
    const char = ahead.text[index] ?? "";
    if (char === "\\" && quote !== "'") index++;
    else if (quote === "" && /["'`]/.test(char)) quote = char;
    else if (char === quote) quote = "";
  }
  const isOdd =
    /(^|[;&|(\n]|\$\(|<<)\s*$|[`$\\]$|\b(eval|source|sh|bash)\b/.test(ahead.text) || /<<|\(\(|\[\[|`/.test(ahead.text);
  return isOdd || quote !== "" ? refuse("template-sh-position", at) : undefined;
}

function addArgumentGuards(step: Step, name: string | undefined, args: readonly Argument[], argument: Argument): void {
  const { mark, place, chain, level } = step;
  const { segments } = argument;
  addJsonGuard(segments, mark, place);
  if (mark !== undefined) {
    const http = httpGuards(name, args, argument, mark);
    place.guards.push(...(http?.guards ?? []));
    if (http?.isWord === false) return;
  }
  const index = args.indexOf(argument);
  const isOfJq = [args[index - 1], args[index - 2]].some((one) =>
    /^--(arg|argjson|slurpfile|rawfile)$/.test(one?.literal ?? ""),
  );
  if (name === "jq" && isOfJq) return;
  if (name !== undefined && opensByPipe(name, args)) place.guards.push({ kind: "pipe", program: name });
  // An expansion of the script's own variable counts only if it is the whole argument.
  if (mark === undefined && (segments.length !== 1 || chain.length - level > 5)) return;
  const isData = args.slice(0, index).some(({ literal }) => literal === "--");
  if (isData || !begins(segments, mark)) return;
  const ahead = mark === undefined ? [] : (before(segments, mark)?.marks ?? []);
  place.guards.push({
    kind: "leading-dash",
    after: ahead.filter(({ kind }) => kind === "reference").map((other) => step.around.variableOf(other)),
  });
}

/** Programs that run a file name as a command if it has a bar at one end: perl in its `<>`, ruby's open, and sox. */
function opensByPipe(name: string, args: readonly Argument[]): boolean {
  if (/^(?:sox|soxi|play|rec)$/.test(name)) return true;
  if (/^ruby[0-9.]*$/.test(name)) return args.some(({ head }) => /(?<![.\w])open\b|\bIO\b/.test(head));
  return /^perl[0-9.]*$/.test(name) && args.some(({ head }) => /^-[^-]*[np]|<(?:ARGV)?>|\bopen\b/.test(head));
}

/** Whether no known text comes before it in its word. */
function begins(segments: readonly Segment[], mark: Mark | undefined): boolean {
  return mark === undefined || before(segments, mark)?.text === "";
}
