// NodePalette: the kinds of nodes to click or drag onto the canvas, and the undo and redo buttons.

import { Plus, Redo2, Undo2 } from "lucide-react";
import { memo, type ReactNode } from "react";
import { useStore } from "zustand";
import { KindIcon } from "../canvas/kind-icon.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { KINDS, type Kind } from "./kinds.ts";
import type { Operations } from "./operations.ts";
import type { Session } from "./session.ts";

export const KIND_DRAG = "application/x-curlew-kind";

export interface NodePaletteProps {
  onAdd: (kind: Kind) => void;
  onSearch: (at: { x: number; y: number }) => void;
  /** Shown next to the palette. */
  children: ReactNode;
}

export const NodePalette = memo(function NodePalette({ onAdd, onSearch, children }: NodePaletteProps) {
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
          onClick={(event) => {
            const box = event.currentTarget.getBoundingClientRect();
            onSearch({ x: box.left, y: box.bottom + 6 });
          }}
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
            onClick={() => onAdd(kind)}
          />
        ))}
      </div>
      <div role="toolbar" aria-label="Steps back" className="flex rounded-lg border border-line bg-panel p-0.5">
        {children}
      </div>
    </div>
  );
});

/** Undo and redo. Their labels name the change. */
export function UndoButtons({ session, operations }: { session: Session; operations: Operations }) {
  const { done, undone } = useStore(session.store, ({ history }) => history);
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
