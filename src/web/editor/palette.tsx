// NodePalette: the kinds of nodes to click or drag onto the canvas, and the undo and redo buttons.

import { Plus, Redo2, Undo2 } from "lucide-react";
import { KindIcon } from "../canvas/kind-icon.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import type { Bench } from "./bench.ts";
import { KINDS } from "./kinds.ts";
import { below } from "./moves.ts";

export const KIND_DRAG = "application/x-curlew-kind";

export function NodePalette({ bench }: { bench: Bench }) {
  return (
    <div className="pointer-events-none absolute inset-x-3 top-3 z-10 flex flex-wrap gap-2 *:pointer-events-auto">
      <div
        role="toolbar"
        aria-label="Add a node"
        className="flex flex-wrap rounded-lg border border-line bg-panel p-0.5"
      >
        <IconButton
          label="Search for a node to add"
          shortcut="A"
          icon={<Plus size={16} aria-hidden="true" />}
          onClick={(event) => bench.setBox({ kind: "add", screen: below(event.currentTarget), where: {} })}
        />
        {KINDS.map((kind) => (
          <IconButton
            key={kind.id}
            label={`${kind.name}: ${kind.says.charAt(0).toLowerCase()}${kind.says.slice(1)}`}
            icon={<KindIcon type={kind.id} />}
            draggable
            onDragStart={(event) => {
              event.dataTransfer.setData(KIND_DRAG, kind.id);
              event.dataTransfer.effectAllowed = "copy";
            }}
            onClick={() => bench.operations.add(kind, {})}
          />
        ))}
      </div>
      <div role="toolbar" aria-label="Undo and redo" className="flex rounded-lg border border-line bg-panel p-0.5">
        <UndoButtons bench={bench} />
      </div>
    </div>
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
