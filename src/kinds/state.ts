// state: the values that a node stores for later runs of its workflow.
//   P1. They are checked here and written with the end of the node: declared, small enough, and without a secret.
//   P2. A command appends them as JSON lines to a file of its attempt, with `curlew state set`. The file stays until the
//       end is recorded, so that an adopted attempt finds it. A file with a secret is emptied at once.

import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type Failure, failureOf } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import { didYouMean } from "../workflow/nearest.ts";
import type { NodeContext } from "./context.ts";

export type State = Record<string, string>;

/** The end of the file's name, after the attempt's stem. */
export const STATE_FILE = ".state";
/** Names that file for a command. */
export const STATE_VARIABLE = "CURLEW_STATE";

/** Creates the file for an attempt. Undefined if the workflow declares no state. */
export function stateFileFor(stem: string, { workflow, files }: NodeContext): string | undefined {
  if (workflow.state === undefined) return undefined;
  const path = files.path(`${stem}${STATE_FILE}`);
  writeFileSync(path, "", { mode: 0o600 });
  return path;
}

/** The values that a command stored, the last one of each name. Failures: those of `checkState`, `state-unreadable`. */
export function stateOf(stem: string, context: NodeContext): Result<State | undefined, Failure> {
  const { workflow, masker, files } = context;
  const path = files.path(`${stem}${STATE_FILE}`);
  if (workflow.state === undefined || !existsSync(path)) return ok(undefined);
  const text = readFileSync(path, "utf8");
  if (text === "") return ok(undefined);
  const stored: State = Object.create(null);
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const entry = entryOf(line);
    if (entry === undefined) return err(unreadable(line));
    const [name, value] = entry;
    const wrong = value === null ? secretIn(name) : checkState({ [name]: value }, { workflow, masker });
    // P2. Null says the same to a process that reads the file again.
    if (wrong?.code === "state-secret") writeFileSync(path, `${JSON.stringify([name, null])}\n`);
    if (wrong !== undefined) return err(wrong);
    stored[name] = value!;
  }
  return ok({ ...stored });
}

/** A line of the file, as `curlew state set` writes it. */
export const stateLine = (name: string, value: string): string => `${JSON.stringify([name, value])}\n`;

export function forgetState(stem: string, { workflow, files }: NodeContext): void {
  if (workflow.state !== undefined) rmSync(files.path(`${stem}${STATE_FILE}`), { force: true });
}

/** P1. Failures: `state-undeclared`, `state-too-large`, `state-secret`. */
export function checkState(
  values: State,
  { workflow, masker, isSecret }: Pick<NodeContext, "workflow" | "masker"> & { isSecret?: boolean },
): Failure | undefined {
  for (const [name, value] of Object.entries(values)) {
    if (!Object.hasOwn(workflow.state ?? {}, name)) return undeclared(name, workflow.state);
    if (Buffer.byteLength(value) > limits.stateValueBytesMax) return tooLarge(name, value);
    if (isSecret === true || masker.mask(value) !== value) return secretIn(name);
  }
  return undefined;
}

function entryOf(line: string): [name: string, value: string | null] | undefined {
  try {
    const [name, value] = JSON.parse(line);
    return typeof name === "string" && (typeof value === "string" || value === null) ? [name, value] : undefined;
  } catch {
    return undefined;
  }
}

const undeclared = failureOf("state-undeclared", (name: string, declared: State = {}) => [
  `The workflow has no state "${name}".${didYouMean(name, Object.keys(declared))}`,
  "Add the name to state at the top of the workflow.",
]);
const tooLarge = failureOf("state-too-large", (name: string, value: string) => [
  `The value of state "${name}" has ${Buffer.byteLength(value)} bytes. The limit is ${limits.stateValueBytesMax}.`,
  "Store an id or the path of a file.",
]);
const secretIn = failureOf("state-secret", (name: string) => [
  `The value of state "${name}" contains a secret. State is not encrypted, so Curlew did not store it.`,
  "Store something else, or keep the value with `curlew secrets set`.",
]);
const unreadable = failureOf("state-unreadable", (line: string) => [
  `The command wrote ${line.length > 40 ? "a long text" : "a text"} to ${STATE_VARIABLE} that Curlew can't read.`,
  "Write to it only with `curlew state set NAME VALUE`.",
]);
