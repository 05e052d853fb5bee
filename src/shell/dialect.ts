// dialect: the program that reads the text of a CLI node: its shell, or the one that its first line names (spec 1.2).

interface Command {
  content: string;
  mode?: string;
  shell?: string;
}

const POSIX_SHELLS: ReadonlySet<string> = new Set(["bash", "sh", "zsh", "dash"]);

/** `#!/usr/bin/env python3` → `python3`. */
export function interpreterOf(text: string): string | undefined {
  const line = /^#!\s*(\S+)(?:[ \t]+([^\r\n]*))?/.exec(text);
  if (line === null) return undefined;
  const program = line[1]!.split("/").at(-1)!;
  if (program !== "env") return program;
  const words = (line[2] ?? "")
    .split(/\s+/)
    .filter((word) => word !== "" && !word.startsWith("-") && !word.includes("="));
  return words[0]?.split("/").at(-1) ?? program;
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
