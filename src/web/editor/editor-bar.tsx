// EditorBar: the workflow's name and file, the choice of views, the number of problems, and Run (spec ui.md 6.1).

import { ListTree, Play, TriangleAlert } from "lucide-react";
import { memo } from "react";
import { visibleLine } from "../../base/visible.ts";
import type { EditorView } from "../app/search.ts";
import { Doing, TopBar } from "../app/top-bar.tsx";
import { ViewSwitch, type WorkflowView } from "../app/view-switch.tsx";
import { Button } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { count } from "../ui/words.ts";

export interface EditorBarProps {
  title: string;
  path: string;
  view: EditorView;
  errors: number;
  warnings: number;
  outline: boolean;
  onOutline: () => void;
  onView: (view: WorkflowView) => void;
  onProblems: () => void;
  onRun: () => void;
}

export const EditorBar = memo(function EditorBar(props: EditorBarProps) {
  const { title, path, view, errors, warnings, outline, onOutline, onView, onProblems, onRun } = props;
  return (
    <TopBar
      title={title}
      facts={
        <>
          <code className="truncate max-md:hidden">{visibleLine(path)}</code>
          {errors + warnings > 0 && (
            <button
              type="button"
              onClick={onProblems}
              className={classes(
                "inline-flex h-6 shrink-0 items-center gap-1.5 rounded-md px-2 hover:bg-hover",
                errors > 0 ? "text-failed" : "text-waiting",
              )}
            >
              <TriangleAlert size={14} aria-hidden="true" />
              {errors > 0 ? count(errors, "error") : count(warnings, "warning")}
            </button>
          )}
        </>
      }
      actions={
        <>
          <IconButton
            label="Outline"
            shortcut="O"
            pressed={outline}
            icon={<ListTree size={16} aria-hidden="true" />}
            onClick={onOutline}
          />
          <ViewSwitch view={view} onView={onView} />
          <Doing>
            <Button className="lg:flex-1" kind="primary" icon={<Play size={14} aria-hidden="true" />} onClick={onRun}>
              Run
            </Button>
          </Doing>
        </>
      }
    />
  );
});
