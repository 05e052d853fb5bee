// kinds/subflow: runs another workflow file as one node. tree.ts reads and checks that file.

import * as z from "zod/mini";
import { zeroDurations } from "../check/context.ts";
import { about, filled, opt, seen } from "../schema/fields.ts";
import { continueOnError, onLost, subflowRunsOn, timeout, title } from "../schema/shared.ts";
import type { Kind } from "./kind.ts";

const data = z.object({
  title,
  workflow: filled("The workflow file, relative to the folder of this one."),
  inputs: opt(z.record(z.string(), z.string()).register(seen, about("Inputs of that workflow. Values are templates."))),
  timeout: opt(timeout),
  continueOnError: opt(continueOnError),
  onLost: opt(onLost),
  runsOn: opt(subflowRunsOn),
});

export const subflow: Kind<typeof data> = {
  name: "Subflow",
  sign: "▣",
  data,
  runs: true,
  texts: { inputs: "templates" },
  check: (node, path, check) => zeroDurations(node.data, ["timeout"], path, check),
  describe: ({ workflow }) => workflow,
  show: ({ workflow, inputs = {} }, { fill }) => ({
    command: workflow,
    inputs: Object.fromEntries(Object.entries(inputs).map(([name, text]) => [name, fill(text)])),
  }),
};
