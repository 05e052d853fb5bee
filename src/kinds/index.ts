// kinds: the registry of the node kinds that do something in a run. The engine runs and decides nodes through it.

import type { Failure } from "../base/failure.ts";
import type { Now } from "../base/now.ts";
import { impossible, type Result } from "../base/result.ts";
import type { GrowthListener } from "../process/output.ts";
import type { NodeType, WorkflowNode } from "../workflow/model.ts";
import { cliExecutor } from "./cli/index.ts";
import type { NodeContext } from "./context.ts";
import { DECIDED } from "./decided.ts";
import type { Decide, Decision } from "./decision.ts";
import type { Before, Executor, FoundAttempt, Prepared } from "./executor.ts";
import type { Evaluator } from "./expression/index.ts";
import { llmExecutor } from "./llm/index.ts";
import { type ChildRuns, subflowExecutor } from "./subflow/index.ts";
import type { Tools } from "./tools.ts";

export { FOLDER, labelsHere, missingFor, missingLabels } from "./cli/preflight.ts";

/** The stored tokens, for masking. Tokens that cannot be opened are skipped silently. */
export async function tokensAtHand(deps: Parameters<typeof import("../secrets/tokens/service.ts").keptTokens>[0]) {
  const { keptTokens } = await import("../secrets/tokens/service.ts");
  return keptTokens(deps);
}

export interface Kinds {
  evaluator: Evaluator;
  /** Computes the value of a node without a process. */
  decide(node: WorkflowNode, context: NodeContext, isFirst: boolean): Now<Result<Decision, Failure>>;
  prepare(node: WorkflowNode, context: NodeContext): Now<Result<Prepared, Failure>>;
  /** Looks for an earlier process's attempt. Undefined if its kind cannot be found again. */
  find(node: WorkflowNode, context: NodeContext, before: Before, onGrowth?: GrowthListener): FoundAttempt | undefined;
}

export function kindsOf(tools: Tools, children: ChildRuns): Kinds {
  /** Kinds that become attempts. */
  const executors: { [T in NodeType]?: Executor<never> } = {
    cli: cliExecutor(tools),
    llm: llmExecutor(tools),
    subflow: subflowExecutor(children),
  };
  const { evaluator } = tools;
  const executorOf = ({ type }: WorkflowNode) => executors[type] as Executor<WorkflowNode> | undefined;
  return {
    evaluator,
    decide(node, context, isFirst) {
      const decide = DECIDED[node.type] as Decide<NodeType> | undefined;
      return decide?.(node, context, { evaluator, isFirst }) ?? impossible(`"${node.id}" is not decided`);
    },
    prepare: (node, context) => executorOf(node)?.prepare(node, context) ?? impossible(`"${node.id}" runs nothing`),
    find: (node, context, before, onGrowth) => executorOf(node)?.find?.(node, context, before, onGrowth),
  };
}
