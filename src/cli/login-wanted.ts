// login-wanted: whether a run may need a person to sign in: a cheap look, so that others do not load what signs in (spec 2.2, 3.6).

import type { RunRequest } from "../engine/contract.ts";
import { type Grant, needsPerson } from "../secrets/tokens/grant.ts";
import type { Workflow } from "../workflow/model.ts";

/** An entry that the document does not have may be one of config.yaml. */
export function mayWantLogin({ workflow, subflows }: Pick<RunRequest, "workflow" | "subflows">): boolean {
  return signsInByPerson(workflow) || Object.values(subflows).some((text) => /\bauth["']?\s*:/.test(text));
}

export function signsInByPerson({ nodes, auth }: Workflow): boolean {
  return nodes.some((node) => {
    const own = node.type === "cli" ? node.data.auth : undefined;
    const fields = typeof own === "string" ? auth?.[own] : own;
    return own !== undefined && (fields === undefined || needsPerson(fields as { type: Grant["type"] }));
  });
}
