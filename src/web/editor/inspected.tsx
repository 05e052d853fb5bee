// Inspected: the inspector on the document that is open here. Loaded when first shown.

import { Suspense, useCallback, useMemo } from "react";
import type { Ahead } from "../inspector/context.ts";
import { lazily } from "../ui/lazily.ts";
import { toast } from "../ui/toast.tsx";
import type { Foreseen } from "./ahead.ts";
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
  foreseen: Foreseen | undefined;
  /** The file has what stands here, or it fails with words. */
  save: () => Promise<void>;
  /** What is found in a field that is being typed in; `foreseen` is what came of it. */
  ahead: Ahead;
  onClose: () => void;
}

export function Inspected({ session, state, found, foreseen, save, ahead, onClose }: InspectedProps) {
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
      <Inspector {...{ selected, onEdit, foreseen, save, ahead, onClose }} doc={state.doc} diagnostics={found} />
    </Suspense>
  );
}
