// names: names and titles that others wrote, as they are shown: nothing in them hides, or changes how what stands beside them is read
// (base/visible.ts). They come in at few places, and are drawn at many.

import type { ApprovalItem, RunItem, WorkflowItem } from "../../api/shapes.ts";
import { visibleLine } from "../../base/visible.ts";
import type { Workflow } from "../../workflow/model.ts";

export const namedItem = (item: WorkflowItem): WorkflowItem => ({ ...item, name: visibleLine(item.name) });

export const namedRun = (run: RunItem): RunItem => ({ ...run, workflow: visibleLine(run.workflow) });

export const namedApproval = (item: ApprovalItem): ApprovalItem => ({
  ...item,
  workflow: visibleLine(item.workflow),
  title: visibleLine(item.title),
});

/** For drawing: never for what is written. */
export const namedWorkflow = (workflow: Workflow): Workflow => ({
  ...workflow,
  name: visibleLine(workflow.name),
  nodes: workflow.nodes.map((node) => ({
    ...node,
    data: { ...node.data, title: visibleLine(node.data.title) },
  })) as Workflow["nodes"],
});
