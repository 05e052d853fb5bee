// kinds/if: goes one way or the other, by a condition or by the success of its first parent.

import * as z from "zod/mini";
import { ifWithoutEdges } from "../diagnostics/edge.ts";
import { ifWithoutParent } from "../diagnostics/node.ts";
import { opt, text } from "../schema/fields.ts";
import { title } from "../schema/shared.ts";
import type { Kind } from "./kind.ts";

const data = z.object({
  title,
  content: opt(text("Expression, or a comparison such as ${1} == done. Empty: whether the first parent succeeded.")),
});

export const ifKind: Kind<typeof data> = {
  name: "IF",
  longName: "Condition",
  sign: "◇",
  data,
  effect: "branch",
  texts: { content: "expression" },
  check: ({ id, data: { content } }, path, check) => {
    const at = () => check.at([...path.slice(0, -1), "id"]);
    if ((content ?? "").trim() === "" && check.parentsOf(id).length === 0) check.report(ifWithoutParent(at(), id));
    if (!check.leaves.has(id) && check.draft.edgesWhole) check.report(ifWithoutEdges(at(), id));
  },
  sources: (_data, { parents }) => parents.slice(0, 1),
  describe: ({ content = "" }, line) => (content.trim() === "" ? "first parent succeeded?" : line(content)),
  show: ({ content }) => ({ command: content?.trim() || "did the first parent succeed?" }),
};
