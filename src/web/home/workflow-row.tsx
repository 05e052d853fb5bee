// WorkflowRow: a workflow on the home screen: star, name, file, last runs, last result, next start, and actions.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleAlert, Clock3, FileWarning, Play, Star, Webhook } from "lucide-react";
import { memo } from "react";
import type { WorkflowItem } from "../../api/shapes.ts";
import { visibleLine } from "../../base/visible.ts";
import { useStartRun } from "../app/start-run.tsx";
import { approvalsQuery } from "../client/queries.ts";
import { dayTime } from "../runs/periods.ts";
import { Ago } from "../ui/ago.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { useNow } from "../ui/now.ts";
import { RunLink } from "../ui/run-link.tsx";
import { StateIcon } from "../ui/state-icon.tsx";
import { whyFailed } from "../ui/why-failed.ts";
import { count, duration, exactTime } from "../ui/words.ts";
import { RowMenu } from "./row-menu.tsx";
import { setStar } from "./stars.ts";
import { Strip } from "./strip.tsx";

export const COLUMNS = "grid items-center gap-x-5 lg:grid-cols-[minmax(0,5fr)_180px_minmax(0,4fr)_124px_72px]";

/** A link above the link of the whole row. */
const FACT = "relative z-10 inline-flex max-w-full items-center gap-1.5 hover:underline";

/** Renders again only on changes: TanStack Query keeps the object if the data is the same. */
export const WorkflowRow = memo(function WorkflowRow({ item, starred }: { item: WorkflowItem; starred: boolean }) {
  const start = useStartRun();
  const { path, name, description } = item;
  return (
    <li
      className={`${COLUMNS} relative min-h-16 gap-y-1 border-b border-line px-4 py-3 last:border-0 hover:bg-hover/50 max-lg:grid-cols-[minmax(0,1fr)_auto]`}
    >
      <div className="flex min-w-0 items-start gap-1.5">
        <IconButton
          size="small"
          label={`Star ${name}`}
          pressed={starred}
          icon={<Star size={15} className={starred ? "fill-waiting text-waiting" : ""} />}
          onClick={() => setStar(path, !starred)}
          className="relative z-10"
        />
        <div className="min-w-0 flex-1">
          <Link
            to="/w/$path"
            params={{ path }}
            className="block truncate font-semibold after:absolute after:inset-0 hover:text-accent"
            title={description === undefined ? undefined : visibleLine(description)}
          >
            {name}
          </Link>
          <span className="block truncate font-mono text-xs text-muted">{visibleLine(path)}</span>
        </div>
      </div>
      <div className="relative z-10 w-fit max-lg:col-start-1 max-lg:row-start-3">
        <Strip runs={item.recent} />
      </div>
      <Result item={item} />
      <div className="text-sm text-muted max-lg:col-span-2">
        <Next item={item} />
      </div>
      <div className="relative z-10 flex justify-end gap-1 max-lg:row-start-1 max-lg:col-start-2">
        <IconButton
          label={`Run ${name}`}
          icon={<Play size={15} />}
          disabled={item.errors > 0}
          onClick={() => start(item)}
        />
        <RowMenu item={item} starred={starred} />
      </div>
    </li>
  );
});

/** Problems first, then what runs or waits, then the end of the last run. */
function Result({ item }: { item: WorkflowItem }) {
  const last = item.recent.at(-1);
  const isOpen = item.waiting > 0 || item.running > 0 || item.stuck > 0;
  return (
    <div className="flex min-w-0 flex-col gap-0.5 text-sm text-muted max-lg:col-span-2">
      {item.errors > 0 && (
        <span className="inline-flex items-center gap-1.5 text-failed">
          <CircleAlert />
          {count(item.errors, "error")} in the file
        </span>
      )}
      {item.inert && (
        <span className="inline-flex items-center gap-1.5 text-waiting">
          <FileWarning />
          imported, not reviewed
        </span>
      )}
      {item.stuck > 0 && (
        <Link to="/runs" search={{ workflow: item.path, status: "running,waiting" }} className={`${FACT} text-failed`}>
          <CircleAlert />
          {count(item.stuck, "run")} can't continue
        </Link>
      )}
      {item.waiting > 0 && <Waiting path={item.path} />}
      {item.running > 0 && (
        <Link to="/runs" search={{ workflow: item.path, status: "running" }} className={FACT}>
          <StateIcon status="running" bare={item.running > 1 ? "silent" : false} />
          {item.running > 1 && <span className="text-running"> {item.running} running</span>}
        </Link>
      )}
      {last !== undefined && (!isOpen || last.failure !== undefined) && <LastEnd last={last} />}
    </div>
  );
}

/** A failed run shows the title of the node and the reason, other runs their state. */
function LastEnd({ last: { id, status, startedAt, durationMs, failure } }: { last: WorkflowItem["recent"][number] }) {
  const { where, why, full } = whyFailed(failure);
  return (
    <RunLink id={id} node={failure?.path} className="relative z-10 block w-fit max-w-full hover:underline">
      <span className="flex max-w-full items-center gap-1.5">
        <StateIcon status={status} bare={where !== undefined} />
        {where && <span className="min-w-0 truncate font-medium text-failed">{where}</span>}
        <span className="shrink-0 whitespace-nowrap">
          <Ago at={startedAt} />
          {where === undefined && durationMs !== undefined && ` · ${duration(durationMs)}`}
        </span>
      </span>
      {failure && (
        <span className="block truncate max-lg:line-clamp-2 max-lg:whitespace-normal" title={full}>
          {why}
        </span>
      )}
    </RunLink>
  );
}

function Next({ item: { nextAt, path, triggers } }: { item: WorkflowItem }) {
  const now = useNow(1000);
  const others = triggers.filter((kind) => kind !== "schedule").join(", ");
  if (nextAt === undefined)
    return others === "" ? null : (
      <Link to="/triggers" search={{ text: path }} className={FACT}>
        <Webhook />
        {others}
      </Link>
    );
  const left = Date.parse(nextAt) - now;
  const words = left < 1000 ? "due now" : left < 3_600_000 ? `in ${minutes(left)}` : dayTime(nextAt, now);
  return (
    <Link to="/triggers" search={{ text: path }} className={FACT} title={exactTime(nextAt)}>
      <Clock3 />
      {words}
    </Link>
  );
}

/** Seconds only in the last minute. */
function minutes(ms: number): string {
  return ms < 60_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
}

/** Waits for approval, a time, a rate or a line. */
function Waiting({ path }: { path: string }) {
  const { data: asks } = useQuery({
    ...approvalsQuery,
    select: (items) => items.some(({ workflowPath }) => workflowPath === path),
  });
  const there = asks === false ? { to: "/runs", search: { workflow: path, status: "waiting" } } : { to: "/inbox" };
  return (
    <Link {...there} className={FACT}>
      <StateIcon status="waiting" waitingFor={asks === false ? "something" : undefined} />
    </Link>
  );
}
