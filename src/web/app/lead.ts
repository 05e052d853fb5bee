// lead: an answer that comes later leads on only who still waits where they asked. Who has gone elsewhere meanwhile stays there, and is told,
// with a way to it.

import { useNavigate } from "@tanstack/react-router";
import { toast } from "../ui/toast.tsx";

/** A run that has begun, with the name of its workflow; a document that was written; a run that was there before. */
export type Goal = { run: string; of?: string } | { file: string };

/** Ask for it when the question goes out; what it gives is called with the answer. */
export function useLead(): () => (goal: Goal) => void {
  const navigate = useNavigate();
  return () => {
    const from = location.pathname;
    return (goal) => {
      const go = () =>
        void ("run" in goal
          ? navigate({ to: "/runs/$id", params: { id: goal.run } })
          : navigate({ to: "/w/$path", params: { path: goal.file } }));
      if (location.pathname === from) go();
      else if ("file" in goal) toast(`Written to ${goal.file}`, { label: "Open it", onPress: go });
      else if (goal.of !== undefined) toast(`${goal.of} has begun`, { label: "Show the run", onPress: go });
    };
  };
}
