// spoken: announces the changes of a run to screen readers: totals such as "5 nodes succeeded", at most once a second
// (ui/toast.tsx).

import { useEffect, useRef } from "react";
import { say } from "../ui/toast.tsx";
import { useRunPage } from "./run-store.ts";

export function useSpokenChanges(): void {
  const version = useRunPage((page) => page.version);
  const model = useRunPage((page) => page.model);
  const known = useRef<{ outcomes: Map<string, number>; status: string } | undefined>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the model is one object that changes; its version says so.
  useEffect(() => {
    if (model === undefined) return;
    const outcomes = model.outcomes();
    const before = known.current;
    known.current = { outcomes, status: model.status };
    if (before === undefined) return;
    for (const [words, all] of outcomes) {
      const more = all - (before.outcomes.get(words) ?? 0);
      if (more > 0) say({ count: more, one: "node", words });
    }
    if (model.status !== before.status) say(`The run is ${model.status}`);
  }, [version, model]);
}
