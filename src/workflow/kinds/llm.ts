// kinds/llm: asks a language model.

import * as z from "zod/mini";
import { nodeName, zeroDurations } from "../check/context.ts";
import * as found from "../diagnostics/node.ts";
import { about, duration, filled, number, opt, seen, text, whole } from "../schema/fields.ts";
import {
  approval,
  cache,
  continueOnError,
  needsUserApproval,
  onLost,
  retry,
  runsOn,
  streamOutput,
  timeout,
  title,
} from "../schema/shared.ts";
import type { Kind } from "./kind.ts";

const data = z.object({
  title,
  content: text("Text for the model. A template."),
  model: opt(
    filled(
      "Model as provider/model, such as anthropic/claude-sonnet-4-5, openai/gpt-5 or ollama/llama3.2. Default: llm.model in config.yaml.",
    ),
  ),
  system: opt(text("System prompt: instructions for the model. A template.")),
  temperature: opt(number("Higher values give more varied replies.", 0)),
  maxOutputTokens: opt(whole("Longest reply, in tokens.", 1)),
  schema: opt(z.record(z.string(), z.unknown()).register(seen, about("JSON Schema that the reply must match."))),
  streamOutput: opt(streamOutput),
  timeout: opt(timeout),
  idleTimeout: opt(duration("Ends the attempt after this long without a token.")),
  retry: opt(retry),
  cache: opt(cache),
  budget: opt(
    z
      .object({
        tokens: opt(whole("Tokens that the node may use, in and out.", 1)),
        usd: opt(z.number().check(z.gt(0)).register(seen, about("Money that the node may spend, in US dollars."))),
      })
      .register(seen, about("Tokens or money the node may use.")),
  ),
  needsUserApproval: opt(needsUserApproval),
  approval: opt(approval),
  continueOnError: opt(continueOnError),
  onLost: opt(onLost),
  runsOn: opt(runsOn),
});

export const llm: Kind<typeof data> = {
  name: "LLM",
  longName: "Language model",
  sign: "✦",
  data,
  runs: true,
  texts: {
    content: "template",
    system: "template",
    "cache.key": "template",
    "approval.prompt": "template",
    "retry.on": "expression",
  },
  check: (node, path, check) => {
    const { data } = node;
    if (data.content.trim() === "")
      check.report(found.emptyContent(check.at([...path, "content"]), nodeName(node), "llm"));
    if (data.model !== undefined && !/^[A-Za-z0-9][\w.-]*\/\S+$/.test(data.model))
      check.report(found.badModel(check.at([...path, "model"]), data.model));
    zeroDurations(data, ["timeout", "idleTimeout"], path, check);
    zeroDurations(data.cache, ["ttl"], [...path, "cache"], check);
    zeroDurations(data.approval, ["timeout"], [...path, "approval"], check);
  },
  isJson: ({ schema }) => schema !== undefined,
  show: ({ content, model, system, timeout }, { fill }) => ({
    command: fill(content),
    model: model ?? "llm.model of config.yaml",
    system: system === undefined ? undefined : fill(system),
    timeout,
  }),
};
