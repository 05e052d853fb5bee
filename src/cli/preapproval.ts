// preapproval: `--approve` and `--yes` (spec 2.2). app/approvals/preapproval.ts checks the names.

import { approveMistake } from "../app/approvals/preapproval.ts";
import type { Loaded } from "./load.ts";
import type { Terminal } from "./terminal.ts";

/**
 * `unknown` after a message on stderr. Nodes of a subflow are named with the subflow's node first: `deploy/publish`.
 */
export function approvedInAdvance(
  loaded: Loaded,
  options: { approve?: string[]; yes?: boolean },
  terminal: Terminal,
): string[] | undefined | "unknown" {
  const wrong = approveMistake(options.approve, loaded, "--approve");
  if (wrong !== undefined) {
    terminal.problem(wrong);
    return "unknown";
  }
  if (options.yes) return ["*"];
  return options.approve?.length ? options.approve : undefined;
}
