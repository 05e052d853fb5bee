// commands: which program really runs behind its wrappers, and which of its words are program text (spec 4.1, "Refused").
//   C1. Wrappers (env, sudo, timeout, …) are looked through; what they start is judged like any command.
//   C2. What a program reads as a program of its own (awk's first word, what follows sh -c) is never a place for a value.
// What programs outside these tables do with their arguments is the residual risk named in docs/templates.md.

import type { Command } from "unbash";
import { type Argument, type Item, type OptionSpec, split } from "./options.ts";
import { contentOf, type MarkedText } from "./words.ts";

/** One program of a command line: `timeout 5 curl x` has two layers. */
export interface Layer {
  /** Last part of its path; undefined when the script decides at run time. */
  name: string | undefined;
  nameArgument: Argument;
  /** Its own words, up to the next layer. */
  own: Argument[];
  /** All its words. */
  args: Argument[];
  wrapper: boolean;
}

interface Wrapper extends OptionSpec {
  positionals: number;
  assignments?: boolean;
}

const WRAPPERS: Record<string, Wrapper> = {
  env: { short: "uCS", long: ["--unset", "--chdir", "--split-string"], positionals: 0, assignments: true },
  sudo: { short: "ughpCDRrtTU", positionals: 0, assignments: true },
  doas: { short: "uC", positionals: 0, assignments: true },
  timeout: { short: "ks", long: ["--signal", "--kill-after"], positionals: 1 },
  nohup: { positionals: 0 },
  nice: { short: "n", long: ["--adjustment"], positionals: 0 },
  ionice: { short: "cnp", positionals: 0 },
  time: { short: "fo", positionals: 0 },
  setsid: { positionals: 0 },
  stdbuf: { short: "ioe", positionals: 0 },
  chroot: { positionals: 1 },
  unshare: { positionals: 0 },
  taskset: { positionals: 1 },
  chrt: { positionals: 1 },
  strace: { short: "oep", positionals: 0 },
  flock: { short: "wE", positionals: 1 },
  busybox: { positionals: 0 },
  "systemd-run": { short: "pu", positionals: 0 },
  exec: { short: "a", positionals: 0 },
  command: { positionals: 0 },
  builtin: { positionals: 0 },
  noglob: { positionals: 0 },
  nocorrect: { positionals: 0 },
};

/** The layers of a command, outermost first; none when it is only assignments or redirections. */
export function layersOf(command: Command, text: MarkedText): Layer[] {
  if (command.name === undefined) return [];
  const words: Argument[] = [command.name, ...command.args].map((node) => argumentOf(node, text));
  const layers: Layer[] = [];
  let from = 0;
  while (from < words.length) {
    const nameArgument = words[from] as Argument;
    const literal = nameArgument.content.literal;
    const name = literal === undefined ? undefined : (literal.split("/").pop() ?? literal);
    const args = words.slice(from + 1);
    const wrapper = name === undefined ? undefined : WRAPPERS[name];
    if (wrapper === undefined || args.length === 0) {
      layers.push({ name, nameArgument, own: args, args, wrapper: false });
      return layers;
    }
    const count = wrapperWords(args, wrapper);
    layers.push({ name, nameArgument, own: args.slice(0, count), args, wrapper: true });
    from += 1 + count;
  }
  return layers;
}

function argumentOf(node: Argument["node"], text: MarkedText): Argument {
  const content =
    node.type === "Assignment"
      ? contentOf({ ...wordShell, pos: node.pos, end: node.end }, text)
      : contentOf(node, text);
  const first = content.segments[0];
  return { node, content, head: first !== undefined && "text" in first ? first.text : "" };
}

/** An assignment among the arguments (`export X=…`) read as one word; quotes in it are not looked into. */
const wordShell = { type: "Word", text: "", value: "", parts: undefined } as const;

function wrapperWords(args: readonly Argument[], wrapper: Wrapper): number {
  let positionals = wrapper.positionals;
  const items = split(args, { ...wrapper, posix: false });
  for (const [index, item] of items.entries()) {
    if (item.kind !== "positional") continue;
    if (wrapper.assignments === true && /^[A-Za-z_][A-Za-z0-9_]*=/.test(item.argument.head)) continue;
    if (positionals === 0) return index;
    positionals--;
  }
  return args.length;
}

