// subflow: runs another workflow file as one node (spec 1.2, 2.7). The engine starts the child run; this is the node's
// part.

import type { Failure } from "../../base/failure.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { SubflowNode } from "../../workflow/model.ts";
import { type NodeContext, renderField } from "../context.ts";
import type { Attempt, Executor } from "../executor.ts";

/** The engine's interface for subflow nodes: check the inputs, then start the child. */
export interface ChildRuns {
  /** An unused run id, recorded before the child starts. */
  freshId(): string;
  /** Checks inputs given as text, and converts them by the rules of the child workflow. */
  check(node: SubflowNode, context: NodeContext, inputs: Record<string, string>): Result<CheckedChild, Failure>;
  start(child: CheckedChild, id: string, parent: { run: string; path: string }, context: NodeContext): Attempt;
}

export interface CheckedChild {
  file: string;
  inputs: Record<string, unknown>;
  /** Its `timeout` in milliseconds. */
  limitMs: number | undefined;
}

export function subflowExecutor(children: ChildRuns): Executor<SubflowNode> {
  return {
    prepare: async (node, context) => {
      const inputs = await inputsOf(node, context);
      if (!inputs.ok) return inputs;
      const child = children.check(node, context, inputs.value);
      if (!child.ok) return err(child.error);
      const id = children.freshId();
      return ok({
        shown: { command: node.data.workflow, childRun: id },
        start: () => children.start(child.value, id, { run: context.run.id, path: context.path }, context),
      });
    },
  };
}

async function inputsOf(node: SubflowNode, context: NodeContext): Promise<Result<Record<string, string>, Failure>> {
  const inputs: Record<string, string> = Object.create(null);
  for (const [name, template] of Object.entries(node.data.inputs ?? {})) {
    const text = await renderField(template, context);
    if (!text.ok) return text;
    inputs[name] = text.value;
  }
  return ok(inputs);
}
