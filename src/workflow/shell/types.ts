// types: what the rewriting of a shell script gives and refuses (spec 4.1).

export type Dialect = "bash" | "sh" | "zsh";

/** A check of the value, made before anything is started. */
export type Guard =
  /** Arithmetic reads it: bash and zsh run what stands in array subscripts inside a value there. */
  | { kind: "int" }
  /** It begins an argument. Holds only while every variable in `after` is empty. */
  | { kind: "leading-dash"; after: string[] }
  /** It begins an argument of bash's echo. */
  | { kind: "echo-option" }
  /** It stands inside a string of an argument that is JSON. */
  | { kind: "json-string" }
  /** It begins an argument that curl reads as the name of a file when it says so. `bare`: what makes it one. */
  | { kind: "at-file"; option: string; bare: "marks" | "no-equals" | "any-at"; client?: string }
  /** It is the name of a file to a program that runs a name with a bar at its end. */
  | { kind: "pipe"; program: string }
  | { kind: "header"; option: string; client?: string }
  | { kind: "url"; part: "whole" | "base" | "host" | "path" | "query" };

/** One place where a value stands. Offsets in the author's text; `end` is exclusive. */
export interface Use {
  start: number;
  end: number;
  guards: Guard[];
  /** False: only the shell itself reads it here, so a value of any size can stand here. */
  leavesShell: boolean;
}

export interface ShellVariable {
  /** Name in the environment: `CURLEW_V_name`. */
  variable: string;
  root: string;
  members: (string | number)[];
  filter?: string;
  uses: Use[];
}

export interface ShellProgram {
  script: string;
  variables: ShellVariable[];
  /** `${…}` names left to the shell, which the script does not assign itself. For warnings. */
  unknown: { name: string; start: number; end: number }[];
}

/** A variable under a name of the author's whose value the shell reads as a number somewhere. */
export interface Counted {
  name: string;
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
