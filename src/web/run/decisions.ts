// decisions: the result of each IF node in a run, and why nodes were skipped. Pure.

import type { RunEvent } from "../../scheduler/event.ts";

type Skipped = Extract<RunEvent, { type: "node.skipped" }>["reason"];

export class Decisions {
  readonly branches = new Map<string, boolean>();
  readonly skipped = new Map<string, Skipped>();

  apply(event: RunEvent): void {
    if (event.type === "node.skipped") this.skipped.set(event.path, event.reason);
    if ((event.type === "node.succeeded" || event.type === "node.kept") && event.branch !== undefined)
      this.branches.set(event.path, event.branch);
  }
}

export const SKIP_WORDS: Record<Skipped, string> = {
  "branch-not-taken": "branch not taken",
  "not-wanted": "left out",
  "run-ended": "the run ended first",
  "pass-failed": "the iteration failed first",
};
