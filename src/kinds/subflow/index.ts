// subflow: runs another workflow file as one node (spec 1.2, 2.7). The engine starts the child run; this is the node's
// part.

import type { Failure } from "../../base/failure.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { SubflowNode } from "../../workflow/model.ts";
import { isAuthors } from "../cli/auth-hosts.ts";
import { type NodeContext, renderField } from "../context.ts";
import type { Attempt, Executor } from "../executor.ts";

/** The engine's interface for subflow nodes: check the inputs, then start the child. */
export interface ChildRuns {
  /** An unused run id, recorded before the child starts. */
  freshId(): string;
  /** Checks inputs given as text, and converts them by the rules of the child workflow. */
  check(node: SubflowNode, context: NodeContext, inputs: Record<string, string>): Result<Checked, Failure>;
  start(child: CheckedChild, id: string, parent: { run: string; path: string }, context: NodeContext): Attempt;
}

type Checked = Omit<CheckedChild, "handedOn">;

export interface CheckedChild {
  file: string;
  inputs: Record<string, unknown>;
  /** The inputs that hold a value of a node or an event. */
  handedOn: string[];
  /** Its `timeout` in milliseconds. */
  limitMs: number | undefined;
  runsOn?: string[] | undefined;
}

export function subflowExecutor(children: ChildRuns): Executor<SubflowNode> {
  return {
    prepare: (node, context) => {
      const inputs = inputsOf(node, context);
      if (!inputs.ok) return inputs;
      const child = children.check(node, context, inputs.value);
      if (!child.ok) return err(child.error);
      const id = children.freshId();
      const handedOn = Object.entries(node.data.inputs ?? {}).flatMap(([name, template]) =>
        isAuthors(template, context) ? [] : name,
      );
      return ok({
        shown: { command: node.data.workflow, childRun: id },
        start: () =>
          children.start({ ...child.value, handedOn }, id, { run: context.run.id, path: context.path }, context),
      });
    },
  };
}

function inputsOf(node: SubflowNode, context: NodeContext): Result<Record<string, string>, Failure> {
  const inputs: Record<string, string> = Object.create(null);
  for (const [name, template] of Object.entries(node.data.inputs ?? {})) {
    const text = renderField(template, context);
    if (!text.ok) return text;
    inputs[name] = text.value;
  }
  return ok(inputs);
}
