// if: passes on its first parent's value, by the branch that its condition says.

import { ok } from "../../base/result.ts";
import { EMPTY } from "../../base/value.ts";
import { type Decide, isConditionTrue } from "../decision.ts";
import { andThen } from "../values.ts";

export const decideIf: Decide<"if"> = (node, context, { evaluator }) => {
  const [parent] = context.parents();
  const value = parent?.value ?? EMPTY;
  const condition = node.data.content?.trim() ?? "";
  if (condition === "") return ok({ value, branch: (parent?.exitCode ?? 0) === 0 });
  return andThen(isConditionTrue(condition, context, evaluator), (branch) => ok({ value, branch }));
};
