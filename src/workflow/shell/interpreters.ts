// shell/interpreters: programs that run a program they are given: shells, python, node and their like (spec 4.1, "Refused").

import { type Argument, type OptionSpec, optionValues, split } from "./options.ts";

export const SHELLS = new Set([
  "sh",
  "bash",
  "dash",
  "zsh",
  "ksh",
  "mksh",
  "ash",
  "fish",
  "rbash",
  "pwsh",
  "powershell",
  "csh",
  "tcsh",
  "nu",
  "xonsh",
  "elvish",
  "yash",
  "osh",
  "ysh",
]);

interface Interpreter extends OptionSpec {
  /** Options whose value is program text or chooses one. */
  code: readonly string[];
}

const INTERPRETERS: Record<string, Interpreter> = {
  python: { short: "cmWX", code: ["-c", "-m"] },
  node: {
    short: "eprC",
    long: ["--eval", "--print", "--require", "--import", "--loader", "--env-file"],
    code: ["-e", "-p", "-r", "--eval", "--print", "--require", "--import", "--loader"],
  },
  bun: { short: "epr", long: ["--eval", "--print"], code: ["-e", "-p", "-r", "--eval", "--print"] },
  perl: { short: "eEMImC", code: ["-e", "-E", "-M", "-m", "-I"] },
  ruby: { short: "erIC", code: ["-e", "-r", "-I"] },
  php: { short: "rfBREdzc", code: ["-r", "-f", "-B", "-R", "-E", "-d", "-z"] },
  lua: { short: "el", code: ["-e", "-l"] },
  Rscript: { short: "e", code: ["-e"] },
  osascript: { short: "el", code: ["-e"] },
  julia: {
    short: "eEL",
    long: ["--eval", "--print", "--load"],
    code: ["-e", "-E", "-L", "--eval", "--print", "--load"],
  },
  guile: { short: "cels", code: ["-c", "-e", "-l", "-s"] },
  elixir: { short: "erS", long: ["--eval", "--rpc-eval"], code: ["-e", "-r", "-S", "--eval", "--rpc-eval"] },
  tsx: { short: "epr", long: ["--eval", "--print"], code: ["-e", "-p", "-r", "--eval", "--print"] },
  "ts-node": { short: "epr", long: ["--eval", "--print"], code: ["-e", "-p", "-r", "--eval", "--print"] },
  octave: { long: ["--eval"], code: ["--eval"] },
  sage: { short: "c", code: ["-c"] },
  swipl: { short: "gtfs", code: ["-g", "-t", "-f", "-s"] },
  ghc: { short: "e", code: ["-e"] },
  emacs: {
    short: "fl",
    long: ["--eval", "--execute", "--load", "--script", "--funcall"],
    code: ["-f", "-l", "--eval", "--execute", "--load", "--script", "--funcall"],
  },
  tclsh: { code: [] },
  expect: { short: "cf", code: ["-c", "-f"] },
};

export function interpreterOf(name: string): Interpreter | undefined {
  if (/^i?python[0-9.]*$|^pypy[0-9.]*$/.test(name)) return INTERPRETERS.python;
  if (/^perl[0-9.]*$/.test(name)) return INTERPRETERS.perl;
  if (/^lua[0-9.]*$|^luajit$/.test(name)) return INTERPRETERS.lua;
  if (/^php[0-9.]*$/.test(name)) return INTERPRETERS.php;
  if (/^ruby[0-9.]*$/.test(name)) return INTERPRETERS.ruby;
  if (name === "nodejs") return INTERPRETERS.node;
  return Object.hasOwn(INTERPRETERS, name) ? INTERPRETERS[name] : undefined;
}

/** The words of a shell that are its program, or choose one. */
export function shellProgram(args: readonly Argument[]): Argument[] {
  const items = split(args, { short: "oO", long: ["--rcfile", "--init-file"], posix: true });
  const rc = items.filter((item) => optionValues("--rcfile", "--init-file")(item)).map((item) => item.argument);
  // `bash -c TEXT name arguments…` and `bash FILE arguments…`: the first positional either way; what follows is data.
  const first = items.find((item) => item.position === 0 && !item.argument.head.startsWith("-"));
  const flags = items
    .filter((item) => item.kind === "flag" && item.argument.content.hasMark)
    .map((item) => item.argument);
  return [...rc, ...flags, ...(first === undefined ? [] : [first.argument])];
}

/** Programs that run the name of a file as a command when a bar stands before or behind it: perl in its `<>`, and sox. */
export function opensByPipe(name: string, args: readonly Argument[]): boolean {
  if (/^(?:sox|soxi|play|rec)$/.test(name)) return true;
  const interpreter = interpreterOf(name);
  if (interpreter === INTERPRETERS.ruby) return args.some(({ head }) => /(?<![.\w])open\b|\bIO\b/.test(head));
  return interpreter === INTERPRETERS.perl && args.some(({ head }) => /^-[^-]*[np]|<(?:ARGV)?>|\bopen\b/.test(head));
}

/** The words of an interpreter that are its program, or choose one. */
export function interpreterProgram(args: readonly Argument[], interpreter: Interpreter): Argument[] {
  const items = split(args, { ...interpreter, posix: true });
  const code = items.filter(optionValues(...interpreter.code));
  if (code.length > 0) return code.map((item) => item.argument);
  return items.filter((item) => item.position === 0).map((item) => item.argument);
}

export function namesInterpreter(words: readonly string[]): boolean {
  return words.some((word) => SHELLS.has(base(word)) || interpreterOf(base(word)) !== undefined);
}

export function base(path: string): string {
  return path.split("/").pop() ?? path;
}
