// llm: asks a language model. Parsed and validated like every node; running it answers plainly that this version cannot yet.

import type { Failure } from "../base/failure.ts";
import { err } from "../base/result.ts";
import type { LlmNode } from "../workflow/model.ts";
import type { Executor } from "./executor.ts";

export const llmExecutor: Executor<LlmNode> = {
  prepare: (node) => err(notYet(node.data.model)),
};

function notYet(model: string): Failure {
  return {
    code: "llm-not-available",
    message: `This version of Curlew cannot ask a language model yet (the node wants ${JSON.stringify(model)}).`,
    hint: "Until it can, ask the model from a CLI node with curl, or put a jq command in its place.",
  };
}
