// Inspected: the inspector on the document that is open here. Loaded when first shown.

import { Suspense, useMemo } from "react";
import { lazily } from "../ui/lazily.ts";
import { toast } from "../ui/toast.tsx";
import { isUnsaved, type Session, type SessionState } from "./session.ts";
import type { Found } from "./use-document.ts";

const Inspector = lazily(
  () => import("../inspector/inspector.tsx"),
  (it) => it.Inspector,
);

export interface InspectedProps {
  session: Session;
  state: SessionState;
  found: Found;
  /** Writes what is not written, now. */
  flush: () => Promise<void>;
  onClose: () => void;
}

export function Inspected({ session, state, found, flush, onClose }: InspectedProps) {
  const selected = useMemo(() => [...state.selected], [state.selected]);
  const { onEdit, save } = useMemo(
    () => ({
      onEdit: (edit: Parameters<Session["edit"]>[0]) => {
        const problem = session.edit(edit);
        if (problem !== undefined) toast(problem);
      },
      save: async () => {
        await flush();
        await saved(session);
      },
    }),
    [session, flush],
  );
  return (
    <Suspense>
      <Inspector {...{ selected, onEdit, save, onClose }} doc={state.doc} diagnostics={found} />
    </Suspense>
  );
}

const waitMostMs = 10_000;

/** Once the file has what stands here; a run reads the file. */
function saved({ store }: Session): Promise<void> {
  return new Promise((settle, fail) => {
    const end = () => {
      clearTimeout(late);
      leave();
    };
    const look = (state: SessionState) => {
      if (isUnsaved(state) && state.clash === undefined) return;
      end();
      if (state.clash === undefined) settle();
      else fail(new Error("Others changed the same lines. Choose what counts first."));
    };
    const late = setTimeout(() => {
      end();
      fail(new Error("It could not be saved."));
    }, waitMostMs);
    const leave = store.subscribe(look);
    queueMicrotask(() => look(store.getState()));
  });
}
