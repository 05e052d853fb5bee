// ViewSwitch: switches between the views of a workflow, including its runs (spec ui 6.1). The editor and the run view
// both use it.

import { classes } from "../ui/classes.ts";
import type { EditorView } from "./search.ts";

export type WorkflowView = EditorView | "run";

const VIEWS: [WorkflowView, string][] = [
  ["design", "Design"],
  ["run", "Run view"],
  ["source", "Source"],
  ["split", "Split"],
];

export function ViewSwitch({ view, onView }: { view: WorkflowView; onView: (view: WorkflowView) => void }) {
  return (
    <div role="group" aria-label="View" className="flex rounded-md border border-line p-0.5 max-sm:hidden">
      {VIEWS.map(([id, name]) => (
        <button
          key={id}
          type="button"
          aria-pressed={view === id}
          onClick={() => onView(id)}
          className={classes(
            "h-7 rounded px-2.5 whitespace-nowrap",
            view === id ? "bg-selected" : "text-muted hover:text-text",
            id === "split" && "max-[960px]:hidden",
          )}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
