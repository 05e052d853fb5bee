// programs: which words of a command are a program to it, and which commands run what they read (spec 4.1, "Refused").
//   G1. What a program reads as a program of its own (awk's first word, what follows sh -c) is never a place for a value.
// What programs outside these tables do with their arguments is the residual risk named in docs/reference/templates.md.

import { isOpenEnded, type Layer } from "./commands.ts";
import { base, interpreterOf, interpreterProgram, namesInterpreter, SHELLS, shellProgram } from "./interpreters.ts";
import { launched } from "./launchers.ts";
import {
  type Argument,
  behind,
  following,
  type Item,
  optionValues,
  type Rule,
  some,
  split,
  values,
} from "./options.ts";
import { CONTAINER_FORMATS, QUERIES_BY_STDIN, QUERY_RULES } from "./query-programs.ts";

/** Words of a program that are program text to it; `all` names programs whose every word may be. */
export function programText(called: string, args: readonly Argument[]): Set<Argument> {
  const name = called.replace(/\.exe$/i, "");
  return new Set([...launched(name, args), ...textOf(name, args)]);
}

function textOf(name: string, args: readonly Argument[]): Iterable<Argument> {
  const rule = Object.hasOwn(PROGRAM_RULES, name) ? PROGRAM_RULES[name] : undefined;
  if (rule !== undefined) return rule(args);
  if (SHELLS.has(name)) return shellProgram(args);
  const interpreter = interpreterOf(name);
  if (interpreter !== undefined) return interpreterProgram(args, interpreter);
  return nestedShell(args);
}

const all: Rule = (args) => [...args];
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
  return [...nestedShell(args), ...CONTAINER_FORMATS(args)];
};

/** Commands that git runs for its verbs, and settings that name one. */
const GIT: Rule = (args) => [
  ...some({ short: "cC", posix: true }, optionValues("-c", "--exec-path"))(args),
  ...behind(/^(?:filter-branch|foreach)$/, all)(args),
  ...behind(/^bisect$/, behind(/^run$/, all))(args),
  ...behind(/^rebase$/, values("-x", "--exec"))(args),
  ...behind(/^difftool$/, values("-x", "--extcmd"))(args),
  ...behind(/^grep$/, values("-O", "--open-files-in-pager"))(args),
  ...behind(/^clone$/, values("-c", "-u", "--config", "--upload-pack"))(args),
  ...behind(/^(?:fetch|pull|push|ls-remote|archive)$/, values("--upload-pack", "--receive-pack", "--exec"))(args),
  ...behind(/^config$/, (words) => (words.some(({ head }) => NAMES_COMMAND.test(head)) ? [...words] : []))(args),
];
const NAMES_COMMAND =
  /^(?:(?:alias|pager|include|includeif)\..*|core\.(?:pager|editor|sshcommand|askpass|hookspath|fsmonitor|gitproxy)|[\w-]+\.(?:.*\.)?(?:cmd|command|textconv|clean|smudge|process|helper|driver|program|editor|external))$/i;