/** Builtins whose arguments a shell evaluates, or that change what names and words mean. */
export const REFUSED_BUILTINS = new Set([
  "eval",
  "source",
  ".",
  "trap",
  "alias",
  "exec",
  "command",
  "builtin",
  "read",
  "unset",
  "declare",
  "typeset",
  "let",
  "getopts",
  "mapfile",
  "readarray",
  "compgen",
  "complete",
  "compopt",
  "bind",
  "enable",
  "hash",
  "fc",
  "history",
  "shopt",
  "setopt",
  "unsetopt",
  "emulate",
  "integer",
  "float",
  "autoload",
  "functions",
  "vared",
  "sched",
  "zparseopts",
  "zstyle",
  "zformat",
  "zmodload",
  "zcompile",
  "bindkey",
  "disable",
  "coproc",
  "noglob",
  "nocorrect",
  "unalias",
  "print",
]);

/** Of those, the ones that run text which a command inside them printed. */
export const EVALUATES = new Set(["eval", "source", ".", "trap", "alias"]);

/** Builtins that read their operand as a number; zsh evaluates it as arithmetic. */
export const NUMBER_BUILTINS = new Set(
  ["exit", "return", "break", "continue", "shift", "umask", "ulimit", "sleep"].filter((name) => name !== "sleep"),
);

