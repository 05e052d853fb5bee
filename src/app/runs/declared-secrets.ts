// The secrets that a document declares, and names given for a start that it does not declare.

import type { Failure } from "../../base/failure.ts";
import type { Workflow } from "../../workflow/model.ts";
import { didYouMean } from "../../workflow/nearest.ts";
import { parseWorkflow } from "../../workflow/parse.ts";

interface Document {
  workflow: Workflow;
  subflows: Readonly<Record<string, string>>;
}

/** Those of its subflows are included. */
export function declaredSecrets({ workflow, subflows }: Document): string[] {
  const inside = Object.entries(subflows).flatMap(([file, text]) => parseWorkflow(text, file).workflow?.secrets ?? []);
  return [...new Set([...workflow.secrets, ...inside])];
}

/** The failure for the first name that is not declared. */
export function unknownSecret(names: readonly string[], document: Document): Failure | undefined {
  if (names.length === 0) return undefined;
  const declared = declaredSecrets(document);
  const unknown = names.find((name) => !declared.includes(name));
  if (unknown === undefined) return undefined;
  return {
    code: "unknown-secret",
    message: `The workflow has no secret "${unknown}".${didYouMean(unknown, declared)}`,
    hint:
      declared.length === 0 ? 'Declare it in the workflow: "secrets: [NAME]".' : `Its secrets: ${declared.join(", ")}.`,
  };
}
