// output: turns what a command printed into the node's value: checks JSON or lines, then applies `select` (spec 1.2
// `output`).
//   O1. Output that does not match the node's `output` fails the node and is never passed on.
//   O2. Without `output` no byte is read again here, whatever the size.

import type { Failure } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Value } from "../../base/value.ts";
import type { CliData } from "../../workflow/model.ts";
import type { NodeContext } from "../context.ts";
import type { Evaluator } from "../expression/index.ts";
import { scopeFor } from "../expression/scope.ts";
import { hide } from "../secret-values.ts";
import { withoutSecrets } from "../template.ts";
import { parseJsonOrText, store, textOf } from "../values.ts";

export async function checkOutput(
  output: CliData["output"],
  value: Value,
  context: NodeContext,
  evaluator: Evaluator,
): Promise<Result<Value, Failure>> {
  const format = output?.format ?? "text";
  if (output === undefined || (format === "text" && output.select === undefined)) return ok(value);
  const text = await textOf(value, context.files, limits.expressionInputBytesMax);
  if (!text.ok) return text;
  const parsed = parseAs(format, text.value);
  if (!parsed.ok)
    return err(withoutSecrets(parsed.error, text.value, context.files.mask, (shown) => parseAs(format, shown)));
  if (output.select === undefined) return ok(value);
  const scope = await scopeFor(output.select, context);
  if (!scope.ok) return scope;
  const selected = await evaluator.evaluate({ expression: output.select, input: parsed.value, scope: scope.value });
  if (!selected.ok) return selected;
  const chosen = asText(selected.value);
  return context.isSecret ? hide(Buffer.from(chosen), context) : ok(await store(chosen, context.files));
}

function parseAs(format: "text" | "json" | "lines", text: string): Result<unknown, Failure> {
  if (format === "text") return ok(parseJsonOrText(text));
  if (format === "json") return parseJson(text, "output-not-json", "The output");
  const values: unknown[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "") continue;
    const json = parseJson(line, "output-not-lines", `Line ${index + 1} of the output`);
    if (!json.ok) return json;
    values.push(json.value);
  }
  return ok(values);
}

function parseJson(text: string, code: string, what: string): Result<unknown, Failure> {
  try {
    return ok(JSON.parse(text));
  } catch (reason) {
    const seen = text === "" ? "it is empty" : `it begins ${JSON.stringify(text.slice(0, 60))}`;
    return err({
      code,
      message: `${what} is not JSON: ${seen} (${reason instanceof Error ? reason.message : String(reason)}).`,
      hint: "An error page or a progress meter in front of the JSON is the usual cause; add --fail-with-body --silent to curl, or drop output.format.",
    });
  }
}

/** Text unchanged, undefined as empty text, anything else as JSON. */
function asText(selected: unknown): string {
  if (selected === undefined || selected === null) return selected === null ? "null" : "";
  return typeof selected === "string" ? selected : JSON.stringify(selected);
}
