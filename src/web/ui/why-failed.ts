// why-failed: where a run of a list failed, and what the server or the command said, or else the reason.

import type { RunItem } from "../../api/shapes.ts";
import { visibleLine } from "../../base/visible.ts";

/** `full` has the path of the node and the code, to be shown on hover. */
export function whyFailed(at: RunItem["failure"]): { where?: string; why?: string; full?: string } {
  if (at === undefined) return {};
  const { path, title, answer, failure } = at;
  const reason = visibleLine(failure.message);
  return {
    where: visibleLine(title ?? path),
    why: answer === undefined ? reason : `“${visibleLine(answer)}”`,
    full: `${visibleLine(path)}: ${reason} (${failure.code})`,
  };
}
