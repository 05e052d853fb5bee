// RunRow: one run in the table: state, workflow, trigger, time, duration and id. Its fixed height keeps the table fast.

import { Link } from "@tanstack/react-router";
import { Ellipsis } from "lucide-react";
import type { RunItem } from "../../api/shapes.ts";
import { shortRunId } from "../../base/ids.ts";
import { visibleLine } from "../../base/visible.ts";
import { useWaitingFor } from "../client/queries.ts";
import { classes } from "../ui/classes.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { Menu, type MenuItem } from "../ui/menu.tsx";
import { LOOKS, lookOf } from "../ui/state.ts";
import { StateIcon } from "../ui/state-icon.tsx";
import { WhyFailed } from "../ui/why-failed.tsx";
import { ago, duration } from "../ui/words.ts";

export const ROW_PX = 48;
export const COLUMNS =
  "grid grid-cols-[36px_minmax(0,1fr)_auto_40px] lg:grid-cols-[36px_148px_minmax(0,1fr)_96px_104px_116px_88px_40px] items-center";

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
  const took = run.durationMs ?? now - Date.parse(run.startedAt);
  const running = run.endedAt === undefined;
  const waitingFor = useWaitingFor()(run);
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
      <div role="gridcell" className="max-lg:hidden">
        <StateIcon status={run.status} waitingFor={waitingFor} />
      </div>
      <div role="gridcell" className="min-w-0 pr-4">
        <div className="flex items-center gap-2">
          <StateIcon status={run.status} waitingFor={waitingFor} bare className="lg:hidden" />
          <Link
            to="/runs/$id"
            params={{ id: run.id }}
            tabIndex={-1}
            className="min-w-0 truncate font-medium hover:text-accent"
          >
            {run.workflow}
          </Link>
        </div>
        {run.stuck === undefined ? (
          <div className="flex min-w-0 gap-2 text-xs">
            <span
              className={classes("truncate font-mono text-muted", run.failure && "shrink-0 max-w-1/2 max-lg:hidden")}
            >
              {visibleLine(run.path ?? run.file)}
            </span>
            {run.failure && <WhyFailed failure={run.failure} />}
          </div>
        ) : (
          <div
            className="truncate text-xs text-failed"
            title={visibleLine(`${run.stuck.message} ${run.stuck.hint ?? ""}`)}
          >
            can't continue: {visibleLine(run.stuck.message)}
          </div>
        )}
      </div>
      <div role="gridcell" className="truncate text-muted max-lg:hidden">
        {run.trigger.kind}
      </div>
      <div role="gridcell" className="text-muted max-lg:hidden">
        <time dateTime={run.startedAt} title={new Date(run.startedAt).toLocaleString()}>
          {ago(run.startedAt, now)}
        </time>
      </div>
      <div role="gridcell" className="text-right whitespace-nowrap lg:pr-6">
        <span className={classes("tabular-nums", running && LOOKS[lookOf(run.status, waitingFor)].text)}>
          {duration(running ? Math.max(took, 1000) : took)}
        </span>
        <div className="text-xs text-muted lg:hidden">{ago(run.startedAt, now)}</div>
      </div>
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
