// program: finds the interpreter and program text for a CLI node, once per node (spec 1.2 `mode`, `shell`; 4.1).
//   P1. The program text depends on the node and on which names are known, never on a value.
//   P2. A script whose first line names another interpreter than a supported shell is not changed: `${…}` is its own
//       syntax.

import { type Failure, failureOf } from "../../base/failure.ts";
import { err, ok, type Result } from "../../base/result.ts";
import {
  defaultShell,
  findProgram,
  findShell,
  type Launch,
  type ShellName,
  scriptExtension,
  scriptText,
} from "../../process/dialect.ts";
import { parseShebang } from "../../shell/dialect.ts";
import {
  type Dialect,
  filledNames,
  refuseInCmd,
  rewritePwsh,
  rewriteShell,
  type ShellProgram,
} from "../../shell/rewrite/index.ts";
import type { Known } from "../../shell/template.ts";
import type { CliNode } from "../../workflow/model.ts";
import { factsOfCommand } from "../../workflow/script-names.ts";
import type { NodeContext } from "../context.ts";

export interface Program {
  /** For display: `bash`, `python3`. */
  interpreter: string;
  /** How to launch it, without the script file. */
  how: DistributiveOmit<Launch, "scriptFile">;
  /** The script, with references rewritten to shell expansions. */
  text: string;
  extension: string;
  /** The values it needs. Absent for interpreters that are not shells. */
  shell?: ShellProgram;
  /** Variables of env.static and exposeParents that it reads as numbers. */
  counted?: { names: readonly string[]; dialect: Dialect };
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** Failures: `shell-not-found`, `command-not-found` (the interpreter), and the codes of docs/reference/templates.md. */
export async function programOf(node: CliNode, context: NodeContext): Promise<Result<Program, Failure>> {
  const chosen = chooseInterpreter(node, context.environment);
  if (!chosen.ok) return chosen;
  const { content } = node.data;
  if (!("shell" in chosen.value))
    return ok({ interpreter: chosen.value.interpreter, how: chosen.value, text: content, extension: "" });
  const { shell } = chosen.value;
  const statics = node.data.env?.static ?? {};
  const known = knownOf(node, context);
  if (shell === "pwsh" || shell === "cmd") {
    const written = shell === "pwsh" ? rewritePwsh(content, known) : undefined;
    const [problem] =
      written === undefined ? refuseInCmd(content, known, filledNames(node.data)) : written.ok ? [] : written.error;
    if (problem !== undefined) return err({ code: problem.code, message: problem.message, hint: problem.help });
    return ok({
      interpreter: shell,
      how: chosen.value,
      text: scriptText(shell, written?.ok === true ? written.value.script : content, node.data.flags),
      extension: scriptExtension(shell),
      shell: written?.ok === true ? written.value : undefined,
    });
  }
  const dialect = shell === "dash" ? "sh" : shell;
  const program = await rewriteShell(
    content,
    dialect,
    known,
    (name) => Object.hasOwn(statics, name),
    filledNames(node.data),
  );
  if (!program.ok) {
    const [problem] = program.error;
    return err({
      code: problem?.code ?? "template-refused",
      message: problem?.message ?? "",
      hint: problem?.help,
    });
  }
  const { counted } = program.value;
  return ok({
    interpreter: shell,
    how: chosen.value,
    text: program.value.script,
    extension: scriptExtension(shell),
    shell: program.value,
    counted: counted.length === 0 ? undefined : { names: counted, dialect },
  });
}

/** Which references of the node's text belong to the workflow. Every other one belongs to the shell. */
export function knownOf(node: CliNode, context: NodeContext): Known {
  const isFactHere = factsOfCommand(node, context.place);
  const statics = node.data.env?.static ?? {};
  return (root, members) =>
    /^[0-9]/.test(root) || Object.hasOwn(statics, root) || context.knows(root) || isFactHere(root, members);
}

type Environment = NodeContext["environment"];

/** The default shell per environment, so that a graph of a thousand nodes does not search PATH for each node. */
const usualShells = new WeakMap<Environment, ReturnType<typeof defaultShell>>();

/** The shell that a node wants and its path, or the interpreter that its first line names. */
export function chooseInterpreter(node: CliNode, environment: Environment): Result<Program["how"], Failure> {
  const path = environment.PATH;
  const { mode, shell, flags, content } = node.data;
  const shebang = mode === "script" ? parseShebang(content) : undefined;
  if (shebang !== undefined) {
    const found = findProgram(shebang.interpreter, path);
    if (found === undefined) return err(interpreterMissing(shebang.interpreter));
    if (shebang.shell === undefined) return ok({ interpreter: found, args: shebang.args });
    return ok({ shell: shebang.shell, shellPath: found, flags, args: shebang.args });
  }
  if (shell === undefined) {
    const usual = usualShells.get(environment) ?? defaultShell(path);
    usualShells.set(environment, usual);
    return usual === undefined ? err(shellMissing("bash")) : ok({ ...usual, flags });
  }
  const shellPath = findShell(shell, path);
  return shellPath === undefined ? err(shellMissing(shell)) : ok({ shell, shellPath, flags });
}

const shellMissing = failureOf("shell-not-found", (shell: ShellName) => [
  `The shell "${shell}" is not installed or not on PATH.`,
  `Install ${shell}, or choose another with "shell: bash" or "shell: sh".`,
]);
const interpreterMissing = failureOf("command-not-found", (interpreter: string) => [
  interpreter.includes("/")
    ? `The script's first line names "${interpreter}", but this program does not exist.`
    : `The script's first line names "${interpreter}", but there is no such program on PATH.`,
  interpreter.includes("/")
    ? "Install it, or use the one on PATH: #!/usr/bin/env NAME"
    : "Install it, or give its full path in the #! line.",
]);
