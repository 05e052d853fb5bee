// program-parts: options, value types and the format of examples, shared by the command definitions.

import { InvalidArgumentError } from "commander";
import type { Terminal } from "./terminal.ts";
import type { CurlewCommand } from "./usage.ts";

export const HOME = [
  "--home <dir>",
  "folder of the history and configuration (default: CURLEW_HOME, else the platform's data folder)",
] as const;
export const ENV_FILE = [
  "--env-file <file>",
  "add the variables of a .env file to the environment that the workflow may name",
] as const;
export const SECRET = "ask for a secret's value, without showing it; repeat for more";
export const RUN = "a run's id, the beginning of one, or `latest`";

export type Ends = (done: Promise<number>) => Promise<void>;
export type Add = (
  parent: CurlewCommand,
  usage: string,
  summary: string,
  shown: string[],
  more?: string,
) => CurlewCommand;

export function examples(terminal: Terminal, shown: string[], more = ""): string {
  return `\n${terminal.outStyle("strong", "Examples:")}\n${shown.map((line) => `  ${line}\n`).join("")}${more}`;
}

export function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

export function positive(text: string): number {
  if (/^[1-9][0-9]{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`"${text}" is not a whole number from 1.`);
}

export function natural(text: string): number {
  if (/^(0|[1-9][0-9]{0,8})$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`"${text}" is not a whole number from 0.`);
}
