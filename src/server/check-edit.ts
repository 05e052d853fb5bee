// check-edit: whether an edited command could stand in the document: what `validate` would refuse is refused before it is approved.
//   C1. Only what the edit brought in counts: the same is said of the command as it was, and taken off.
// Deliberately absent: what only the values of the run can show. That still fails the node, or asks again.

import type { Failure } from "../base/failure.ts";
import type { Pending } from "../engine/pending.ts";
import { isAllowedName } from "../process/environment.ts";
import type { Store } from "../store/index.ts";
import type { Diagnostic } from "../workflow/diagnostic.ts";
import { parseWorkflow } from "../workflow/parse.ts";
import { validateParsed } from "../workflow/validate.ts";

/** Nothing when nothing is found. Failure: edit-unusable. */
export async function checkEdit(
  edited: string,
  { asker, request }: Pending,
  store: Store,
  env: NodeJS.ProcessEnv,
): Promise<Failure | undefined> {
  if (edited.includes("\0") || !edited.isWellFormed())
    return {
      code: "edit-unusable",
      message: "The edited command holds a NUL character, or half of one: no program can. Nothing was approved.",
    };
  const events = store.journal.read(asker.id, 1, 1);
  const [started] = events.ok ? events.value : [];
  // A program that is a value runs as it is: no template in it is filled in.
  if (started?.type !== "run.started" || request.detail.wholeProgram) return undefined;
  const find = (content: string) => errors(started.workflow, request.node, content, env);
  const before = new Set((await find(request.detail.command)).map(sameness));
  const wrong = (await find(edited)).find((diagnostic) => !before.has(sameness(diagnostic)));
  if (wrong === undefined) return undefined;
  return {
    code: "edit-unusable",
    message: `The edited command cannot run (${wrong.code}): ${wrong.message} Nothing was approved.`,
    ...(wrong.help === undefined ? {} : { hint: wrong.help }),
  };
}

const sameness = ({ code, message }: Diagnostic): string => `${code} ${message}`;

async function errors(
  { text, file }: { text: string; file: string },
  id: string,
  content: string,
  env: NodeJS.ProcessEnv,
): Promise<Diagnostic[]> {
  const parsed = parseWorkflow(text, file);
  const node = parsed.draft?.workflow.nodes.find((each) => each.id === id);
  if (node === undefined || (node.type !== "cli" && node.type !== "llm")) return [];
  node.data.content = content;
  const environment = new Set(Object.keys(env));
  const { diagnostics } = await validateParsed(parsed, { environment, passesEnvironment: isAllowedName });
  return diagnostics.filter(({ severity }) => severity === "error");
}
