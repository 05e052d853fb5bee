// dynamic-command: a program that is not in the workflow file: an approver's edit (spec 3.5), or a value that is the whole
// program (4.1, 4.2).
//   O1. A value as program runs unchanged, without filling in templates. So does an edit of it.
//   O2. A person can read all of it: readable size, no invisible character, no secret.
//   O3. Any other edit passes every check that the node's own text passes.
// It always needs approval (engine/approvals.ts P4).

import { type Failure, failureOf } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { scriptExtension } from "../../process/dialect.ts";
import { programReference } from "../../workflow/dynamic-command.ts";
import { isFact } from "../../workflow/facts.ts";
import type { CliNode } from "../../workflow/model.ts";
import { type NodeContext, valueOfReference } from "../context.ts";
import { resolveReference } from "../template.ts";
import { valueText } from "../values.ts";
import { chooseInterpreter, type Program, programOf } from "./program.ts";

export interface DynamicCommand {
  /** The node with that text as its content. */
  node: CliNode;
  program: Program;
  wholeProgram?: true;
}

/**
 * Undefined: the program is the one in the workflow file. Failures: `program-unreadable`, `program-too-long`, those of
 * programOf.
 */
export async function dynamicCommand(
  node: CliNode,
  context: NodeContext,
): Promise<Result<DynamicCommand, Failure> | undefined> {
  const reference = programReference(node);
  const isOurs =
    reference !== undefined &&
    (/^[0-9]/.test(reference.root) ||
      context.knows(reference.root) ||
      isFact(reference.root, reference.members, context.place));
  if (isOurs) return valueAsProgram(node, context);
  if (context.edited === undefined) return undefined;
  const changed = withContent(node, context.edited);
  const program = await programOf(changed, context);
  return program.ok ? ok({ node: changed, program: program.value }) : program;
}

async function valueAsProgram(node: CliNode, context: NodeContext): Promise<Result<DynamicCommand, Failure>> {
  const chosen = chooseInterpreter(withContent(node, ""), context.environment);
  if (!chosen.ok) return chosen;
  const { value: how } = chosen;
  const text = context.edited === undefined ? valueNow(node, context) : ok(context.edited);
  if (!text.ok) return text;
  const unreadable = whyUnreadable(text.value, context);
  if (unreadable !== undefined) return err(unreadable);
  const shell = "shell" in how ? how.shell : undefined;
  const program: Program = {
    interpreter: shell ?? "",
    how,
    text: text.value,
    extension: shell === undefined ? "" : scriptExtension(shell),
  };
  return ok({ node: withContent(node, text.value), program, wholeProgram: true });
}

function valueNow(node: CliNode, context: NodeContext): Result<string, Failure> {
  const reference = programReference(node)!;
  const found = valueOfReference(reference, context) ?? ok({ text: "" });
  if (!found.ok) return found;
  const { value } = found;
  if ("file" in value && reference.members.length === 0 && value.bytes > limits.wholeProgramBytesMax)
    return err(tooLong(value.bytes));
  const text = valueText(value, context.files, limits.expressionInputBytesMax);
  const program = text.ok ? resolveReference(reference, text.value) : text;
  if (!program.ok || Buffer.byteLength(program.value) <= limits.wholeProgramBytesMax) return program;
  return err(tooLong(Buffer.byteLength(program.value)));
}

/**
 * O2. Rejects control characters except tab and newline, format characters (including bidirectional ones), and
 * non-characters.
 */
function whyUnreadable(text: string, context: NodeContext): Failure | undefined {
  const hidden = /(?![\t\n])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\uFFFD]/u.exec(text)?.[0];
  if (hidden !== undefined)
    return unreadable(
      `it contains an invisible character, U+${hidden.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`,
    );
  if (text.trim() === "") return unreadable("it is empty");
  return context.masker.mask(text) === text ? undefined : unreadable("it contains a secret, which Curlew never shows");
}

const unreadable = failureOf("program-unreadable", (why: string) => [
  `The command is a value that an approver can't read completely: ${why}.`,
  "Generate it as plain text, and pass secrets with env.",
]);
const tooLong = failureOf("program-too-long", (bytes: number) => [
  `The command is a value of ${bytes} bytes, too long for an approver to read. The limit is ${limits.wholeProgramBytesMax}.`,
  "Write the fixed part of the command in the node, and pass only what changes.",
]);

function withContent(node: CliNode, content: string): CliNode {
  return { ...node, data: { ...node.data, content } };
}
