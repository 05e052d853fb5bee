// llm: asks a language model (spec 1.2). Parsed and validated like every node, and asked about like every node; running it answers plainly
// that this version cannot yet.
//   M1. What a person approves is the prompt as the model would get it, with the model, its settings and what it must answer with.

import { createHmac } from "node:crypto";
import type { Failure } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { LlmNode } from "../workflow/model.ts";
import { type NodeContext, renderField } from "./context.ts";
import type { AttemptEnding, Binding, Executor, Prepared } from "./executor.ts";

export const llmExecutor: Executor<LlmNode> = {
  prepare: (node, context) =>
    node.data.needsUserApproval === true ? prepare(node, context) : err(notYet(node.data.model)),
};

async function prepare(node: LlmNode, context: NodeContext): Promise<Result<Prepared, Failure>> {
  const { model } = node.data;
  const content = context.edited ?? node.data.content;
  const prompt = await renderField(content, context);
  if (!prompt.ok) return prompt;
  const system = await renderField(node.data.system ?? "", context);
  if (!system.ok) return system;
  const ending: AttemptEnding = {
    status: "failed",
    failure: notYet(model),
    value: { text: "" },
    facts: { durationMs: 0 },
  };
  return ok({
    shown: { command: content },
    asks: [
      { code: "llm-not-available", message: `${notYet(model).message} Once approved, the node fails and says so.` },
    ],
    binding: (key) =>
      Promise.resolve(bindingOf(node, { content, prompt: prompt.value, system: system.value }, context, key)),
    start: () => ({ done: Promise.resolve(ending), cancel: () => {}, kill: () => {} }),
  });
}

function bindingOf(
  { data }: LlmNode,
  { content, prompt, system }: { content: string; prompt: string; system: string },
  { masker }: NodeContext,
  key: Buffer,
): Binding {
  const { model, temperature = null, maxOutputTokens = null, schema = null, budget = null, timeout } = data;
  const bound: Record<string, string> = Object.create(null);
  const bind = (name: string, ...parts: unknown[]): void => {
    bound[name] = createHmac("sha256", key)
      .update(JSON.stringify([name, ...parts]))
      .digest("hex");
  };
  bind("the prompt", prompt);
  bind("the system prompt", system);
  bind("the model", model, temperature, maxOutputTokens, schema);
  bind("the limits", budget, timeout ?? null);
  const rendered = masker.mask(system === "" ? prompt : `${system}\n\n${prompt}`);
  return {
    bound,
    detail: {
      command: content,
      rendered: rendered.length > limits.approvalPromptCharsMax ? cut(rendered) : rendered,
      values: [],
      model,
      ...(timeout === undefined ? {} : { timeout }),
    },
  };
}

function cut(text: string): string {
  return `${text.slice(0, limits.approvalPromptCharsMax)}… (${Buffer.byteLength(text)} bytes)`;
}

function notYet(model: string): Failure {
  return {
    code: "llm-not-available",
    message: `This version of Curlew cannot ask a language model yet (the node wants ${JSON.stringify(model)}).`,
    hint: "Until it can, ask the model from a CLI node with curl, or put a jq command in its place.",
  };
}
