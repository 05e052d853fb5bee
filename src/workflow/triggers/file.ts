// triggers/file: starts a run when a file beside the document is added, changes, or is removed.

import * as z from "zod/mini";
import { badWatch, emptyWatch } from "../diagnostics/trigger.ts";
import { globProblem } from "../glob.ts";
import { oneOf, opt, words } from "../schema/fields.ts";
import type { TriggerKind, TriggerOf } from "./kind.ts";

const data = z.object({
  paths: words("Files to watch. Can contain * and **."),
  on: opt(z.array(oneOf(["add", "change", "remove"], "A change of a file."))),
});

export type FileTrigger = TriggerOf<"file", typeof data, "on">;

export const file: TriggerKind<typeof data> = {
  name: "file watch",
  plural: "File watches",
  data,
  defaults: { on: ["add", "change"] },
  example: { paths: ["inbox/*"] },
  event: ["path", "change"],
  identity: ({ paths, on }) => [paths, on],
  check({ paths, on }, path, check) {
    for (const [index, pattern] of (paths ?? []).entries()) {
      const why = globProblem(pattern);
      if (why !== undefined) check.report(badWatch(check.at([...path, "paths", index]), pattern, why));
    }
    if (paths?.length === 0) check.report(emptyWatch(check.at([...path, "paths"], "key"), "paths"));
    if (on?.length === 0) check.report(emptyWatch(check.at([...path, "on"], "key"), "on"));
  },
};
