// expression: evaluates the expressions of spec 1.4 in isolated, warm child processes that can be killed.
//   E1. Every evaluation answers within about limits.expressionTimeoutMs. Otherwise its process is killed and replaced.
//   E2. Only JSON goes in and comes out, so an expression never reaches an object of the engine.
//   E3. Idle processes do not delay the engine's exit and do not outlive it.
//   E4. Each process evaluates one question at a time. Questions wait in order.

import type { Failure } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { err, type Result } from "../../base/result.ts";
import { EvaluatorProcess } from "./evaluator-process.ts";
import * as failures from "./failures.ts";

export interface Evaluation {
  expression: string;
  /** Names and their JSON values: inputs, vars, exitCode, status, headers, the loop variables, run. */
  scope: Record<string, unknown>;
  /**
   * The value that the expression is applied to (`output.select`): its members need no prefix. Absent: the scope
   * itself.
   */
  input?: unknown;
}

export interface Evaluator {
  /**
   * The expression's JSON value, `undefined` if it gives nothing. Failures: `expression-timeout`, `expression-depth`,
   * `expression-limit`, `expression-memory`, `expression-input-too-large`, `expression-result-too-large`,
   * `expression-failed`, `expression-process`.
   */
  evaluate(evaluation: Evaluation): Promise<Result<unknown, Failure>>;
  /** Ends the processes. Waiting evaluations fail with `expression-process`. */
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

/**
 * A plain expression like `exitCode = 0` can use only the names in its text, so other values are not copied to the
 * process.
 */
function spelledOut(expression: string, scope: Record<string, unknown>): Record<string, unknown> {
  if (!/^[\w\s.[\]'"=!<>]*$/.test(expression)) return scope;
  return Object.fromEntries(Object.entries(scope).filter(([name]) => expression.includes(name)));
}
