// TriggerRow: the frame of one trigger: what it is, its workflow, what came of it last, and pausing it.

import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CirclePause, CirclePlay, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { visibleLine } from "../../base/visible.ts";
import { Chip } from "../ui/chip.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { toast } from "../ui/toast.tsx";
import { pause } from "./queries.ts";

export interface TriggerRowProps {
  id: string;
  /** In a few words: the first line. */
  title: ReactNode;
  /** For the names of its buttons. */
  called: string;
  workflow: string;
  paused: boolean;
  problem?: string | undefined;
  facts?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}

export function TriggerRow({
  id,
  title,
  called,
  workflow,
  paused,
  problem,
  facts,
  actions,
  children,
}: TriggerRowProps) {
  const change = useMutation({
    mutationFn: () => pause(id, !paused),
    onSuccess: () => toast(paused ? `${called} goes on` : `${called} is paused`),
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
            <TriangleAlert size={15} aria-hidden="true" className="mt-0.5 shrink-0" />
            <span className="min-w-0 break-words">{problem}</span>
          </p>
        )}
        {children}
      </div>
      <div className="flex items-start gap-1">
        {actions}
        <IconButton
          label={paused ? `Resume ${called}` : `Pause ${called}`}
          icon={paused ? <CirclePlay size={16} aria-hidden="true" /> : <CirclePause size={16} aria-hidden="true" />}
          busy={change.isPending}
          onClick={() => change.mutate()}
        />
      </div>
    </li>
  );
}
