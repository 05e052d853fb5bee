// login-wanted: a cheap check whether a run may need a sign-in, so that other runs don't load the sign-in code (spec
// 2.2, 3.6).

import type { RunRequest } from "../engine/contract.ts";
import { type Grant, needsPerson } from "../secrets/tokens/grant.ts";
import type { Workflow } from "../workflow/model.ts";

/** An entry missing from the workflow file may be in config.yaml. */
export function mayWantLogin({ workflow, subflows }: Pick<RunRequest, "workflow" | "subflows">): boolean {
  return signsInByPerson(workflow) || Object.values(subflows).some((text) => /\bauth["']?\s*:/.test(text));
}

export function signsInByPerson({ nodes, auth }: Workflow): boolean {
  return nodes.some((node) => {
    const own = "auth" in node.data ? node.data.auth : undefined;
    const fields = typeof own === "string" ? auth?.[own] : own;
    return own !== undefined && (fields === undefined || needsPerson(fields as { type: Grant["type"] }));
  });
}
