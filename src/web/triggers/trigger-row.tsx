// TriggerRow: one trigger with its workflow, its last start, and a button to pause it.

import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CirclePause, CirclePlay, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { TriggerItem } from "../../api/shapes.ts";
import { visibleLine } from "../../base/visible.ts";
import { Ago } from "../ui/ago.tsx";
import { Chip } from "../ui/chip.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { RunLink } from "../ui/run-link.tsx";
import { toast } from "../ui/toast.tsx";
import { pause } from "./queries.ts";

interface TriggerRowProps {
  item: Omit<TriggerItem, "fields">;
  title: ReactNode;
  /** The trigger's name, for the labels of its buttons. */
  called: string;
  facts?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}

export function TriggerRow({ item, title, called, facts, actions, children }: TriggerRowProps) {
  const { id, workflow, paused, problem } = item;
  const change = useMutation({
    mutationFn: () => pause(id, !paused),
    onSuccess: () => toast(`${paused ? "Resumed" : "Paused"}: ${called}`),
    onError: (error) => toast(error.message),
  });
  return (
    <li className="flex gap-3 border-b border-line px-4 py-3.5 last:border-0" data-trigger={id}>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <h3 className="min-w-0 font-semibold break-words">{title}</h3>
          {paused && <Chip look="skipped">paused</Chip>}
        </div>
        <div className="flex flex-wrap items-center gap-x-4 text-sm text-muted">
          <Link
            to="/w/$path"
            params={{ path: workflow }}
            className="min-h-6 content-center font-mono text-xs hover:text-accent hover:underline"
          >
            {visibleLine(workflow)}
          </Link>
          {facts}
        </div>
        {problem !== undefined && (
          <p className="mt-2 flex gap-2 text-waiting">
            <TriangleAlert size={15} className="mt-0.5 shrink-0" />
            <span className="min-w-0 break-words">{problem}</span>
          </p>
        )}
        {children}
      </div>
      <div className="flex items-start gap-1">
        {actions}
        <IconButton
          label={`${paused ? "Resume" : "Pause"} ${called}`}
          icon={paused ? <CirclePlay size={16} /> : <CirclePause size={16} />}
          busy={change.isPending}
          onClick={() => change.mutate()}
        />
      </div>
    </li>
  );
}

/** The run that a trigger started last, or why it did not start one. */
export function LastStart({ last }: Pick<TriggerItem, "last">) {
  if (last === undefined) return <span>not started yet</span>;
  return (
    <span>
      {last.run === undefined ? (
        "last skipped "
      ) : (
        <>
          last{" "}
          <RunLink id={last.run} className="underline decoration-edge underline-offset-2 hover:text-accent">
            started
          </RunLink>{" "}
        </>
      )}
      <Ago at={last.at} />
      {last.by && ` by ${visibleLine(last.by)}`}
      {last.skipped !== undefined && `: ${last.skipped}`}
    </span>
  );
}
