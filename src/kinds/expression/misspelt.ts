// misspelt: notices that a condition or a list of items names a member that its JSON value lacks, where a similar one is
// there. JSONata gives nothing for it, so the wrong branch would run without a word.
//   S1. Only plain paths are looked at: `inputs[0].a.b`, `nodes.ID.a`, `vars.NAME.a`. Without a similar member, absence
//       is taken as meant.

import { blankOutStrings } from "../../workflow/expression.ts";
import { nearest } from "../../workflow/nearest.ts";
import { type NodeContext, noteOnce } from "../context.ts";
import type { Scope } from "./scope.ts";

const PATH = /(?<![\w.$`])(inputs\s*\[\s*\d+\s*\]|(?:nodes|vars)\.\w+)((?:\.[A-Za-z_]\w*)+)/g;

/** Notes each such path as a warning on the node. */
export function noteMisspelt(expression: string, scope: Scope, context: NodeContext): void {
  for (const [, root = "", members = ""] of blankOutStrings(expression).matchAll(PATH)) {
    const [map = "", key = ""] = root.split(/[.[\]\s]+/);
    let value: unknown = (scope[map] as Record<string, unknown> | undefined)?.[key];
    for (const member of members.slice(1).split(".")) {
      const near = nearMember(value, member);
      if (near !== undefined) {
        const message = context.files.mask(
          `${root}${members} is nothing: there is no "${member}". Did you mean "${near}"?`,
        );
        noteOnce(context, "expression-member", message);
      }
      value = memberIn(value, member);
    }
  }
}

const objectsIn = (value: unknown): object[] =>
  (Array.isArray(value) ? value : [value]).filter((each) => typeof each === "object" && each !== null);

const memberIn = (value: unknown, member: string): unknown => {
  const found = objectsIn(value).flatMap((each) => (Object.hasOwn(each, member) ? (each as Scope)[member] : []));
  return Array.isArray(value) ? found : found[0];
};

function nearMember(value: unknown, member: string): string | undefined {
  const objects = objectsIn(value);
  if (objects.some((each) => Object.hasOwn(each, member))) return undefined;
  return nearest(member, new Set(objects.flatMap((each) => Object.keys(each))));
}
