// dialect: the program that reads the text of a CLI node: its shell, or the one that its first line names (spec 1.2).

interface Command {
  content: string;
  mode?: string;
  shell?: string;
}

const POSIX_SHELLS: ReadonlySet<string> = new Set(["bash", "sh", "zsh", "dash"]);

export interface Shebang {
  /** A path, or a bare name to find on PATH (`#!/usr/bin/env python3`). */
  interpreter: string;
  args: string[];
  /** Set if the interpreter is a shell whose scripts are templates. */
  shell?: "bash" | "sh" | "dash" | "zsh";
}

/** The interpreter in the first line `#!…`. Undefined if there is no such line or it is empty. */
export function parseShebang(text: string): Shebang | undefined {
  const line = /^#![ \t]*([^\r\n]*)/.exec(text)?.[1]?.trimEnd();
  if (!line) return undefined;
  const [, program = "", rest = ""] = /^(\S+)[ \t]*(.*)$/.exec(line) ?? [];
  if (nameOf(program) !== "env") return shebang(program, rest === "" ? [] : [rest]);
  const words = envWords(rest);
  if (words === undefined || words.length === 0) return { interpreter: program, args: rest === "" ? [] : [rest] };
  return shebang(words[0]!, words.slice(1));
}

function shebang(interpreter: string, args: string[]): Shebang {
  const name = nameOf(interpreter);
  return { interpreter, args, ...(POSIX_SHELLS.has(name) ? { shell: name as NonNullable<Shebang["shell"]> } : {}) };
}

/** The command that `env` would run. Undefined if only env itself can tell (assignments, other options). */
function envWords(rest: string): string[] | undefined {
  const split = /^(?:-S|--split-string[= ])[ \t]*(.*)$/.exec(rest)?.[1];
  const words = split === undefined ? (rest === "" ? [] : [rest]) : wordsOf(split);
  if (words === undefined || words[0]?.startsWith("-") || words[0]?.includes("=")) return undefined;
  return words;
}

/**
 * Splits `env -S` words: blanks separate, quotes group. Undefined for escapes and expansions, which are left to env.
 */
function wordsOf(text: string): string[] | undefined {
  if (/[\\$]/.test(text)) return undefined;
  const words = [...text.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map((match) => match[0]);
  const bare = words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_all, double, single) => double ?? single));
  return text.replaceAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g, "").trim() === "" ? bare : undefined;
}

/** `/usr/bin/env` → `env`. */
function nameOf(program: string): string {
  return program.slice(program.lastIndexOf("/") + 1);
}

/** `#!/usr/bin/env python3` → `python3`. As it is started: `env` itself if only env can tell what it runs. */
export function interpreterOf(text: string): string | undefined {
  const shebang = parseShebang(text);
  return shebang && nameOf(shebang.interpreter);
}

/** The interpreter that a script names, unless it is a POSIX shell: there `${…}` belongs to that language (1.3). */
export function foreignInterpreter({ content, mode }: Command): string | undefined {
  const program = mode === "script" ? interpreterOf(content) : undefined;
  return program === undefined || POSIX_SHELLS.has(program) ? undefined : program;
}

/** `sh` for any other POSIX shell. Undefined for pwsh, cmd, and a foreign interpreter. */
export function posixDialect({ content, mode, shell = "bash" }: Command): "bash" | "sh" | "zsh" | undefined {
  const program = (mode === "script" ? interpreterOf(content) : undefined) ?? shell;
  if (!POSIX_SHELLS.has(program)) return undefined;
  return program === "bash" || program === "zsh" ? program : "sh";
}