const SHELLS = new Set([
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
  tclsh: { code: [] },
  expect: { short: "cf", code: ["-c", "-f"] },
};

function interpreterOf(name: string): Interpreter | undefined {
  if (/^python[0-9.]*$|^pypy[0-9.]*$/.test(name)) return INTERPRETERS.python;
  if (/^perl[0-9.]*$/.test(name)) return INTERPRETERS.perl;
  if (/^lua[0-9.]*$|^luajit$/.test(name)) return INTERPRETERS.lua;
  if (/^php[0-9.]*$/.test(name)) return INTERPRETERS.php;
  if (/^ruby[0-9.]*$/.test(name)) return INTERPRETERS.ruby;
  if (name === "nodejs") return INTERPRETERS.node;
  return Object.hasOwn(INTERPRETERS, name) ? INTERPRETERS[name] : undefined;
}

/** Words of a program that are program text to it; `all` names programs whose every word may be. */
export function programText(name: string, args: readonly Argument[]): Set<Argument> {
  const rule = PROGRAM_RULES[name];
  if (rule !== undefined) return new Set(rule(args));
  if (SHELLS.has(name)) return new Set(shellProgram(args));
  const interpreter = interpreterOf(name);
  if (interpreter !== undefined) return new Set(interpreterProgram(args, interpreter));
  return new Set(nestedShell(args));
}

type Rule = (args: readonly Argument[]) => Argument[];

const all: Rule = (args) => [...args];
const some =
  (spec: OptionSpec, isProgram: (item: Item, items: readonly Item[]) => boolean): Rule =>
  (args) => {
    const items = split(args, spec);
    return items.filter((item) => isProgram(item, items)).map((item) => item.argument);
  };
const optionValues =
  (...options: string[]) =>
  (item: Item) =>
    item.option !== undefined && options.includes(item.option) && item.kind !== "flag";
/** The first positional unless one of these options stands in its place, and the values of these options. */
const scriptOr =
  (options: readonly string[]) =>
  (item: Item, items: readonly Item[]): boolean =>
    optionValues(...options)(item) ||
    (item.position === 0 && !items.some((other) => other.option !== undefined && options.includes(other.option)));

const AWK: Rule = some(
  {
    short: "FvfeiE",
    long: ["--field-separator", "--assign", "--file", "--source", "--include", "--exec"],
    posix: true,
  },
  (item, items) =>
    optionValues("-v", "--assign")(item) ||
    scriptOr(["-f", "-e", "-E", "-i", "--file", "--source", "--include", "--exec"])(item, items),
);
const SED: Rule = some(
  { short: "efl", long: ["--expression", "--file", "--line-length"] },
  scriptOr(["-e", "-f", "--expression", "--file"]),
);
const JQ: Rule = some(
  {
    short: "fL",
    long: ["--from-file", "--indent", "--library-path"],
    two: ["--arg", "--argjson", "--slurpfile", "--rawfile"],
  },
  scriptOr(["-f", "-L", "--from-file", "--library-path"]),
);
const SQL: Rule = some(
  { short: "cef", long: ["--command", "--execute", "--file", "--init-command"] },
  optionValues("-c", "-e", "-f", "--command", "--execute", "--file", "--init-command"),
);
const CONTAINER: Rule = (args) => {
  const first = split(args, {
    short: "Hlnc",
    long: ["--context", "--host", "--namespace", "--kubeconfig", "--cluster", "--user"],
  }).filter((item) => item.kind === "positional");
  const verb = first[0]?.argument.content.literal === "compose" ? first[1] : first[0];
  if (verb?.argument.content.literal === "exec") return [...args];
  return nestedShell(args);
};

const PROGRAM_RULES: Record<string, Rule> = {
  awk: AWK,
  gawk: AWK,
  mawk: AWK,
  nawk: AWK,
  sed: SED,
  gsed: SED,
  jq: JQ,
  gojq: JQ,
  jaq: JQ,
  yq: JQ,
  psql: SQL,
  mysql: SQL,
  mariadb: SQL,
  sqlite3: (args) =>
    args.filter((argument, index) => args[index - 1]?.content.literal === "-cmd" || sqlitePosition(args, argument) > 0),
  make: all,
  gmake: all,
  xargs: all,
  watch: all,
  parallel: all,
  entr: all,
  socat: all,
  tmux: all,
  screen: all,
  ssh: some(
    { short: "BbcDEeFIiJLlmOopQRSWw", posix: true },
    (item) => item.position > 0 || optionValues("-o", "-F")(item),
  ),
  su: some({ short: "cgGsw", long: ["--command", "--shell"] }, optionValues("-c", "-s", "--command", "--shell")),
  script: some({ short: "c", long: ["--command"] }, optionValues("-c", "--command")),
  flock: some({ short: "c" }, optionValues("-c")),
  find: (args) => findExec(args),
  docker: CONTAINER,
  podman: CONTAINER,
  nerdctl: CONTAINER,
  kubectl: CONTAINER,
  oc: CONTAINER,
  "docker-compose": CONTAINER,
  git: some({ short: "cC", posix: true }, optionValues("-c")),
  rsync: some({ short: "e", long: ["--rsh", "--rsync-path"] }, optionValues("-e", "--rsh", "--rsync-path")),
  tar: some(
    { short: "IF", long: ["--to-command", "--checkpoint-action", "--use-compress-program", "--info-script"] },
    optionValues("-I", "-F", "--to-command", "--checkpoint-action", "--use-compress-program", "--info-script"),
  ),
  vim: some({ short: "cS" }, optionValues("-c", "-S", "--cmd")),
  vi: some({ short: "cS" }, optionValues("-c", "-S")),
  ex: some({ short: "c" }, optionValues("-c")),
  env: some({ short: "S", long: ["--split-string"] }, optionValues("-S", "--split-string")),
  curl: some({ short: "K", long: ["--config"] }, optionValues("-K", "--config")),
  wget: some({ short: "e", long: ["--execute", "--use-askpass"] }, optionValues("-e", "--execute", "--use-askpass")),
  deno: (args) => (args[0]?.content.literal === "eval" ? [...args] : []),
  echo: () => [],
  printf: () => [],
  grep: () => [],
  test: () => [],
  "[": () => [],
};

function shellProgram(args: readonly Argument[]): Argument[] {
  const items = split(args, { short: "oO", long: ["--rcfile", "--init-file"], posix: true });
  const rc = items.filter((item) => optionValues("--rcfile", "--init-file")(item)).map((item) => item.argument);
  // `bash -c TEXT name arguments…` and `bash FILE arguments…`: the first positional either way; what follows is data.
  const first = items.find((item) => item.position === 0 && !item.argument.head.startsWith("-"));
  const flags = items
    .filter((item) => item.kind === "flag" && item.argument.content.hasMark)
    .map((item) => item.argument);
  return [...rc, ...flags, ...(first === undefined ? [] : [first.argument])];
}

function interpreterProgram(args: readonly Argument[], interpreter: Interpreter): Argument[] {
  const items = split(args, { ...interpreter, posix: true });
  const code = items.filter(optionValues(...interpreter.code));
  if (code.length > 0) return code.map((item) => item.argument);
  return items.filter((item) => item.position === 0).map((item) => item.argument);
}

/** An unknown program that is told to start a shell: `xvfb-run sh -c …`. */
function nestedShell(args: readonly Argument[]): Argument[] {
  const at = args.findIndex(
    ({ content }) =>
      content.literal !== undefined &&
      (SHELLS.has(base(content.literal)) || interpreterOf(base(content.literal)) !== undefined),
  );
  const inner = args[at]?.content.literal;
  if (inner === undefined || !args.slice(at + 1).some(({ content }) => /^-[a-z]*[ceE]$/.test(content.literal ?? "")))
    return [];
  return [...programText(base(inner), args.slice(at + 1))];
}

function findExec(args: readonly Argument[]): Argument[] {
  const found: Argument[] = [];
  let inside = false;
  for (const argument of args) {
    const word = argument.content.literal ?? "";
    if (inside) found.push(argument);
    if (["-exec", "-execdir", "-ok", "-okdir"].includes(word)) inside = true;
    else if (word === ";" || word === "+") inside = false;
  }
  return found;
}

function sqlitePosition(args: readonly Argument[], argument: Argument): number {
  const plain = args.filter(
    ({ head }, index) =>
      !head.startsWith("-") &&
      !["-cmd", "-init", "-separator", "-newline", "-nullvalue"].includes(args[index - 1]?.content.literal ?? ""),
  );
  return plain.indexOf(argument);
}

/** Whether a command line reads a program from its standard input. */
export function readsProgramFromStdin(layers: readonly Layer[]): boolean {
  const last = layers.at(-1);
  if (last?.name === undefined) return false;
  const { name, args } = last;
  const words = args.map(({ content }) => content.literal ?? "");
  const fromStdin = words.some((word) => word === "/dev/stdin" || word === "/proc/self/fd/0" || word === "/dev/fd/0");
  if (SHELLS.has(name)) {
    const items = split(args, { short: "oO", long: ["--rcfile", "--init-file"], posix: true });
    if (items.some((item) => item.kind === "flag" && /^-[a-zA-Z]*c/.test(item.argument.head))) return false;
    return (
      fromStdin ||
      items.some((item) => item.kind === "flag" && /^-[a-zA-Z]*s/.test(item.argument.head)) ||
      !items.some((item) => item.position === 0 && item.argument.head !== "-")
    );
  }
  const interpreter = interpreterOf(name);
  if (interpreter !== undefined) {
    const program = interpreterProgram(args, interpreter);
    return fromStdin || program.length === 0 || program.some(({ head }) => head === "-");
  }
  switch (name) {
    case "psql":
    case "mysql":
    case "mariadb":
      return SQL(args).length === 0;
    case "sqlite3":
      return !args.some((argument) => sqlitePosition(args, argument) > 0);
    case "source":
    case ".":
      return fromStdin;
    case "at":
    case "batch":
    case "dc":
    case "ed":
    case "ex":
    case "m4":
    case "gdb":
    case "gnuplot":
    case "parallel":
    case "crontab":
      return true;
    case "ssh":
      return (
        split(args, { short: "BbcDEeFIiJLlmOopQRSWw", posix: true }).filter((item) => item.kind === "positional")
          .length < 2 || namesInterpreter(words)
      );
    case "make":
    case "awk":
    case "sed":
    case "jq":
      return (
        fromStdin ||
        words.some((word, index) => word === "-" && /^(-f|--file|--from-file|--makefile)$/.test(words[index - 1] ?? ""))
      );
    case "xargs":
    case "docker":
    case "podman":
    case "kubectl":
    case "nerdctl":
      return namesInterpreter(words);
    default:
      return false;
  }
}

function namesInterpreter(words: readonly string[]): boolean {
  return words.some((word) => SHELLS.has(base(word)) || interpreterOf(base(word)) !== undefined);
}

function base(path: string): string {
  return path.split("/").pop() ?? path;
}

const DANGEROUS_NAMES = new RegExp(
  [
    "BASH_ENV",
    "BASH_FUNC_.*",
    "BASHOPTS",
    "SHELLOPTS",
    "PS4",
    "PROMPT_COMMAND",
    "ENV",
    "ZDOTDIR",
    "LD_.*",
    "DYLD_.*",
    "NODE_OPTIONS",
    "PYTHON.*",
    "PERL.*",
    "RUBY.*",
    "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_CONFIG.*",
    "GIT_PAGER",
    "GIT_EDITOR",
    "GIT_EXTERNAL_DIFF",
    "TAR_OPTIONS",
    "OPENSSL_CONF",
    "CURL_HOME",
    "SSLKEYLOGFILE",
    "DOCKER_HOST",
    "KUBECONFIG",
    "LESS.*",
    "EDITOR",
    "VISUAL",
    "PAGER",
    "IFS",
    "PATH",
    "FPATH",
    "CDPATH",
    ".*_proxy",
    ".*_PROXY",
    "MAKEFLAGS",
    "AWKPATH",
    "GLOBIGNORE",
    "SHELL",
    "CURLEW_.*",
  ]
    .map((name) => `^${name}$`)
    .join("|"),
);

/** Names that run code or change programs when they are in an environment. */
export function isDangerousName(name: string): boolean {
  return DANGEROUS_NAMES.test(name);
}
