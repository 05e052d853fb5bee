// RunTop: the top bar of a run: its state, duration, progress and actions (spec ui 6.1).

import { useNavigate } from "@tanstack/react-router";
import { ChevronDown, ListTree, Pencil, Play, RotateCcw, Square } from "lucide-react";
import { shortRunId } from "../../base/ids.ts";
import { visibleLine } from "../../base/visible.ts";
import { Doing, TopBar } from "../app/top-bar.tsx";
import { ViewSwitch, type WorkflowView } from "../app/view-switch.tsx";
import { Button } from "../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Menu, type MenuItem } from "../ui/menu.tsx";
import { lookOf } from "../ui/state.ts";
import { StateIcon } from "../ui/state-icon.tsx";
import { clock, duration, elapsed } from "../ui/words.ts";
import { useRunPage, useShownRun } from "./run-store.ts";
import { useRunActions } from "./use-actions.ts";

export interface RunTopProps {
  selected: string | undefined;
  /** Absent: the file is outside the served folder. */
  onView: ((view: WorkflowView) => void) | undefined;
  outline?: boolean;
  /** Absent without a canvas. */
  onOutline?: () => void;
}

export function RunTop({ selected, onView, outline, onOutline }: RunTopProps) {
  const { model } = useShownRun();
  return (
    <TopBar
      title={model.started.workflow.name}
      facts={<Facts />}
      actions={
        <>
          {onOutline !== undefined && (
            <IconButton
              label="Outline"
              shortcut="O"
              pressed={outline}
              icon={<ListTree size={16} />}
              onClick={onOutline}
            />
          )}
          {onView !== undefined && <ViewSwitch view="run" onView={onView} />}
          <RunButtons selected={selected} />
        </>
      }
    />
  );
}

function Facts() {
  const { model, nowMs } = useShownRun();
  const { path, isElsewhere } = useRunActions(model);
  const { workflow, run, at, trigger } = model.started;
  const { status, waitingFor, isOver } = model;
  const tookMs = elapsed({ startedAt: at, endedAt: model.endedAt }, nowMs);
  const { settled, all } = model.progress();
  return (
    <>
      <span className="hidden truncate font-mono text-sm md:inline" title={visibleLine(workflow.file)}>
        {visibleLine(path ?? (isElsewhere ? workflow.file : ""))}
      </span>
      <span className="shrink-0">
        <Chip look={lookOf(status, waitingFor)}>
          <StateIcon status={status} waitingFor={waitingFor} size={12} bare="narrow" />
          <span className="font-mono @max-[15rem]:hidden">{shortRunId(run)}</span>
        </Chip>
      </span>
      <span className="whitespace-nowrap tabular-nums @max-[12rem]:hidden" title="Elapsed, and finished nodes">
        {isOver ? duration(tookMs) : clock(tookMs)}
        <span className="@max-[20rem]:hidden">
          {" "}
          · {settled}/{all}
          <span className="max-lg:hidden"> nodes</span>
        </span>
      </span>
      <span className="whitespace-nowrap @max-[28rem]:hidden">
        by {trigger.kind}
        {trigger.by === undefined ? "" : ` (${trigger.by})`}
      </span>
    </>
  );
}

/** They apply to the run as it is now, not to the moment being viewed. */
function RunButtons({ selected }: Pick<RunTopProps, "selected">) {
  const { model } = useShownRun();
  const { cancel, retry, again, path, isElsewhere } = useRunActions(model);
  const navigate = useNavigate();
  const { isOver, status } = useRunPage((page) => page.model) ?? model;
  const items: MenuItem[] = [];
  if (path !== undefined) {
    const edit = () => void navigate({ to: "/w/$path", params: { path } });
    items.push({ label: "Run again from the start", icon: <Play />, onSelect: () => again.mutate() });
    items.push({ label: "Open in the editor", icon: <Pencil />, onSelect: edit });
  }
  if (selected !== undefined && isOver)
    items.push({ label: `Retry from ${selected}`, icon: <RotateCcw />, onSelect: () => retry.mutate(selected) });
  const main = { className: "lg:flex-1", kind: "primary" } as const;
  return (
    <Doing>
      {!isOver && (
        <Button
          className="lg:flex-1"
          icon={<Square />}
          shortcut="."
          busy={cancel.isPending || status === "cancelling"}
          onClick={() => cancel.mutate()}
        >
          <span className="max-sm:sr-only">Cancel</span>
        </Button>
      )}
      {isOver && status !== "succeeded" && (
        <Button {...main} icon={<RotateCcw />} busy={retry.isPending} onClick={() => retry.mutate(undefined)}>
          Retry
        </Button>
      )}
      {isOver && status === "succeeded" && !isElsewhere && (
        <Button {...main} icon={<Play />} busy={again.isPending || path === undefined} onClick={() => again.mutate()}>
          Run again
        </Button>
      )}
      {items.length > 0 && (
        <Menu
          label="More"
          items={items}
          trigger={<Button kind="quiet" aria-label="More that can be done with this run" icon={<ChevronDown />} />}
        />
      )}
    </Doing>
  );
}
