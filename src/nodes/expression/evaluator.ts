// evaluator: the program of an evaluator process. Reads questions from its channel, evaluates JSONata, answers. Nothing else.
//   V1. It is started without the engine's environment and without rights to files, processes and native code, so that an
//       expression that found a way out of JSONata would find nothing.
//   V2. It does not outlive its engine: a closed channel ends it, and while an expression keeps it busy a second thread looks.
//   V3. `$eval` is off: text is never an expression. `$now` and `$millis` are on; what they decided is recorded and not asked again.

import { Worker } from "node:worker_threads";
import jsonata from "jsonata";
import { limits } from "../../base/limits.ts";
import type { Answer, Question } from "./protocol.ts";

type Send = (answer: Answer) => void;
const send: Send = (answer) => void process.send?.(answer);

process.on("disconnect", () => process.exit(0));
process.on("message", (question: Question) => {
  void answer(question).then(send);
});
send({ ready: true });
watchParent();

async function answer({ id, expression, scope }: Question): Promise<Answer> {
  try {
    const compiled = jsonata(expression, {
      timeout: limits.expressionTimeoutMs,
      stack: limits.expressionDepthMax,
      sequence: limits.expressionSequenceMax,
    });
    compiled.registerFunction("eval", () => {
      throw { code: "no-eval", message: "$eval is switched off here" };
    });
    const given = JSON.parse(scope) as { names: Record<string, unknown>; input?: unknown };
    const input = "input" in given ? given.input : given.names;
    const value: unknown = await compiled.evaluate(input, await bindings(given.names));
    if (typeof value === "number" && !Number.isFinite(value))
      return { id, failure: { code: "D1001", message: "Its result is no number that JSON can hold" } };
    if (
      typeof value === "function" ||
      (typeof value === "object" && value !== null && ("_jsonata_function" in value || "_jsonata_lambda" in value))
    ) {
      return { id, failure: { code: "function", message: "Its result is a function; call it with (…)" } };
    }
    const result = JSON.stringify(value);
    if (result === undefined) return { id };
    if (result.length > limits.expressionResultBytesMax)
      return { id, failure: { code: "too-large", message: `${result.length} characters` } };
    return { id, result };
  } catch (thrown) {
    const { code, message, position } = thrown as { code?: unknown; message?: unknown; position?: unknown };
    return {
      id,
      failure: {
        code: codeOf(thrown, code),
        message: String(message),
        ...(typeof position === "number" ? { position } : {}),
      },
    };
  }
}

/** A RangeError is JavaScript's own stack, or a text longer than there can be. */
function codeOf(thrown: unknown, code: unknown): string {
  if (thrown instanceof RangeError) return /call stack/.test(thrown.message) ? "D1011" : "D2015";
  return typeof code === "string" ? code : "unknown";
}

/** Every name also as `$name`, which reaches it from inside a path; JSONata's own functions keep their names. */
async function bindings(names: Record<string, unknown>): Promise<Record<string, unknown>> {
  const bound: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(names)) {
    if (/^[A-Za-z_]\w*$/.test(name) && !(await isFunction(name))) bound[name] = value;
  }
  return bound;
}

const functions = new Map<string, boolean>();

async function isFunction(name: string): Promise<boolean> {
  const known = functions.get(name);
  if (known !== undefined) return known;
  const found = (await jsonata(`$${name}`).evaluate(undefined)) !== undefined;
  if (functions.size < 1_000) functions.set(name, found);
  return found;
}

/** An expression that spins keeps the channel unread; the thread sees that the parent is gone. */
function watchParent(): void {
  const parent = process.ppid;
  const worker = new Worker(
    `setInterval(() => { if (process.ppid !== ${parent}) process.kill(process.pid, "SIGKILL"); }, 1000);`,
    { eval: true },
  );
  worker.unref();
}
