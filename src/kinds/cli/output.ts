// output: turns what a command printed into the node's value: checks JSON or lines, then applies `select` (spec 1.2
// `output`).
//   O1. Output that does not match the node's `output` fails the node and is never passed on.
//   O2. Without `output` no byte is read again here, whatever the size.

import type { Failure } from "../../base/failure.ts";
import type { HttpCall } from "../../base/http-call.ts";
import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Value } from "../../base/value.ts";
import type { CliData } from "../../workflow/model.ts";
import type { NodeContext } from "../context.ts";
import type { Evaluator } from "../expression/index.ts";
import { scopeFor } from "../expression/scope.ts";
import { sealText } from "../secret-values.ts";
import { withoutSecrets } from "../template.ts";
import { parseJsonOrText, store, valueText } from "../values.ts";

/** `call`: the command's last HTTP call, `$response` in `select`. */
export async function checkOutput(
  output: CliData["output"],
  value: Value,
  context: NodeContext,
  evaluator: Evaluator,
  call?: HttpCall,
): Promise<Result<Value, Failure>> {
  const format = output?.format ?? "text";
  if (output === undefined || (format === "text" && output.select === undefined)) return ok(value);
  const text = valueText(value, context.files, limits.expressionInputBytesMax);
  if (!text.ok) return text;
  const parsed = parseAs(format, text.value);
  if (!parsed.ok)
    return err(withoutSecrets(parsed.error, text.value, context.files.mask, (shown) => parseAs(format, shown)));
  if (output.select === undefined) return ok(value);
  const scope = scopeFor(output.select, context);
  if (!scope.ok) return scope;
  if (call !== undefined) {
    const { status, headers } = call;
    Object.assign(scope.value, { response: { status, headers }, status, headers, ...scope.value });
  }
  const selected = await evaluator.evaluate({ expression: output.select, input: parsed.value, scope: scope.value });
  if (!selected.ok) return selected;
  if (selected.value === undefined) return err(selectEmpty(output.select));
  const chosen = asText(selected.value);
  return context.isSecret ? sealText(Buffer.from(chosen), context) : ok(store(chosen, context.files));
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
      hint: "Usually, the output is an error page, or begins with a progress meter. Add --fail-with-body --silent to curl, or remove output.format.",
    });
  }
}

/** In `select`, the names of the output come first, so those of the run need a dollar sign. */
function selectEmpty(select: string): Failure {
  const bare = /(?<![$.\w])(?:nodes|response|run|trigger)\b/.exec(select)?.[0];
  return {
    code: "select-empty",
    message: `"select" found nothing in the output: ${select.length > 80 ? `${select.slice(0, 80)}…` : select}`,
    hint:
      bare === undefined
        ? `To see the output, run: curlew runs logs. To allow an empty result, write: $exists(x) ? x : ""`
        : `A name without a dollar sign is a member of the output. For Curlew's value, write $${bare}.`,
  };
}

/** Text unchanged, anything else as JSON. */
function asText(selected: unknown): string {
  return typeof selected === "string" ? selected : JSON.stringify(selected);
}
