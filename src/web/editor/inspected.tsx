// Inspected: the inspector for the open workflow. Loaded when first shown.

import { Suspense, useCallback, useMemo } from "react";
import { lazily } from "../ui/lazily.ts";
import { toast } from "../ui/toast.tsx";
import type { Session, SessionState } from "./session.ts";
import type { Found } from "./use-document.ts";

const Inspector = lazily(
  () => import("../inspector/inspector.tsx"),
  (it) => it.Inspector,
);

export interface InspectedProps {
  session: Session;
  state: SessionState;
  found: Found;
  /** Resolves when the file has the current text. Rejects with a message for the user. */
  save: () => Promise<void>;
  onClose: () => void;
}

export function Inspected({ session, state, found, save, onClose }: InspectedProps) {
  const selected = useMemo(() => [...state.selected], [state.selected]);
  const onEdit = useCallback(
    (edit: Parameters<Session["edit"]>[0]) => {
      const problem = session.edit(edit);
      if (problem !== undefined) toast(problem);
    },
    [session],
  );
  return (
    <Suspense>
      <Inspector {...{ selected, onEdit, save, onClose }} doc={state.doc} diagnostics={found} />
    </Suspense>
  );
}
