// LeadLine: names and links the node that failed or waits for approval: on a phone above the nodes, otherwise over the
// canvas while another node is selected.

import { ArrowRight } from "lucide-react";
import { answerIn } from "../../base/failure.ts";
import { visibleLine } from "../../base/visible.ts";
import { classes } from "../ui/classes.ts";
import { StateIcon } from "../ui/state-icon.tsx";
import { idOf } from "./paths.ts";
import { useShownRun } from "./run-store.ts";

export interface LeadLineProps {
  /** Id of the node that needs no line. */
  selected?: string;
  onGo: (path: string) => void;
}

export function LeadLine({ selected, onGo }: LeadLineProps) {
  const { model } = useShownRun();
  const [asking] = model.waiting();
  const path = model.failure?.path ?? asking?.path;
  if (path === undefined || idOf(path) === selected) return null;
  const title = model.node(path)?.title ?? idOf(path);
  const { failure } = model.failure ?? {};
  const answer = failure && answerIn(failure);
  const failed = answer === undefined ? failure?.message : `“${answer}”`;
  return (
    <button
      type="button"
      onClick={() => onGo(path)}
      className={classes(
        "flex min-h-11 w-full items-center gap-2 border-b px-4 py-2 text-left",
        failed === undefined ? "border-waiting bg-waiting/10" : "border-failed bg-failed/5",
      )}
    >
      <StateIcon status={failed === undefined ? "waiting" : "failed"} bare={failed === undefined ? "silent" : true} />
      <span className="line-clamp-2 min-w-0 flex-1 break-words">
        <strong className="font-semibold">{visibleLine(title)}</strong>
        {failed === undefined ? " waits for you" : `: ${visibleLine(failed)}`}
      </span>
      <ArrowRight className="shrink-0 text-muted" />
    </button>
  );
}
