// UndoButtons: what Ctrl+Z and Ctrl+Shift+Z do, for the mouse and for a finger. What would be taken back is named.

import { Redo2, Undo2 } from "lucide-react";
import { useStore } from "zustand";
import { IconButton } from "../ui/icon-button.tsx";
import type { Operations } from "./operations.ts";
import type { Session } from "./session.ts";

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
