// llm: runs language model nodes (spec 1.2). server.ts finds the server, attempt.ts sends, budget.ts and
// check-answer.ts judge.
//   M1. A person approves the prompt as the model would get it, with the model, its settings, and the schema.
//   M2. Everything that can be rejected is rejected in `prepare`, before anything is sent.
//   M3. An answer is data. It reaches a command like any value, and never becomes a command without approval (4.2).
// An attempt is never found again. Its request ended with the process that sent it, so it is lost (3.4).

import { createHmac } from "node:crypto";
import type { Failure } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { ok, type Result } from "../../base/result.ts";
import type { LlmNode } from "../../workflow/model.ts";
import { type NodeContext, renderField } from "../context.ts";
import type { Binding, Executor, Prepared } from "../executor.ts";
import type { Tools } from "../tools.ts";
import { type Ready, startAttempt } from "./attempt.ts";
import { estimateTokens, room } from "./budget.ts";
import { answerChecker } from "./check-answer.ts";
import { serverFor } from "./server.ts";

export { TRANSIENT } from "./failures.ts";
export { modelsOf } from "./reach.ts";
export { knownProviders } from "./server.ts";

export function llmExecutor({ home }: Pick<Tools, "home">): Executor<LlmNode> {
  return { prepare: (node, context) => prepare(node, context, home) };
}

async function prepare(node: LlmNode, context: NodeContext, home: string): Promise<Result<Prepared, Failure>> {
  const { data } = node;
  const content = context.edited ?? data.content;
  const prompt = renderField(content, context);
  if (!prompt.ok) return prompt;
  const system = renderField(data.system ?? "", context);
  if (!system.ok) return system;
  const server = await serverFor(data.model, context, home);
  if (!server.ok) return server;
  const check = data.schema === undefined ? ok(undefined) : await answerChecker(data.schema);
  if (!check.ok) return check;
  const spent = context.spent ?? { tokens: 0, usd: 0 };
  const priced = { name: server.value.model, price: server.value.price };
  const fits = room(data.budget, spent, estimateTokens(prompt.value + system.value), priced);
  if (!fits.ok) return fits;
  const { masker } = context;
  const texts = { prompt: masker.mask(prompt.value), system: masker.mask(system.value) };
  const ready: Ready = { node, context, server: server.value, ...texts, check: check.value };
  return ok({
    shown: { command: content },
    binding: (key) =>
      Promise.resolve(bindingOf(node, { content, prompt: prompt.value, system: system.value }, ready, key)),
    start: (stem, onGrowth) => startAttempt(ready, stem, onGrowth),
  });
}

function bindingOf(
  { data }: LlmNode,
  { content, prompt, system }: { content: string; prompt: string; system: string },
  { context, server }: Ready,
  key: Buffer,
): Binding {
  const { model } = server;
  const { temperature = null, maxOutputTokens = null, schema = null, budget = null } = data;
  const { timeout, idleTimeout = null } = data;
  const bound: Record<string, string> = Object.create(null);
  const bind = (name: string, ...parts: unknown[]): void => {
    bound[name] = createHmac("sha256", key)
      .update(JSON.stringify([name, ...parts]))
      .digest("hex");
  };
  bind("the prompt", prompt);
  bind("the system prompt", system);
  bind("the model", model, temperature, maxOutputTokens, schema, server.type, server.baseURL);
  bind("the limits", budget, timeout ?? null, idleTimeout);
  const rendered = context.masker.mask(system === "" ? prompt : `${system}\n\n${prompt}`);
  return {
    bound,
    detail: {
      command: content,
      rendered: rendered.length > limits.approvalPromptCharsMax ? cut(rendered) : rendered,
      values: [],
      model: `${model} at ${server.host}`,
      timeout,
    },
  };
}

function cut(text: string): string {
  return `${text.slice(0, limits.approvalPromptCharsMax)}… (${Buffer.byteLength(text)} bytes)`;
}
