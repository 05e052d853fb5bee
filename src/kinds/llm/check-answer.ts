// check-answer: checks that a model's answer is JSON that satisfies the node's schema (spec 1.2 `schema`).
//   S1. The value is the model's own JSON text. Removed are its thoughts before it (`<think>`), a code fence around it,
//       and text around the only fence.
//   S2. The reason names the first mismatch: `items[0].name`.
//   S3. A schema is data: it may not refer to other schemas, and `format` is not checked.

import type { ErrorObject, ValidateFunction } from "ajv";
import type { Failure } from "../../base/failure.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { badSchema } from "./failures.ts";

/** The JSON text, or a sentence that says why it does not match. */
export type CheckAnswer = (text: string) => Result<string, string>;

/** Failure: `llm-schema-invalid`. */
export async function answerChecker(schema: Record<string, unknown>): Promise<Result<CheckAnswer, Failure>> {
  const { $schema, ...rest } = schema;
  if (rest.$async !== undefined) return err(badSchema('"$async" is not known'));
  const isOld = typeof $schema === "string" && /draft-0[467]/.test($schema);
  const { Ajv } = isOld ? await import("ajv") : await newAjv();
  let validate: ValidateFunction;
  try {
    validate = new Ajv({ strict: false, validateFormats: false, logger: false, verbose: true }).compile(rest);
  } catch (reason) {
    return err(badSchema((reason as Error).message.replace(/\.$/, "")));
  }
  return ok((text) => check(text, validate));
}

async function newAjv() {
  const { Ajv2020 } = await import("ajv/dist/2020.js");
  return { Ajv: Ajv2020 };
}

function check(text: string, validate: ValidateFunction): Result<string, string> {
  const json = unfenced(text);
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    const begins = JSON.stringify(json.slice(0, 60));
    return err(json === "" ? "it is empty" : `it is not JSON (it begins ${begins})`);
  }
  return validate(value) ? ok(json) : err(sentence(validate.errors?.[0]));
}

/** S1. */
function unfenced(text: string): string {
  const trimmed = text.replace(/^\s*<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/, "").trim();
  const whole = /^```[a-z]*\n([\s\S]*)\n```$/i.exec(trimmed);
  if (whole !== null) return whole[1]!.trim();
  const fences = [...trimmed.matchAll(/^```[a-z]*\n([\s\S]*?)\n```$/gim)];
  return fences.length === 1 && !/^[[{"]/.test(trimmed) ? fences[0]![1]!.trim() : trimmed;
}

/** S2. */
function sentence(error: ErrorObject | undefined): string {
  if (error === undefined) return "it does not fit";
  const { params } = error;
  const place = placeOf(error.instancePath);
  const at = place === "" ? "the answer" : `"${place}"`;
  if (error.keyword === "additionalProperties")
    return `${at} has a member ${JSON.stringify(params.additionalProperty)} that is not in the schema`;
  if (error.keyword === "enum")
    return `${at} must be one of ${JSON.stringify(params.allowedValues).slice(1, -1)}${describeValue(error.data)}`;
  if (error.keyword === "const")
    return `${at} must be ${JSON.stringify(params.allowedValue)}${describeValue(error.data)}`;
  return `${at} ${error.message ?? "does not fit"}${error.keyword === "type" ? describeValue(error.data) : ""}`;
}

function describeValue(data: unknown): string {
  const text = JSON.stringify(data) ?? "nothing";
  return `, it is ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`;
}

function placeOf(pointer: string): string {
  let place = "";
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    place += /^[0-9]+$/.test(name) ? `[${name}]` : place === "" ? name : `.${name}`;
  }
  return place;
}
