// ViewSwitch: switches between the views of a workflow, including its runs (spec ui 6.1). The editor and the run view
// both use it.

import { Segments } from "../ui/segments.tsx";
import type { EditorView } from "./search.ts";

export type WorkflowView = EditorView | "run";

const VIEWS: [WorkflowView, string][] = [
  ["design", "Design"],
  ["run", "Run view"],
  ["source", "Source"],
  ["split", "Split"],
];

export function ViewSwitch({ view, onView }: { view: WorkflowView; onView: (view: WorkflowView) => void }) {
  return (
    <Segments
      label="View"
      options={VIEWS}
      isOn={(id) => id === view}
      onPress={onView}
      className="max-sm:hidden [&>:last-child]:max-[960px]:hidden"
    />
  );
}
