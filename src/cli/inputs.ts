// inputs: values from the command line, a file or stdin, checked against the inputs the workflow declares (spec 2.2).
//   N1. `--input` overrides `--input-file`. If a name is repeated, the last `--input` counts.
//   N2. All problems are reported at once, and then nothing runs.

import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { readTextFile } from "../app/documents/read-file.ts";
import { limits } from "../base/limits.ts";
import { isObject } from "../base/tolerant.ts";
import { patternsWithin } from "../kinds/pattern.ts";
import { checkInputs, type InputProblem, shown } from "../workflow/inputs.ts";
import { readJson } from "../workflow/json-tree.ts";
import type { InputSpec } from "../workflow/model.ts";
import { problem } from "./problem.ts";
import type { Terminal } from "./terminal.ts";

export interface InputOptions {
  input?: string[];
  inputFile?: string;
}

/** The typed inputs with defaults, or undefined after a message on stderr for each problem. */
export async function readInputs(
  specs: Record<string, InputSpec>,
  options: InputOptions,
  terminal: Terminal,
): Promise<Record<string, unknown> | undefined> {
  const flags = readFlags(options.input ?? [], terminal);
  const file = options.inputFile === undefined ? {} : readInputFile(options.inputFile, terminal);
  if (flags === undefined || file === undefined) return undefined;
  const checked = checkGiven(specs, flags, file);
  if (checked.ok) return checked.values;
  for (const { code, input, message } of checked.problems)
    terminal.problem(problem(code, code === "missing-input" ? `${message} Give it with --input ${input}=…` : message));
  return undefined;
}

type Checked = { ok: true; values: Record<string, unknown> } | { ok: false; problems: InputProblem[] };

/** Text from flags is converted to the input's type. Values from a file already have a type. */
function checkGiven(
  specs: Record<string, InputSpec>,
  flags: Record<string, string>,
  file: Record<string, unknown>,
): Checked {
  const problems: InputProblem[] = [];
  const given: Record<string, unknown> = Object.assign(Object.create(null), file);
  const rest = { ...specs };
  const matches = patternsWithin();
  for (const [name, text] of Object.entries(flags)) {
    given[name] = text;
    const spec = Object.hasOwn(specs, name) ? specs[name] : undefined;
    if (spec === undefined) continue;
    const read = checkInputs({ [name]: spec }, { [name]: text }, "text", matches);
    if (read.ok) given[name] = read.value[name];
    else {
      problems.push(...read.error);
      delete given[name];
      delete rest[name];
    }
  }
  const checked = checkInputs(rest, { ...given }, "json", matches);
  if (!checked.ok) problems.push(...checked.error);
  return checked.ok && problems.length === 0 ? { ok: true, values: checked.value } : { ok: false, problems };
}

/** Variables of a `.env` file if one is named, or undefined after a message on stderr. */
export function readEnvFile(name: string | undefined, terminal: Terminal): Record<string, string> | undefined {
  if (name === undefined) return {};
  const text = readText(name, "--env-file", terminal);
  return text === undefined ? undefined : (parseEnv(text) as Record<string, string>);
}

function readFlags(flags: string[], terminal: Terminal): Record<string, string> | undefined {
  const given: Record<string, string> = Object.create(null);
  for (const flag of flags) {
    const at = flag.indexOf("=");
    if (at < 1)
      return terminal.problem(
        problem(
          "bad-input",
          `--input ${shown(flag)} has no ${at === 0 ? "name" : "value"}.`,
          "Write --input name=value; an empty value is --input name=",
        ),
      );
    given[flag.slice(0, at)] = flag.slice(at + 1);
  }
  return given;
}

function readInputFile(name: string, terminal: Terminal): Record<string, unknown> | undefined {
  const text = readText(name, "--input-file", terminal);
  if (text === undefined) return undefined;
  const shown = name === "-" ? "stdin" : name;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return terminal.problem(problem("bad-input-file", `${shown} is not JSON: ${whereNoJson(text)}.`));
  }
  if (isObject(value)) return value;
  return terminal.problem(
    problem(
      "bad-input-file",
      `${shown} must hold a JSON object, with one member for each input.`,
      'For example {"pages": 3}',
    ),
  );
}

function readText(name: string, option: string, terminal: Terminal): string | undefined {
  const stdin = name === "-" && option === "--input-file";
  const read = readTextFile(stdin ? terminal.stdinFd : resolve(terminal.cwd, name), limits.inputFileBytesMax, {
    pipes: true,
  });
  if (read.ok) return read.value;
  return terminal.problem(problem("cannot-read", `${option} ${name} cannot be read: ${read.error.why}.`));
}

/** Where parsing stopped. It does not quote the file, which may not be the one the user meant. */
function whereNoJson(text: string): string {
  const at = readJson("input.json", text).diagnostics[0]?.range.start;
  if (text.trim() === "" || at === undefined) return "it is empty";
  return `it stops being JSON at line ${at.line}, column ${at.column}`;
}
