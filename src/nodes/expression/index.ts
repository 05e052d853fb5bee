// expression: evaluates the expressions of spec 1.4 behind a wall, in warm child processes that can be killed.
//   E1. Whatever an expression does, its answer comes within limits.expressionTimeoutMs and a little, or its process is killed and replaced.
//   E2. Only JSON goes in and comes out; no object of the engine is ever reached.
//   E3. Idle processes hold nothing up: neither the engine's exit nor, once it is gone, the machine.
// One question at a time in a process; questions wait in order.

import type { Failure } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { err, type Result } from "../../base/result.ts";
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
      const names = spelledOut(expression, scope);
      const text = JSON.stringify(input === undefined ? { names } : { names, input });
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

/** `exitCode = 0` reaches only the names in its text: large values that it does not name are not copied to the process. */
function spelledOut(expression: string, scope: Record<string, unknown>): Record<string, unknown> {
  if (!/^[\w\s.[\]'"=!<>]*$/.test(expression)) return scope;
  return Object.fromEntries(Object.entries(scope).filter(([name]) => expression.includes(name)));
}
