// types: the results and problems of rewriting a shell script (spec 4.1).

export type Dialect = "bash" | "sh" | "zsh";

/** A check of the value before the command starts. */
export type Guard =
  /** It is read as arithmetic: bash and zsh run commands in array subscripts inside a value there. */
  | { kind: "int" }
  /** It starts an argument. Applies only while every variable in `after` is empty. */
  | { kind: "leading-dash"; after: string[] }
  /** It starts an argument of bash's echo. */
  | { kind: "echo-option" }
  /** It is inside a string of a JSON argument. */
  | { kind: "json-string" }
  /** It starts an argument that curl may read as a file name. `bare`: what makes it one. */
  | { kind: "at-file"; option: string; bare: "marks" | "no-equals" | "any-at"; client?: string }
  /** It is a file name for a program that runs a name with a bar at one end. */
  | { kind: "pipe"; program: string }
  | { kind: "header"; option: string; client?: string }
  | { kind: "url"; part: "whole" | "base" | "host" | "path" | "after-base" | "query" };

/** One position of a value. Offsets in the original script; `end` is exclusive. */
export interface Use {
  start: number;
  end: number;
  guards: Guard[];
  /** False: only the shell itself reads it here, so its size is not limited. */
  leavesShell: boolean;
}

export interface ShellVariable {
  /** Name in the environment: `CURLEW_V_name`. */
  variable: string;
  root: string;
  members: (string | number)[];
  default?: string;
  filter?: string;
  uses: Use[];
}

export interface ShellProgram {
  script: string;
  variables: ShellVariable[];
  /** `${…}` names that are left to the shell and not assigned by the script, for warnings. */
  unknown: { name: string; start: number; end: number }[];
  /** The same in single quotes and quoted heredocs, which the shell passes on as text. */
  quoted: { name: string; start: number; end: number }[];
  /** Variables that the workflow fills (env.static, exposeParents) and that must be numbers. */
  counted: string[];
}

export interface ShellProblem {
  /** Stable, kebab-case; listed in docs/reference/templates.md. */
  code: string;
  message: string;
  help: string;
  start: number;
  end: number;
}

export const PREFIX = "CURLEW_V_";
