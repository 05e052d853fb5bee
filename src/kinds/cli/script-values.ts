// script-values: passes values to a rewritten script (spec 4.1): members, filters, guards, then the environment.
//   S1. Every guard has passed before anything is started.
//   S2. A value that is too large for the environment is read from a file into an unexported shell variable, if only
//       the shell uses it. If it would become an argument it is rejected with a message that says what works.
//   S3. The code that reads such files is on the script's first line, before its text, so that line numbers stay the
//       same.
//   S4. A file for a value that contains a secret is removed with the command.

import { isUtf8 } from "node:buffer";
import { createReadStream, createWriteStream, readFileSync, statSync, writeFileSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { type Failure, failureOf } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Value } from "../../base/value.ts";
import {
  guardValue,
  notUtf8,
  type ShellProgram,
  type ShellVariable,
  tooLargeForArgument,
  tooLargeTogether,
} from "../../shell/rewrite/index.ts";
import { describeReference } from "../../shell/template.ts";
import { type OnNull, orDefault, resolveReference } from "../template.ts";
import { joinParts, type RunFiles, unsealed, valueText } from "../values.ts";

export interface ShellValues {
  /** Names `CURLEW_V_…` and their values, for the command's environment. No prototype. */
  variables: Record<string, string>;
  /** Shell text to put directly before the script, on its first line. Usually empty. */
  prologue: string;
  /** S4: paths to remove when the command has ended. */
  secretFiles: string[];
  /** The original values, before it was decided how to pass them. For inspection before the start. */
  given: ScriptVariable[];
  /** Files that the values are read from. Absolute paths. */
  files: string[];
}

export interface ScriptVariable {
  variable: ShellVariable;
  /** With `|file`: empty, and `file` has the bytes. */
  text: string;
  file?: string;
  bytes: number;
}

/**
 * `lookup` returns the value of a reference by the rules of 1.3, undefined if its name is unknown. Failures:
 * `template-*` of kinds/template.ts, `value-*` of shell/rewrite/guards.ts.
 */
export async function shellValues(
  program: ShellProgram,
  lookup: (reference: ShellVariable) => Result<Value, Failure> | undefined,
  files: RunFiles,
  allowsPlain = false,
  onNull?: OnNull,
): Promise<Result<ShellValues, Failure>> {
  const texts = new Map<string, string>();
  const secretFiles: string[] = [];
  for (const variable of program.variables) {
    const found = orDefault(variable, lookup(variable) ?? err(noValue(variable)), (text): Value => ({ text }));
    if (!found.ok) return found;
    const text = await textFor(found.value.reference, found.value.value, files, secretFiles, onNull);
    if (!text.ok) return text;
    texts.set(variable.variable, text.value);
  }
  const isEmpty = (variable: string) => (texts.get(variable) ?? "") === "";
  for (const variable of program.variables) {
    if (variable.filter === "file") continue;
    for (const use of variable.uses) {
      const failure = guardValue(
        describeReference(variable),
        withoutDash(variable, use),
        texts.get(variable.variable) ?? "",
        isEmpty,
        allowsPlain,
      );
      if (failure !== undefined) return err(failure);
    }
  }
  const placed = place(program, texts, files, secretFiles);
  return placed.ok
    ? ok({ ...placed.value, given: program.variables.map((variable) => scriptVariable(variable, texts)) })
    : placed;
}

function scriptVariable(variable: ShellVariable, texts: ReadonlyMap<string, string>): ScriptVariable {
  const text = texts.get(variable.variable) ?? "";
  if (variable.filter === "file") return { variable, text: "", file: text, bytes: statSync(text).size };
  return { variable, text, bytes: Buffer.byteLength(text) };
}

/** `|arg` says that the value may be an option. */
function withoutDash(variable: ShellVariable, use: ShellVariable["uses"][number]): ShellVariable["uses"][number] {
  return variable.filter === "arg"
    ? { ...use, guards: use.guards.filter((guard) => guard.kind !== "leading-dash") }
    : use;
}

