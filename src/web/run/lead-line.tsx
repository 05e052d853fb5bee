// LeadLine: on a phone, one line above the nodes that names and links the node that failed or waits for approval.

import { ArrowDown } from "lucide-react";
import { visibleLine } from "../../base/visible.ts";
import { classes } from "../ui/classes.ts";
import { StateIcon } from "../ui/state-icon.tsx";
import { idOf } from "./paths.ts";
import { useShownRun } from "./run-store.ts";

export function LeadLine({ onGo }: { onGo: (path: string) => void }) {
  const { model } = useShownRun();
  const [asking] = model.waiting();
  const path = model.failure?.path ?? asking?.path;
  if (path === undefined) return null;
  const title = model.node(path)?.title ?? idOf(path);
  const failed = model.failure?.failure.message;
  return (
    <button
      type="button"
      onClick={() => onGo(path)}
      className={classes(
        "flex min-h-11 w-full items-center gap-2 border-b px-4 py-2 text-left",
        failed === undefined ? "border-waiting bg-waiting/10" : "border-failed bg-failed/5",
      )}
    >
      <StateIcon status={failed === undefined ? "waiting" : "failed"} bare />
      <span className="line-clamp-2 min-w-0 flex-1 break-words">
        <strong className="font-semibold">{visibleLine(title)}</strong> {visibleLine(failed ?? "waits for you")}
      </span>
      <ArrowDown className="shrink-0 text-muted" />
    </button>
  );
}
