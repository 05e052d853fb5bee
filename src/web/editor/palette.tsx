// NodePalette: the kinds of nodes to click or drag onto the canvas, and the undo and redo buttons.

import { type LucideIcon, Plus, Redo2, Undo2 } from "lucide-react";
import type { ComponentProps, Ref } from "react";
import { IconButton } from "../ui/icon-button.tsx";
import { Tooltip } from "../ui/tooltip.tsx";
import type { Bench } from "./bench.ts";
import { KINDS } from "./kinds.ts";
import { addKind, below } from "./moves.ts";

const TOOLS = KINDS.flatMap((kind) => (kind.tool === undefined ? [] : [{ ...kind, tool: kind.tool }]));

export const KIND_DRAG = "application/x-curlew-kind";

export function NodePalette({ bench, ref }: { bench: Bench; ref: Ref<HTMLDivElement> }) {
  return (
    <div
      ref={ref}
      className="pointer-events-none @container absolute inset-x-3 top-3 z-10 flex flex-wrap gap-2 *:pointer-events-auto"
    >
      <div
        role="toolbar"
        aria-label="Add a node"
        className="flex flex-wrap rounded-lg border border-line bg-panel p-0.5 shadow-sm"
      >
        <Tool
          label="Add"
          tip="Search for a node to add"
          shortcut="A"
          icon={Plus}
          onClick={(event) => bench.setBox({ kind: "add", screen: below(event.currentTarget), where: {} })}
        />
        {TOOLS.map((kind) => (
          <Tool
            key={kind.id}
            label={kind.tool}
            tip={`${kind.name}: ${kind.says.charAt(0).toLowerCase()}${kind.says.slice(1)}`}
            icon={kind.icon}
            draggable
            onDragStart={(event) => {
              event.dataTransfer.setData(KIND_DRAG, kind.id);
              event.dataTransfer.effectAllowed = "copy";
            }}
            onClick={() => addKind(bench, kind)}
          />
        ))}
      </div>
      <div
        role="toolbar"
        aria-label="Undo and redo"
        className="flex items-center self-start rounded-lg border border-line bg-panel p-0.5 shadow-sm @min-[40rem]:h-12.5"
      >
        <UndoButtons bench={bench} />
      </div>
    </div>
  );
}

interface ToolProps extends Omit<ComponentProps<"button">, "aria-label"> {
  label: string;
  /** Its name for screen readers, and the tooltip. */
  tip: string;
  shortcut?: string;
  icon: LucideIcon;
}

/** An icon with its label below it. Where the canvas is narrow, only the tooltip has the label. */
function Tool({ label, tip, shortcut, icon: Icon, ...rest }: ToolProps) {
  return (
    <Tooltip text={tip} shortcut={shortcut}>
      <button
        type="button"
        {...rest}
        aria-label={tip}
        className="flex size-8 flex-col items-center justify-center gap-0.5 rounded-md text-muted transition-colors duration-120 hover:bg-hover hover:text-text @min-[40rem]:h-11 @min-[40rem]:w-auto @min-[40rem]:min-w-12 @min-[40rem]:px-2"
      >
        <Icon size={16} aria-hidden="true" />
        <span className="hidden text-xs @min-[40rem]:inline">{label}</span>
      </button>
    </Tooltip>
  );
}

/** Undo and redo. Their labels name the change. */
export function UndoButtons({ bench: { state, operations } }: { bench: Bench }) {
  const { done, undone } = state.history;
  const last = done.findLast((step) => !step.theirs);
  const next = undone.at(-1);
  return (
    <>
      <IconButton
        label={last === undefined ? "Undo" : `Undo: ${last.label}`}
        shortcut="Ctrl+Z"
        aria-disabled={last === undefined}
        icon={<Undo2 size={16} aria-hidden="true" />}
        onClick={operations.undo}
      />
      <IconButton
        label={next === undefined ? "Redo" : `Redo: ${next.label}`}
        shortcut="Ctrl+Shift+Z"
        aria-disabled={next === undefined}
        icon={<Redo2 size={16} aria-hidden="true" />}
        onClick={operations.redo}
      />
    </>
  );
}
