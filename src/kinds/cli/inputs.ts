// inputs: builds what a command is given: variables, parents, standard input (spec 1.2, 1.3).
//   I1. Values reach the command as environment variables, files, or standard input, never as part of the program text.
//   I2. A value that the shell would read as a number must be one (4.1), even under a name that the author chose. This
//       is checked before the process starts.
//   I3. A value that is too large for an environment variable, or would set a variable that runs code, is rejected
//       before the process starts.

import { isDangerousName, isReservedName } from "../../base/environment-names.ts";
import { type Failure, failureOf } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { EMPTY } from "../../base/value.ts";
import type { Piece } from "../../process/stdin.ts";
import { guardCounted, type ShellVariable } from "../../shell/rewrite/index.ts";
import { allowsPlain } from "../../shell/safety/index.ts";
import { referencesOf } from "../../shell/template.ts";
import type { CliNode } from "../../workflow/model.ts";
import { type NodeContext, nullsOf, renderField, renderText, valueOfReference } from "../context.ts";
import { absent } from "../template.ts";
import { joinPieces, piecesOf, valueText } from "../values.ts";
import type { Program } from "./program.ts";
import { shellValues } from "./script-values.ts";

/** `env.static`, rendered. References in it never mean env.static itself (1.3). */
export function staticValues(node: CliNode, context: NodeContext): Result<Record<string, string>, Failure> {
  const values: Record<string, string> = Object.create(null);
  for (const [name, template] of Object.entries(node.data.env?.static ?? {})) {
    const refused = refusedName(name, referencesOf(template).length > 0);
    if (refused !== undefined) return err(refused);
    const text = renderField(template, context);
    if (!text.ok) return text;
    if (Buffer.byteLength(text.value) > limits.exportedValueBytesMax)
      return err(tooLargeFor(`env.static.${name}`, Buffer.byteLength(text.value)));
    values[name] = text.value;
  }
  return ok(values);
}

/** The values that the program text refers to. */
export async function valuesFor(
  node: CliNode,
  program: Program,
  statics: Record<string, string>,
  context: NodeContext,
) {
  if (program.shell === undefined || program.shell.variables.length === 0)
    return ok({ variables: {}, prologue: "", secretFiles: [], given: [], files: [] });
  const lookup = (reference: ShellVariable) => {
    const own = context.loop()[reference.root] === undefined ? statics[reference.root] : undefined;
    return own === undefined ? valueOfReference(reference, context) : ok({ text: own });
  };
  return shellValues(program.shell, lookup, context.files, allowsPlain(node.data, context.workflow), nullsOf(context));
}

/** `exposeParents`: the parents as INPUT_1, INPUT_2, …, or under the given names. */
export function exposedParents(node: CliNode, context: NodeContext): Result<Record<string, string>, Failure> {
  const values: Record<string, string> = Object.create(null);
  const { exposeParents, names } = node.data.env ?? {};
  if (exposeParents !== true) return ok(values);
  for (const [index, parent] of context.parents().entries()) {
    const name = names?.[index] ?? `INPUT_${index + 1}`;
    const refused = refusedName(name, true);
    if (refused !== undefined) return err(refused);
    const text = valueText(parent.value, context.files, limits.exportedValueBytesMax);
    if (!text.ok)
      return err(tooLargeFor(name, "file" in parent.value ? parent.value.bytes : limits.exportedValueBytesMax));
    if (Buffer.byteLength(text.value) > limits.exportedValueBytesMax)
      return err(tooLargeFor(name, Buffer.byteLength(text.value)));
    values[name] = text.value;
  }
  return ok(values);
}

/** I2. Failure: `value-not-integer`. `named`: env.static and the parents. */
export function countedFailure({ counted }: Program, named: Readonly<Record<string, string>>): Failure | undefined {
  if (counted === undefined) return undefined;
  for (const name of counted.names) {
    const value = named[name];
    const failure = value === undefined ? undefined : guardCounted(name, counted.dialect, value);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

/** The pieces of standard input. Empty if there is no input. */
export function stdinOf(
  node: CliNode,
  statics: Record<string, string>,
  context: NodeContext,
): Result<Piece[], Failure> {
  const { stdin } = node.data;
  switch (stdin?.source) {
    case undefined:
    case "none":
      return ok([]);
    case "literal": {
      const text = renderText(stdin.literal ?? "", context, statics);
      return text.ok ? ok([{ text: text.value }]) : text;
    }
    case "parents-all":
      return joinPieces(
        context.parents().map((parent) => parent.value),
        context.files,
      );
    case "node": {
      const found = context.node(stdin.node ?? "") ?? { absent: "no node has that id" };
      if ("value" in found) return piecesOf(found.value, context.files);
      const reference = { root: stdin.node ?? "", members: [] };
      return err({
        ...absent(reference, found.absent),
        hint: `Write stdin: { text: "\${${reference.root}|default(\\"\\")}" }.`,
      });
    }
    case "parent-index":
      return piecesOf(context.parents()[stdin.parentIndex ?? 0]?.value ?? EMPTY, context.files);
  }
}

/** Variables that a node inherits by name. One of them may be a loopback URL. */
export function inheritedByName(node: CliNode, env: Readonly<Record<string, string>>): Record<string, string> {
  const names = node.data.env?.inherit;
  if (!Array.isArray(names)) return {};
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

/** Workflow checks report this earlier. A workflow that was not checked, or is older than the check, is caught here. */
function refusedName(name: string, isValue: boolean): Failure | undefined {
  if (isReservedName(name))
    return {
      code: "env-name-reserved",
      message: `The environment variable ${JSON.stringify(name)} begins with CURLEW_, which is reserved for variables that Curlew sets.`,
      hint: "Choose another name.",
    };
  if (!isValue || !isDangerousName(name)) return undefined;
  return {
    code: "env-name-dangerous",
    message: `A value of the run would set the environment variable ${name}, which can run code or change what programs do.`,
    hint: "Write a fixed value, or use a variable with another name.",
  };
}

const tooLargeFor = failureOf("value-too-large", (name: string, bytes: number) => [
  `The value for the environment variable ${name} has ${bytes} bytes. The limit for one variable is ${limits.exportedValueBytesMax}.`,
  "Pass it on stdin, which has no limit: stdin: { source: parent-index, parentIndex: 0 }",
]);