const PROGRAM_RULES: Record<string, Rule> = {
  ...QUERY_RULES,
  awk: AWK,
  gawk: AWK,
  mawk: AWK,
  nawk: AWK,
  sed: SED,
  gsed: SED,
  jq: JQ,
  gojq: JQ,
  jaq: JQ,
  yq: (args) => (/^(?:e|ea|eval|eval-all)$/.test(args[0]?.content.literal ?? "") ? JQ(args.slice(1)) : JQ(args)),
  // Its verbs `put`, `filter` and their like take programs, and may follow each other.
  mlr: (args) => {
    const verb = args.findIndex(({ content }) => /^(?:put|filter)$/.test(content.literal ?? ""));
    return verb < 0 ? [] : args.slice(verb + 1);
  },
  duckdb: (args) => [...following(args, "-c", "-s", "-cmd"), ...args.filter((one) => sqlitePosition(args, one) > 0)],
  mongosh: some({ long: ["--eval"] }, optionValues("--eval")),
  "clickhouse-client": some({ short: "q", long: ["--query"] }, optionValues("-q", "--query")),
  "redis-cli": (args) => {
    const at = args.findIndex(({ content }) => /^(?:eval|eval_ro|function|script)$/i.test(content.literal ?? ""));
    return at < 0 ? [] : args.slice(at + 1, at + 3);
  },
  psql: SQL,
  sqlcmd: some({ short: "QqivSUPd" }, optionValues("-Q", "-q", "-i", "-v")),
  cqlsh: some({ short: "efu", long: ["--execute", "--file"] }, optionValues("-e", "-f", "--execute", "--file")),
  // `-f query=…` is a GraphQL document; its variables are fields beside it.
  gh: some(
    { short: "qtfF", long: ["--jq", "--template", "--raw-field", "--field"] },
    (item) =>
      optionValues("-q", "-t", "--jq", "--template")(item) ||
      /^(?:-[fF]|--(?:raw-)?field=)?query=/.test(item.argument.head),
  ),
  R: some({ short: "ef" }, optionValues("-e", "-f")),
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
  hyperfine: all,
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
  git: GIT,
  rsync: some({ short: "e", long: ["--rsh", "--rsync-path"] }, optionValues("-e", "--rsh", "--rsync-path")),
  tar: some(
    { short: "IF", long: ["--to-command", "--checkpoint-action", "--use-compress-program", "--info-script"] },
    optionValues("-I", "-F", "--to-command", "--checkpoint-action", "--use-compress-program", "--info-script"),
  ),
  vim: some({ short: "cS" }, optionValues("-c", "-S", "--cmd")),
  vi: some({ short: "cS" }, optionValues("-c", "-S")),
  ex: some({ short: "c" }, optionValues("-c")),
  fd: (args) => {
    const at = args.findIndex(({ content }) => /^(?:-[xX]|--exec|--exec-batch)$/.test(content.literal ?? ""));
    return at < 0 ? [] : args.slice(at + 1);
  },
  xterm: (args) => {
    const at = args.findIndex(({ content }) => content.literal === "-e");
    return at < 0 ? [] : args.slice(at + 1);
  },
  env: some({ short: "S", long: ["--split-string"] }, optionValues("-S", "--split-string")),
  curl: some({ short: "K", long: ["--config"] }, optionValues("-K", "--config")),
  wget: some({ short: "e", long: ["--execute", "--use-askpass"] }, optionValues("-e", "--execute", "--use-askpass")),
  npm: some({ short: "c", long: ["--call"] }, optionValues("-c", "--call")),
  dc: some({ short: "ef", long: ["--expression", "--file"] }, optionValues("-e", "-f", "--expression", "--file")),
  gnuplot: some({ short: "ec" }, optionValues("-e", "-c")),
  less: (args) => args.filter(({ head, content }) => head.startsWith("+") && content.hasMark),
  "nix-shell": some({ long: ["--run", "--command"] }, optionValues("--run", "--command")),
  nix: some({ short: "c", long: ["--expr", "--command"] }, optionValues("-c", "--expr", "--command")),
  ansible: some({ short: "am", long: ["--args"] }, optionValues("-a", "--args")),
  gcloud: some({ long: ["--command"] }, optionValues("--command")),
  cmd: all,
  deno: (args) => (args[0]?.content.literal === "eval" ? [...args] : []),
  zip: (args) => following(args, "-TT", "--unzip-command"),
  sort: some({ short: "koStTz", long: ["--compress-program", "--files0-from"] }, optionValues("--compress-program")),
  split: some({ short: "abClnt", long: ["--filter"] }, optionValues("--filter")),
  man: some({ short: "PCRLmMSspe", long: ["--pager"] }, optionValues("-P", "--pager")),
  scp: some({ short: "cDFiJloPS" }, optionValues("-S", "-o", "-F", "-D")),
  sftp: some({ short: "BbcDFiJloPRSs" }, optionValues("-S", "-o", "-F", "-D", "-b")),
  nc: some({ short: "ecpswXx" }, optionValues("-e", "-c")),
  ncat: some(
    { short: "ecpswm", long: ["--exec", "--sh-exec", "--lua-exec"] },
    optionValues("-e", "-c", "--exec", "--sh-exec", "--lua-exec"),
  ),
  gdb: (args) => following(args, "-x", "-ex", "-ix", "-iex", "--eval-command", "--command"),
  npx: some(
    { short: "pcw", long: ["--package", "--call"], posix: true },
    (item) => item.position === 0 || optionValues("-p", "-c", "--package", "--call")(item),
  ),
  bunx: some({ posix: true }, (item) => item.position === 0),
  uvx: some(
    { posix: true, long: ["--from", "--with"] },
    (item) => item.position === 0 || optionValues("--from", "--with")(item),
  ),
  runuser: some({ short: "cgGsw", long: ["--command", "--shell"] }, optionValues("-c", "-s", "--command", "--shell")),
  echo: () => [],
  printf: () => [],
  grep: () => [],
  test: () => [],
  "[": () => [],
};

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

/** `xargs env`, `xargs -n1 timeout 5`, `xargs -I{} {}`: the command is among what it reads. */
function startsWhatItReads(args: readonly Argument[]): boolean {
  const items = split(args, { short: "IndPsaEL", long: XARGS_VALUED, posix: true });
  const from = items.findIndex(({ position }) => position === 0);
  const stands = items
    .filter(optionValues("-I"))
    .map(({ argument, kind }) => argument.head.slice(kind === "value" ? 0 : 2));
  return from >= 0 && isOpenEnded(args.slice(from), ["{}", ...stands]);
}
const XARGS_VALUED = [
  "--arg-file",
  "--delimiter",
  "--max-args",
  "--max-chars",
  "--max-lines",
  "--max-procs",
  "--replace",
];

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
      return namesInterpreter(words) || startsWhatItReads(args);
    case "docker":
    case "podman":
    case "kubectl":
    case "nerdctl":
      return namesInterpreter(words);
    case "redis-cli":
      return !words.includes("-x") && split(args, { short: "hpanur" }).every(({ position }) => position < 0);
    case "bq":
    case "influx":
      return words.includes("query") && programText(name, args).size === 0;
    default:
      return QUERIES_BY_STDIN.has(name) && programText(name, args).size === 0;
  }
}
