// FailureSteps: from one failure of a run to the next, in whatever node and pass it is: by two buttons and two keys.

import { ChevronDown, ChevronUp } from "lucide-react";
import { useActions } from "../app/actions.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { say } from "../ui/toast.tsx";
import { count } from "../ui/words.ts";
import { passText } from "./paths.ts";
import { failureFrom, failuresOf } from "./problems.ts";
import { useShownRun } from "./run-store.ts";

export interface FailureStepping {
  /** From 0; -1: something else is shown. */
  at: number;
  all: number;
  step: (by: 1 | -1) => void;
}

export function useFailureSteps(path: string | undefined, onSelect: (path: string) => void): FailureStepping {
  const { model } = useShownRun();
  const failures = failuresOf(model);
  const step = (by: 1 | -1): void => {
    const next = failureFrom(failures, path, by);
    if (next === undefined) return;
    onSelect(next);
    const title = model.node(next)?.title ?? next;
    const pass = passText(next);
    say(`Failure ${failures.indexOf(next) + 1} of ${failures.length}: ${title}${pass === "" ? "" : `, ${pass}`}`);
  };
  const none = failures.length === 0;
  useActions("Run", [
    { id: "run.failure", title: "Next failure", keys: "F", held: true, disabled: none, run: () => step(1) },
    {
      id: "run.failure-before",
      title: "Failure before",
      keys: "Shift+F",
      held: true,
      disabled: none,
      run: () => step(-1),
    },
  ]);
  return { at: path === undefined ? -1 : failures.indexOf(path), all: failures.length, step };
}

/** Nothing where there is nothing to go to. */
export function FailureSteps({ steps: { at, all, step } }: { steps: FailureStepping }) {
  if (all === 0 || (all === 1 && at === 0)) return null;
  return (
    // Clear of the button that hides the panel.
    <nav aria-label="Failures" className="flex h-12 items-center gap-1 border-b border-line pr-11 pl-4">
      <span className="mr-auto text-failed tabular-nums">
        {at < 0 ? `${count(all, "failure")} in this run` : `Failure ${at + 1} of ${all}`}
      </span>
      <IconButton
        size="small"
        label="Failure before"
        shortcut="Shift+F"
        icon={<ChevronUp size={14} />}
        onClick={() => step(-1)}
      />
      <IconButton
        size="small"
        label="Next failure"
        shortcut="F"
        icon={<ChevronDown size={14} />}
        onClick={() => step(1)}
      />
    </nav>
  );
}
