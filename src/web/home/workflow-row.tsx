// WorkflowRow: a workflow on the home screen: name, file, last runs, active and waiting runs, and next start.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleAlert, Clock3, FileWarning, Play, Webhook } from "lucide-react";
import { memo } from "react";
import type { WorkflowItem } from "../../api/shapes.ts";
import { visibleLine } from "../../base/visible.ts";
import { useStartRun } from "../app/start-run.tsx";
import { approvalsQuery } from "../client/queries.ts";
import { Ago } from "../ui/ago.tsx";
import { classes } from "../ui/classes.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { useNow } from "../ui/now.ts";
import { RunLink } from "../ui/run-link.tsx";
import { lookOf } from "../ui/state.ts";
import { StateIcon } from "../ui/state-icon.tsx";
import { WhyFailed } from "../ui/why-failed.tsx";
import { count, duration } from "../ui/words.ts";
import { Strip } from "./strip.tsx";

/** A link above the link of the whole row. */
const FACT = "relative z-10 inline-flex items-center gap-1.5 hover:underline";

/** Renders again only on changes: TanStack Query keeps the object if the data is the same. */
export const WorkflowRow = memo(function WorkflowRow({ item }: { item: WorkflowItem }) {
  const start = useStartRun();
  const last = item.recent.at(-1);
  return (
    <li className="relative grid min-h-16 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-5 gap-y-1 border-b border-line px-4 py-3 last:border-0 hover:bg-hover/50 md:grid-cols-[minmax(0,1fr)_180px_168px_32px]">
      <div className="min-w-0">
        <Link
          to="/w/$path"
          params={{ path: item.path }}
          className="block truncate font-semibold after:absolute after:inset-0 hover:text-accent"
        >
          {item.name}
        </Link>
        <div className="flex items-center gap-2 truncate text-sm text-muted max-md:flex-col max-md:items-start max-md:gap-0">
          <span className={classes("max-w-full shrink-0 truncate font-mono text-xs", last?.failure && "md:max-w-1/3")}>
            {visibleLine(item.path)}
          </span>
          {last?.failure !== undefined ? (
            <RunLink id={last.id} node={last.failure.path} className={`${FACT} min-w-0`}>
              <WhyFailed failure={last.failure} wraps />
            </RunLink>
          ) : (
            item.description !== undefined && (
              <span className="truncate max-md:hidden">{visibleLine(item.description)}</span>
            )
          )}
        </div>
      </div>
      <Now item={item} />
      <div className="relative z-10 w-fit max-md:col-start-1">
        <Strip runs={item.recent} />
      </div>
      <IconButton
        label={`Run ${item.name}`}
        icon={<Play size={15} />}
        disabled={item.errors > 0}
        onClick={() => start(item)}
        className="relative z-10 max-md:row-start-1 max-md:col-start-2"
      />
    </li>
  );
});

function Now({ item }: { item: WorkflowItem }) {
  const last = item.recent.at(-1);
  return (
    <div className="flex flex-col gap-0.5 text-sm text-muted max-md:col-span-2 max-md:flex-row max-md:flex-wrap max-md:gap-3">
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
      {last !== undefined && lookOf(last.status) === "failed" && (
        <RunLink id={last.id} className={`${FACT} w-fit`}>
          <StateIcon status={last.status} /> <Ago at={last.startedAt} />
        </RunLink>
      )}
      {item.waiting > 0 && <Waiting path={item.path} />}
      {item.running > 0 && (
        <Link to="/runs" search={{ workflow: item.path, status: "running" }} className={FACT}>
          <StateIcon status="running" bare={item.running > 1} />
          {item.running > 1 && <span className="text-running"> {item.running} running</span>}
        </Link>
      )}
      {item.nextAt !== undefined && <Next at={item.nextAt} path={item.path} />}
      {item.nextAt === undefined && item.triggers.some((kind) => kind !== "schedule") && (
        <Link to="/triggers" search={{ text: item.path }} className={FACT}>
          <Webhook />
          {item.triggers.filter((kind) => kind !== "schedule").join(", ")}
        </Link>
      )}
    </div>
  );
}

function Next({ at, path }: { at: string; path: string }) {
  const now = useNow(1000);
  const left = Date.parse(at) - now;
  return (
    <Link to="/triggers" search={{ text: path }} className={FACT} title={new Date(at).toLocaleString()}>
      <Clock3 />
      {left < 1000 ? "due now" : `in ${duration(Math.max(1000, left)).replace(/\.\d s$/, " s")}`}
    </Link>
  );
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
