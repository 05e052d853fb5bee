// dialect: finds and starts each shell (spec 1.2 `shell` and `flags`, 4.1.6).
//   D1. The program is a file with an absolute path instead of `-c`: no size limit, nothing in the process list, stdin
//       free for data.
//   D2. With `noProfile` (the default) no start-up file is read, not even one named by an environment variable.
//   D3. No process is started here: a shell's features are known by its name.
//   D4. `noProfile: false` starts a login shell, since only those read profile files without a terminal.
//   D5. dash before 0.5.13 has no `-o pipefail`, so the flag has no effect there (docs/explanation/processes.md).
//   D6. A script is an argument of its interpreter, never executed itself: no mode bits, no ETXTBSY. As on Linux, all
//       that follows a plain interpreter is one argument, and `env -S` splits it into words.

import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { basename, delimiter, isAbsolute, join, resolve } from "node:path";

export type ShellName = "bash" | "sh" | "zsh" | "pwsh" | "cmd";

export interface ShellFlags {
  executionPolicyBypass?: boolean | undefined;
  exitOnError?: boolean | undefined;
  pipefail?: boolean | undefined;
  unsetVars?: boolean | undefined;
  noProfile?: boolean | undefined;
}

export type Launch =
  | {
      shell: ShellName | "dash";
      shellPath: string;
      flags?: ShellFlags | undefined;
      /** From a `#!` line. */
      args?: readonly string[] | undefined;
      scriptFile: string;
    }
  | { interpreter: string; args?: readonly string[] | undefined; scriptFile: string };

/** The argument list that runs `scriptFile`. */
export function launch(how: Launch): string[] {
  const { args = [], scriptFile } = how;
  if (!("shell" in how)) return [how.interpreter, ...args, scriptFile];
  const own = shellOptions(how.shell, how.shellPath, how.flags ?? {});
  const [words, letters] = [args.filter(isWord), args.filter((arg) => !isWord(arg))];
  return [how.shellPath, ...words, ...own, ...letters, scriptFile];
}

/** Long options that bash requires before short ones. */
const isWord = (arg: string): boolean => /^--(?:posix|verbose|restricted|debugger)$/.test(arg);

function shellOptions(shell: ShellName | "dash", shellPath: string, flags: ShellFlags): string[] {
  const noProfile = flags.noProfile ?? true;
  switch (shell) {
    case "bash":
      return [...(noProfile ? ["--noprofile", "--norc", "-p"] : ["--login"]), ...posixOptions(flags, true)];
    case "zsh":
      return [...(noProfile ? ["-f"] : ["-l"]), ...posixOptions(flags, true)];
    case "sh":
    case "dash":
      return [...(noProfile ? [] : ["-l"]), ...posixOptions(flags, hasPipefail(shellPath))];
    case "pwsh":
      return [
        ...(noProfile ? ["-NoProfile"] : []),
        "-NonInteractive",
        ...(flags.executionPolicyBypass ? ["-ExecutionPolicy", "Bypass"] : []),
        "-File",
      ];
    case "cmd":
      return ["/d", "/s", "/c"];
  }
}

function posixOptions(flags: ShellFlags, canPipefail: boolean): string[] {
  return [
    ...((flags.pipefail ?? true) && canPipefail ? ["-o", "pipefail"] : []),
    ...(flags.exitOnError ? ["-e"] : []),
    ...(flags.unsetVars ? ["-u"] : []),
  ];
}

/** Whether the shell behind `sh` supports `-o pipefail`, judged by the name of the file that the link points to. */
export function hasPipefail(shellPath: string): boolean {
  let real = shellPath;
  try {
    real = realpathSync(shellPath);
  } catch {
    // A path that does not resolve is reported at the start.
  }
  return ["bash", "zsh", "ksh", "ksh93", "mksh", "busybox"].includes(basename(real));
}

/**
 * The text of the script file, with the flags that the command line cannot express. POSIX shells get the text
 * unchanged, so that line numbers in their errors match the author's.
 */
export function scriptText(shell: ShellName | "dash", text: string, flags: ShellFlags = {}): string {
  if (shell === "cmd") return `@echo off\r\n${text.replaceAll(/\r?\n/g, "\r\n")}\r\n`;
  if (shell !== "pwsh") return text;
  const strict = flags.unsetVars ? "Set-StrictMode -Version Latest; " : "";
  const stop = flags.exitOnError
    ? "$ErrorActionPreference = 'Stop'; $PSNativeCommandUseErrorActionPreference = $true; "
    : "";
  return `${strict}${stop}${text}\nif ($null -ne $LASTEXITCODE) { exit $LASTEXITCODE }\n`;
}

/** pwsh and cmd decide by the file name extension. */
export function scriptExtension(shell: ShellName | "dash"): string {
  return shell === "pwsh" ? ".ps1" : shell === "cmd" ? ".cmd" : ".sh";
}

/** The absolute path of a shell, or undefined if it is not installed. `path` is the PATH to search. */
export function findShell(name: ShellName | "dash", path: string | undefined): string | undefined {
  if (name === "cmd")
    return process.platform === "win32" ? (process.env.ComSpec ?? findProgram("cmd.exe", path)) : undefined;
  return findProgram(name, path) ?? (name === "pwsh" ? findProgram("pwsh.exe", path) : undefined);
}

/** bash, otherwise sh. On Windows pwsh, otherwise cmd (spec 1.2). */
export function defaultShell(path: string | undefined): { shell: ShellName; shellPath: string } | undefined {
  const order: ShellName[] = process.platform === "win32" ? ["pwsh", "cmd"] : ["bash", "sh"];
  for (const shell of order) {
    const shellPath = findShell(shell, path);
    if (shellPath !== undefined) return { shell, shellPath };
  }
  return undefined;
}

/** Finds a program as a shell would, without starting anything. A name with a slash is a path relative to `cwd`. */
export function findProgram(name: string, path: string | undefined, cwd = process.cwd()): string | undefined {
  if (name === "") return undefined;
  if (name.includes("/") || isAbsolute(name)) return runnable(resolve(cwd, name));
  return lookUp(name, path, cwd);
}

function lookUp(name: string, path: string | undefined, cwd: string): string | undefined {
  for (const folder of (path ?? "/usr/local/bin:/usr/bin:/bin").split(delimiter)) {
    const found = runnable(join(folder === "" ? cwd : folder, name));
    if (found !== undefined) return resolve(cwd, found);
  }
  return undefined;
}

function runnable(file: string): string | undefined {
  try {
    // Most folders of PATH do not have it, and throwing an error for each would cost more than everything else here.
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
    accessSync(file, constants.X_OK);
    return file;
  } catch {
    return undefined;
  }
}
