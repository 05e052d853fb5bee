// Checks an edited command before it is approved: an edit that `validate` would reject is rejected here.
//   C1. Only findings that the edit introduced count. Findings of the original command are subtracted.
// Problems that only the run's values can reveal come later: they fail the node or ask for approval again.

import type { Failure } from "../../base/failure.ts";
import type { Pending } from "../../engine/pending.ts";
import { isAllowedName } from "../../process/environment.ts";
import type { Store } from "../../store/index.ts";
import type { Diagnostic } from "../../workflow/diagnostic.ts";
import { knows } from "../../workflow/kinds/index.ts";
import { parseWorkflow } from "../../workflow/parse.ts";
import { validateParsed } from "../../workflow/validate.ts";

/** Undefined if the edit is fine. Failure: `edit-unusable`. */
export async function checkEdit(
  edited: string,
  { asker, request }: Pending,
  store: Store,
  env: NodeJS.ProcessEnv,
): Promise<Failure | undefined> {
  if (edited.includes("\0") || !edited.isWellFormed())
    return {
      code: "edit-unusable",
      message: "The edited command contains a NUL character or a lone surrogate. Nothing was approved.",
    };
  const events = await store.journal.read(asker.id, 1, 1);
  const [started] = events.ok ? events.value : [];
  // A program that comes from a value runs as it is: templates in it are not filled in.
  if (started?.type !== "run.started" || request.detail.wholeProgram) return undefined;
  const find = (content: string) => errors(started.workflow, request.node, content, env);
  const before = new Set((await find(request.detail.command)).map(sameness));
  const wrong = (await find(edited)).find((diagnostic) => !before.has(sameness(diagnostic)));
  if (wrong === undefined) return undefined;
  return {
    code: "edit-unusable",
    message: `The edited command is not valid (${wrong.code}): ${wrong.message} Nothing was approved.`,
    hint: wrong.help,
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
  if (node === undefined || !knows(node, "needsUserApproval")) return [];
  Object.assign(node.data, { content });
  const environment = new Set(Object.keys(env));
  const { diagnostics } = await validateParsed(parsed, { environment, passesEnvironment: isAllowedName });
  return diagnostics.filter(({ severity }) => severity === "error");
}
