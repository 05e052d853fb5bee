// EditorBar: the workflow's name and file, the choice of views, the number of problems, and Run (spec ui.md 6.1).

import { ListTree, Play, TriangleAlert } from "lucide-react";
import { visibleLine } from "../../base/visible.ts";
import { Doing, TopBar } from "../app/top-bar.tsx";
import { ViewSwitch } from "../app/view-switch.tsx";
import { Button } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { count } from "../ui/words.ts";
import { toggleDock, toggleOutline } from "./actions.ts";
import type { Bench } from "./bench.ts";

export function EditorBar({ bench }: { bench: Bench }) {
  const { state, view, found, errors, frame, hasCanvas } = bench;
  const name = (state.doc.parsed.draft ?? state.readable.parsed.draft)?.workflow.name;
  return (
    <TopBar
      title={visibleLine(name ?? state.path)}
      facts={
        <>
          <code className="truncate max-md:hidden">{visibleLine(state.path)}</code>
          {found.list.length > 0 && (
            <button
              type="button"
              onClick={() => toggleDock(bench)}
              className={classes(
                "inline-flex h-6 shrink-0 items-center gap-1.5 rounded-md px-2 hover:bg-hover",
                errors > 0 ? "text-failed" : "text-waiting",
              )}
            >
              <TriangleAlert size={14} aria-hidden="true" />
              {errors > 0 ? count(errors, "error") : count(found.list.length, "warning")}
            </button>
          )}
        </>
      }
      actions={
        <>
          <IconButton
            label="Outline"
            shortcut="O"
            pressed={hasCanvas ? frame.outline : view === "design"}
            icon={<ListTree size={16} aria-hidden="true" />}
            onClick={() => toggleOutline(bench)}
          />
          <ViewSwitch view={view} onView={bench.show} />
          <Doing>
            <Button
              className="lg:flex-1"
              kind="primary"
              icon={<Play size={14} aria-hidden="true" />}
              onClick={bench.run}
            >
              Run
            </Button>
          </Doing>
        </>
      }
    />
  );
}
