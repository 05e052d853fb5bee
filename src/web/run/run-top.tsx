// RunTop: the top bar of a run: its state, duration, progress and actions (spec ui 6.1).

import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ChevronDown, GitCompareArrows, ListTree, Pencil, Play, RotateCcw, Square } from "lucide-react";
import { shortRunId } from "../../base/ids.ts";
import { visibleLine } from "../../base/visible.ts";
import { startKindOf } from "../../scheduler/start-kind.ts";
import { useActions } from "../app/actions.ts";
import { Doing, TopBar } from "../app/top-bar.tsx";
import { ViewSwitch, type WorkflowView } from "../app/view-switch.tsx";
import { serverQuery, standingQuery } from "../client/queries.ts";
import { useCompareWith } from "../compare/ways.tsx";
import { KINDS } from "../runs/filters.ts";
import { Button } from "../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Menu, type MenuItem } from "../ui/menu.tsx";
import { styleOfState } from "../ui/state.ts";
import { StateIcon } from "../ui/state-icon.tsx";
import { clock, duration, elapsed } from "../ui/words.ts";
import { RetryButton } from "./retry-button.tsx";
import { useRunPage, useShownRun } from "./run-store.ts";
import { useRunActions } from "./use-actions.ts";

interface RunTopProps {
  selected: string | undefined;
  /** Absent: the file is outside the served folder. */
  onView: ((view: WorkflowView) => void) | undefined;
  /** Absent without a canvas. */
  outline: { on: boolean; toggle: () => void } | undefined;
}

export function RunTop({ selected, onView, outline }: RunTopProps) {
  const { model } = useShownRun();
  return (
    <TopBar
      title={model.started.workflow.name}
      facts={<Facts />}
      actions={
        <>
          {outline && (
            <IconButton
              {...{ label: "Outline", shortcut: "O", pressed: outline.on, onClick: outline.toggle }}
              icon={<ListTree size={16} />}
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
  const kind = startKindOf(model.started);
  const { waitingFor, isOver } = model;
  const isQueued = useStanding(run, !model.hasBegun)?.status === "queued";
  const status = isQueued ? "queued" : model.status;
  const tookMs = elapsed({ startedAt: at, endedAt: model.endedAt }, nowMs);
  const { settled, all } = model.progress();
  return (
    <>
      <span className="truncate font-mono text-sm @max-[36rem]:hidden" title={visibleLine(workflow.file)}>
        {visibleLine(path ?? (isElsewhere ? workflow.file : ""))}
      </span>
      <span className="shrink-0">
        <Chip look={styleOfState(status, waitingFor)}>
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
      <span className="truncate @max-[26rem]:hidden">
        {kind === "retry" && trigger.by !== undefined ? trigger.by : KINDS[kind]}
        {trigger.by === undefined || trigger.kind === "api" || trigger.kind === "cli" ? "" : ` (${trigger.by})`}
      </span>
      <MachineName run={run} isOver={isOver} />
    </>
  );
}

function MachineName({ run, isOver }: { run: string; isOver: boolean }) {
  const machine = useStanding(run, !isOver)?.machine;
  if (machine === undefined) return null;
  return <span className="truncate font-mono text-sm @max-[32rem]:hidden">on {visibleLine(machine)}</span>;
}

/** On a cluster. */
function useStanding(run: string, isAsked: boolean) {
  const isCluster = useQuery(serverQuery).data?.cluster === true;
  const { data } = useQuery({ ...standingQuery(run), enabled: isCluster && isAsked });
  return isAsked ? data : undefined;
}

const COMPARE = "Compare with the current file";

/** They apply to the run as it is now, not to the moment being viewed. */
function RunButtons({ selected }: Pick<RunTopProps, "selected">) {
  const { model } = useShownRun();
  const { isOver, status } = useRunPage((page) => page.model) ?? model;
  const actions = useRunActions(model, { isOver });
  const { cancel, retry, again, current, path, isElsewhere, differs } = actions;
  const compareWith = useCompareWith(path ?? "");
  const navigate = useNavigate();
  const isRetry = isOver && status !== "succeeded";
  const compare = () => compareWith(`run:${model.started.run}`);
  const canCompare = path !== undefined && differs;
  const rerun = { keys: "R", words: "start execute run it", disabled: !isOver || path === undefined, run: again };
  const retryIt = { disabled: !isRetry, run: () => retry.isPending || retry.mutate({ current }) };
  useActions("Run", [
    { id: "run.cancel", title: "Cancel the run", keys: ".", disabled: isOver, run: () => cancel.mutate() },
    { id: "run.again", title: "Run this workflow again", ...rerun },
    { id: "run.compare", title: COMPARE, words: "diff changes version", disabled: !canCompare, run: compare },
    { id: "run.retry", title: "Retry from the failure", keys: "Shift+R", words: "run again resume", ...retryIt },
  ]);
  const items: MenuItem[] = [];
  if (selected !== undefined && isOver) {
    const label = `Retry from ${model.node(selected)?.title ?? selected}`;
    items.push({ label, icon: <RotateCcw />, onSelect: () => retry.mutate({ from: selected, current }) });
  }
  if (path !== undefined && isRetry) items.push({ label: "Run again from the start", icon: <Play />, onSelect: again });
  if (path !== undefined) {
    const edit = () => void navigate({ to: "/w/$path", params: { path }, search: { run: model.started.run } });
    items.push({ label: "Open in the editor", icon: <Pencil />, onSelect: edit });
  }
  if (canCompare) items.push({ label: COMPARE, icon: <GitCompareArrows />, onSelect: compare });
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
      {isRetry && (
        <RetryButton
          actions={actions}
          kind="primary"
          shortcut="Shift+R"
          more={items}
          className="lg:flex-1 max-xl:[&_kbd]:hidden"
        />
      )}
      {isOver && status === "succeeded" && !isElsewhere && (
        <Button
          className="lg:flex-1"
          kind="primary"
          icon={<Play />}
          busy={retry.isPending || path === undefined}
          onClick={again}
        >
          Run again
        </Button>
      )}
      {items.length > 0 && !isRetry && (
        <Menu
          label="More"
          items={items}
          trigger={<Button kind="quiet" aria-label="More that can be done with this run" icon={<ChevronDown />} />}
        />
      )}
    </Doing>
  );
}