async function textFor(
  variable: ShellVariable,
  value: Value,
  files: RunFiles,
  secretFiles: string[],
  onNull: OnNull | undefined,
): Promise<Result<string, Failure>> {
  const reference = { kind: "reference" as const, start: 0, end: 0, ...variable };
  if (variable.filter === "file") return fileFor(variable, value, files, secretFiles);
  const bytes = unsealed(value, files) ?? fileBytes(value, files);
  if (bytes !== undefined && !isUtf8(bytes)) return err(notUtf8(describeReference(variable)));
  const text = valueText(value, files, limits.expressionInputBytesMax);
  return text.ok ? resolveReference(reference, text.value, files.mask, onNull) : text;
}

function fileBytes(value: Value, files: RunFiles): Uint8Array | undefined {
  if (!("file" in value) || value.bytes > limits.expressionInputBytesMax) return undefined;
  return readFileSync(files.path(value.file)).subarray(0, value.bytes);
}

/** The path of a 0600 file with the exact bytes. */
async function fileFor(
  variable: ShellVariable,
  value: Value,
  files: RunFiles,
  secretFiles: string[],
): Promise<Result<string, Failure>> {
  if (variable.members.length > 0) {
    const text = valueText(value, files, limits.expressionInputBytesMax);
    const member = text.ok
      ? resolveReference(
          { kind: "reference", start: 0, end: 0, root: variable.root, members: variable.members },
          text.value,
        )
      : text;
    return member.ok ? ok(writeText(member.value, files, secretFiles)) : member;
  }
  const settled = joinParts(value, files);
  if (!settled.ok) return settled;
  const exact = unsealed(settled.value, files);
  if (exact !== undefined) return ok(writeText(exact, files, secretFiles));
  if ("text" in settled.value) return ok(writeText(settled.value.text, files, secretFiles));
  const path = files.path(files.fresh("val"));
  if ("file" in settled.value && settled.value.bytes > 0) {
    await pipeline(
      createReadStream(files.path(settled.value.file), { end: settled.value.bytes - 1 }),
      createWriteStream(path, { mode: 0o600 }),
    );
  } else writeFileSync(path, "", { mode: 0o600 });
  return ok(path);
}

/** S4. */
function writeText(text: string | Uint8Array, files: RunFiles, secretFiles: string[]): string {
  const isSecret = typeof text !== "string" || files.mask(text) !== text;
  const path = files.path(files.fresh(isSecret ? "key" : "val"));
  if (isSecret) secretFiles.push(path);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

function place(
  program: ShellProgram,
  texts: ReadonlyMap<string, string>,
  files: RunFiles,
  secretFiles: string[],
): Result<Omit<ShellValues, "given">, Failure> {
  const variables: Record<string, string> = Object.create(null);
  const sized = program.variables.map((variable) => ({
    variable,
    text: texts.get(variable.variable) ?? "",
    bytes: Buffer.byteLength(texts.get(variable.variable) ?? ""),
  }));
  const leaves = ({ uses }: ShellVariable) => uses.some((use) => use.leavesShell);
  const read = program.variables
    .filter(({ filter }) => filter === "file")
    .map(({ variable }) => texts.get(variable) ?? "");
  let total = sized.reduce((sum, { bytes }) => sum + bytes, 0);
  let prologue = "";
  // The largest first, until the rest fits.
  for (const { variable, text, bytes } of sized.sort((a, b) => b.bytes - a.bytes)) {
    const stays = bytes <= limits.exportedValueBytesMax && total <= limits.exportedTotalBytesMax;
    if (stays || (bytes <= limits.exportedValueBytesMax && leaves(variable))) {
      variables[variable.variable] = text;
      continue;
    }
    if (leaves(variable)) return err(tooLargeForArgument(describeReference(variable), bytes));
    total -= bytes;
    const path = writeText(text, files, secretFiles);
    read.push(path);
    prologue += readFromFile(variable.variable, path);
  }
  if (total > limits.exportedTotalBytesMax) return err(tooLargeTogether(total));
  return ok({ variables, prologue, secretFiles, files: read });
}

/** A command substitution drops newlines at its end, so an x is appended and removed again. */
function readFromFile(name: string, path: string): string {
  return `${name}=$(cat -- '${path.replaceAll("'", "'\\''")}' && printf x) && ${name}=\${${name}%x}; `;
}

const noValue = failureOf("template-unknown-name", (variable: ShellVariable) => [
  `"${variable.root}" is not defined.`,
  "Define a Variable node, an input, or an environment variable with that name.",
]);
