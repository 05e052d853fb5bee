// nodes: the engine's entry point to all kinds of nodes.

import type { Failure } from "../base/failure.ts";
import { impossible, type Result } from "../base/result.ts";
import type { GrowthListener } from "../process/output.ts";
import type { WorkflowNode } from "../workflow/model.ts";
import { cliExecutor } from "./cli/index.ts";
import type { NodeContext } from "./context.ts";
import type { DecidedNode } from "./decided.ts";
import type { Before, FoundAttempt, Prepared } from "./executor.ts";
import type { Evaluator } from "./expression/index.ts";
import { llmExecutor } from "./llm/index.ts";
import { type ChildRuns, subflowExecutor } from "./subflow/index.ts";
import type { Tools } from "./tools.ts";
import type { Now } from "./values.ts";

/** The stored tokens, for masking. Tokens that cannot be opened are skipped silently. */
export async function tokensAtHand(deps: Parameters<typeof import("../secrets/tokens/service.ts").keptTokens>[0]) {
  const { keptTokens } = await import("../secrets/tokens/service.ts");
  return keptTokens(deps);
}

export interface Kinds {
  evaluator: Evaluator;
  isDecided(node: WorkflowNode): node is DecidedNode;
  prepare(node: WorkflowNode, context: NodeContext): Now<Result<Prepared, Failure>>;
  /** Looks for an earlier process's attempt. Undefined if its kind cannot be found again. */
  find(node: WorkflowNode, context: NodeContext, before: Before, onGrowth?: GrowthListener): FoundAttempt | undefined;
}

const DECIDED: ReadonlySet<string> = new Set(["start", "text", "variable", "if", "accumulator"]);

export function kindsOf(tools: Tools, children: ChildRuns): Kinds {
  const cli = cliExecutor(tools);
  const llm = llmExecutor(tools);
  const subflow = subflowExecutor(children);
  return {
    evaluator: tools.evaluator,
    isDecided: (node): node is DecidedNode => DECIDED.has(node.type),
    find: (node, context, before, onGrowth) =>
      node.type === "cli" ? cli.find?.(node, context, before, onGrowth) : undefined,
    prepare(node, context) {
      switch (node.type) {
        case "cli":
          return cli.prepare(node, context);
        case "llm":
          return llm.prepare(node, context);
        case "subflow":
          return subflow.prepare(node, context);
        default:
          return impossible(`a ${node.type} node runs nothing`);
      }
    },
  };
}
