// names: makes untrusted names and titles safe to display. They cannot hide characters or reorder the text beside them
// (base/visible.ts). It happens where data arrives, because names are displayed in many places.

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

/** For display only, never for data that is written. */
export const namedWorkflow = (workflow: Workflow): Workflow => ({
  ...workflow,
  name: visibleLine(workflow.name),
  nodes: workflow.nodes.map((node) => ({
    ...node,
    data: { ...node.data, title: visibleLine(node.data.title) },
  })) as Workflow["nodes"],
});
