// RunRow: one run in the table: state, workflow, kind of start, time, duration and id. Its fixed height keeps the table fast.

import { Link } from "@tanstack/react-router";
import { Ellipsis } from "lucide-react";
import type { RunItem } from "../../api/shapes.ts";
import { shortRunId } from "../../base/ids.ts";
import { visibleLine } from "../../base/visible.ts";
import { useWaitingFor } from "../client/queries.ts";
import { Ago } from "../ui/ago.tsx";
import { classes } from "../ui/classes.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { Menu, type MenuItem } from "../ui/menu.tsx";
import { LOOKS, styleOfState } from "../ui/state.ts";
import { StateIcon } from "../ui/state-icon.tsx";
import { whyFailed } from "../ui/why-failed.ts";
import { duration } from "../ui/words.ts";

import { KINDS } from "./filters.ts";
import { dayTime } from "./periods.ts";

export const ROW_PX = 48;
export const COLUMNS =
  "grid grid-cols-[36px_minmax(0,1fr)_auto_40px] lg:grid-cols-[36px_148px_minmax(0,1fr)_112px_136px_108px_88px_40px] items-center";

export interface RunRowProps {
  run: RunItem;
  now: number;
  current: boolean;
  selected: boolean;
  onSelect: (selected: boolean) => void;
  onPoint: () => void;
  menu: readonly (MenuItem | "-")[];
}

export function RunRow({ run, now, current, selected, onSelect, onPoint, menu }: RunRowProps) {
  const waitingFor = useWaitingFor()(run);
  const state = { status: run.status, waitingFor };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: j, k and Enter do it.
    <div
      role="row"
      id={`run-${run.id}`}
      aria-selected={selected}
      data-current={current || undefined}
      onClick={onPoint}
      className={classes(
        COLUMNS,
        "h-full border-b border-line px-1 hover:bg-hover/60",
        selected && "bg-selected",
        current && "shadow-[inset_2px_0_0_var(--accent)]",
      )}
    >
      <Box run={run} selected={selected} onSelect={onSelect} />
      <div role="gridcell" className="max-lg:hidden">
        <StateIcon {...state} />
      </div>
      <div role="gridcell" className="min-w-0 pr-4">
        <div className="flex items-center gap-2">
          <StateIcon {...state} bare className="lg:hidden" />
          <Link
            to="/runs/$id"
            params={{ id: run.id }}
            tabIndex={-1}
            className="min-w-0 truncate font-medium hover:text-accent"
          >
            {run.workflow}
          </Link>
        </div>
        <Where run={run} />
      </div>
      <div role="gridcell" className="truncate text-muted max-lg:hidden">
        {KINDS[run.kind]}
      </div>
      <div role="gridcell" className="text-muted max-lg:hidden">
        <Ago at={run.startedAt} />
        <div className="text-xs">{dayTime(run.startedAt, now)}</div>
      </div>
      <Took run={run} now={now} text={LOOKS[styleOfState(run.status, waitingFor)].text} />
      <div role="gridcell" className="truncate font-mono text-xs text-muted max-lg:hidden">
        {shortRunId(run.id)}
      </div>
      <div role="gridcell" className="flex justify-center">
        <Menu
          label={`More for ${run.workflow}`}
          items={menu}
          trigger={
            <IconButton
              size="small"
              tabIndex={-1}
              label={`More for ${run.workflow} ${shortRunId(run.id)}`}
              icon={<Ellipsis size={15} />}
            />
          }
        />
      </div>
    </div>
  );
}

function Box({ run, selected, onSelect }: Pick<RunRowProps, "run" | "selected" | "onSelect">) {
  return (
    <div role="gridcell" className="flex justify-center">
      {/* The clickable area is larger than the box. */}
      <label className="inline-flex size-6 items-center justify-center">
        <input
          type="checkbox"
          aria-label={`Select ${run.workflow} ${run.id}`}
          checked={selected}
          tabIndex={-1}
          onChange={(event) => onSelect(event.target.checked)}
          className="size-4 accent-accent"
        />
      </label>
    </div>
  );
}

/** The file, and why the run failed or cannot continue. */
function Where({ run: { stuck, failure, path, file, machine } }: { run: RunItem }) {
  if (stuck !== undefined)
    return (
      <div className="truncate text-xs text-failed" title={visibleLine(`${stuck.message} ${stuck.hint ?? ""}`)}>
        can't continue: {visibleLine(stuck.message)}
      </div>
    );
  const { where, why, full } = whyFailed(failure);
  return (
    <div className="flex min-w-0 gap-2 text-xs" title={full}>
      <span className={classes("truncate font-mono text-muted", failure && "shrink-0 max-w-2/5 max-lg:hidden")}>
        {visibleLine(path ?? file)}
      </span>
      {machine !== undefined && <span className="truncate text-muted">on {visibleLine(machine)}</span>}
      {failure && <span className="truncate text-failed">{`${where}: ${why}`}</span>}
    </div>
  );
}

function Took({ run, now, text }: { run: RunItem; now: number; text: string }) {
  const running = run.endedAt === undefined;
  const took = run.durationMs ?? now - Date.parse(run.startedAt);
  return (
    <div role="gridcell" className="text-right whitespace-nowrap lg:pr-6">
      <span className={`tabular-nums ${running ? text : ""}`}>{duration(running ? Math.max(took, 1000) : took)}</span>
      <div className="text-xs text-muted lg:hidden">
        <Ago at={run.startedAt} />
      </div>
    </div>
  );
}
