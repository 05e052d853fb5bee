// expression: evaluates the expressions of spec 1.4 behind a wall, in warm child processes that can be killed.
//   E1. Whatever an expression does, its answer comes within limits.expressionTimeoutMs and a little, or its process is killed and replaced.
//   E2. Only JSON goes in and comes out; no object of the engine is ever reached.
//   E3. Idle processes hold nothing up: neither the engine's exit nor, once it is gone, the machine.
//   E4. The plainest expressions need no process: they are answered here by code that can only compare, and only where that is what
//       JSONata answers (workflow/simple-expression.ts).
// One question at a time in a process; questions wait in order.

import type { Failure } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { answerSimple, simpleExpression } from "../../workflow/simple-expression.ts";
import { EvaluatorProcess } from "./evaluator-process.ts";
import * as failures from "./failures.ts";

export interface Evaluation {
  expression: string;
  /** Names and their JSON values: inputs, vars, exitCode, status, headers, the loop variables, run. */
  scope: Record<string, unknown>;
  /** What the expression is applied to (`output.select`): its own members come without a name. Absent: the scope itself. */
  input?: unknown;
}

export interface Evaluator {
  /**
   * The expression's JSON value; `undefined` when it gives nothing. Failures: `expression-timeout`, `expression-depth`, `expression-limit`,
   * `expression-memory`, `expression-input-too-large`, `expression-result-too-large`, `expression-failed`, `expression-process`.
   */
  evaluate(evaluation: Evaluation): Promise<Result<unknown, Failure>>;
  /** Ends the processes. Whoever still waits gets `expression-process`. */
  close(): void;
}

interface Waiting {
  expression: string;
  scope: string;
  settle(result: Result<unknown, Failure>): void;
}

export interface EvaluatorOptions {
  processesMax?: number;
  timeoutMs?: number;
}

/** @example await createEvaluator().evaluate({ expression: "inputs[0].n > 3", scope: { inputs: [{ n: 4 }] } }) // ok(true) */
export function createEvaluator(options: EvaluatorOptions = {}): Evaluator {
  const processesMax = options.processesMax ?? limits.expressionProcessesMax;
  const timeoutMs = options.timeoutMs ?? limits.expressionTimeoutMs;
  const idle: EvaluatorProcess[] = [];
  const all = new Set<EvaluatorProcess>();
  const queue: Waiting[] = [];
  let closed = false;

  const next = (): void => {
    while (queue.length > 0) {
      const child = idle.pop() ?? (all.size < processesMax ? add() : undefined);
      if (child === undefined) return;
      const waiting = queue.shift();
      if (waiting !== undefined) void ask(child, waiting);
    }
  };
  const add = (): EvaluatorProcess => {
    const child = new EvaluatorProcess();
    all.add(child);
    return child;
  };
  const ask = async (child: EvaluatorProcess, { expression, scope, settle }: Waiting): Promise<void> => {
    const result = await child.ask(expression, scope, timeoutMs);
    if (child.isAlive()) idle.push(child);
    else all.delete(child);
    settle(result);
    next();
  };

  return {
    evaluate: ({ expression, scope, input }) => {
      if (closed) return Promise.resolve(err(failures.closed()));
      const simple = input === undefined ? simpleExpression(expression) : undefined;
      const answer = simple === undefined ? undefined : answerSimple(simple, scope);
      if (answer !== undefined) return Promise.resolve(ok(answer.value));
      const text = JSON.stringify(input === undefined ? { names: scope } : { names: scope, input });
      if (text.length > limits.expressionInputBytesMax)
        return Promise.resolve(err(failures.inputTooLarge(text.length)));
      if (expression.length > limits.expressionCharsMax) return Promise.resolve(err(failures.tooLong(expression)));
      return new Promise((settle) => {
        queue.push({ expression, scope: text, settle });
        next();
      });
    },
    close: () => {
      closed = true;
      for (const child of all) child.kill();
      for (const { settle } of queue.splice(0)) settle(err(failures.closed()));
    },
  };
}
