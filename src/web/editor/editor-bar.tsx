// EditorBar: the workflow's name and file, the choice of views, the number of problems, and Run (spec ui.md 6.1).

import { ChevronDown, ListTree, Play, Square, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { visibleLine } from "../../base/visible.ts";
import { Doing, TopBar } from "../app/top-bar.tsx";
import { ViewSwitch } from "../app/view-switch.tsx";
import { CompareMenu } from "../compare/ways.tsx";
import { Button } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { inputClass } from "../ui/field.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Menu } from "../ui/menu.tsx";
import { count } from "../ui/words.ts";
import { toggleOutline, toggleProblems } from "./actions.ts";
import type { Bench } from "./bench.ts";
import { RunChip, useCancel, useRunOver } from "./run-over.tsx";
import { isUnsaved } from "./session.ts";

/** The workflow's name. A press turns it into a field. */
function Name({ name, onName }: { name: string; onName: (name: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  if (!isOpen)
    return (
      <button
        type="button"
        title="Rename the workflow"
        className="max-w-full cursor-text truncate rounded-md px-1 align-bottom hover:bg-hover"
        onClick={() => setOpen(true)}
      >
        {visibleLine(name)}
      </button>
    );
  return (
    <input
      aria-label="Name of the workflow"
      // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that was pressed.
      autoFocus
      defaultValue={name}
      spellCheck={false}
      className={classes(inputClass, "h-8 w-64 max-w-full px-1")}
      onFocus={(event) => event.target.select()}
      onBlur={({ target }) => {
        const typed = target.value.trim();
        setOpen(false);
        if (typed !== "" && typed !== name) onName(typed);
      }}
      onKeyDown={({ key, currentTarget }) => {
        if (key === "Escape") currentTarget.value = name;
        if (key === "Enter" || key === "Escape") currentTarget.blur();
      }}
    />
  );
}

export function EditorBar({ bench }: { bench: Bench }) {
  const { state, view, found, errors, frame, hasCanvas } = bench;
  const name = (state.doc.parsed.draft ?? state.readable.parsed.draft)?.workflow.name;
  const [amount, word] = (errors > 0 ? count(errors, "error") : count(found.list.length, "warning")).split(" ");
  return (
    <TopBar
      title={visibleLine(name ?? state.path)}
      heading={<Name name={name ?? state.path} onName={bench.rename} />}
      facts={
        <>
          <code className="truncate @max-[14rem]:hidden">{visibleLine(state.path)}</code>
          {found.list.length > 0 && (
            <button
              type="button"
              onClick={() => toggleProblems(bench)}
              className={classes(
                "inline-flex h-6 shrink-0 items-center gap-1.5 rounded-md px-2 hover:bg-hover",
                errors > 0 ? "text-failed" : "text-waiting",
              )}
            >
              <TriangleAlert size={14} aria-hidden="true" />
              <span>
                {amount}
                <span className="@max-[6rem]:sr-only"> {word}</span>
              </span>
            </button>
          )}
          <RunChip bench={bench} />
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
          <CompareMenu path={state.path} run={bench.runId} isUnsaved={isUnsaved(state)} />
          <ViewSwitch view={view} onView={bench.show} />
          <RunButtons bench={bench} />
        </>
      }
    />
  );
}

/** Once a run is shown, cancelling it or retrying it comes first. */
function RunButtons({ bench }: { bench: Bench }) {
  const { model } = useRunOver(bench);
  const cancel = useCancel(bench);
  const isActive = model !== undefined && !model.isOver;
  const kind = isActive || model?.failure !== undefined ? "plain" : "primary";
  const hasInputs = Object.keys(bench.state.readable.parsed.draft?.workflow.inputs ?? {}).length > 0;
  return (
    <Doing>
      {isActive && (
        <Button
          icon={<Square size={14} aria-hidden="true" />}
          busy={cancel.isPending || model.status === "cancelling"}
          onClick={() => cancel.mutate()}
        >
          Cancel
        </Button>
      )}
      <span className="inline-flex lg:flex-1">
        <Button
          className={classes("flex-1", hasInputs && "rounded-r-none")}
          kind={kind}
          icon={<Play size={14} aria-hidden="true" />}
          onClick={bench.start}
        >
          Run
        </Button>
        {hasInputs && (
          <Menu
            label="Other ways to run"
            items={[{ label: "Run with inputs…", onSelect: bench.startWithInputs }]}
            trigger={
              <Button
                kind={kind}
                className={classes("-ml-px rounded-l-none px-1.5", kind === "primary" && "border-l-on-accent/40")}
                aria-label="Other ways to run"
                icon={<ChevronDown />}
              />
            }
          />
        )}
      </span>
    </Doing>
  );
}
