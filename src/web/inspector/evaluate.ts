// evaluate: evaluates an expression with the last run's data in its own thread (ui 6.3 "live result"). The thread is
// terminated if it takes too long.
//   W1. No expression blocks the page, not even an endless one.
//   W2. Only the newest request is answered.

import { limits } from "../../base/limits.ts";
import type { Evaluated, ExpressionInput } from "../../workflow/evaluate.ts";
import { startWorker } from "../app/worker.ts";
import workerUrl from "./evaluate.worker.ts?worker&url";

export interface Evaluating {
  ask(expression: string, given: ExpressionInput): Promise<Evaluated | undefined>;
  close(): void;
}

/** Time beyond the engine's own limit before the thread is terminated. */
const GRACE_MS = 500;

export function evaluating(): Evaluating {
  let worker: Worker | undefined;
  let asked = 0;
  const end = () => {
    worker?.terminate();
    worker = undefined;
  };
  return {
    ask: (expression, given) => {
      const id = ++asked;
      worker ??= startWorker(workerUrl);
      const thread = worker;
      return new Promise((settle) => {
        const late = setTimeout(() => {
          end();
          settle({ failure: { code: "D1012", message: "It takes too long" } });
        }, limits.expressionTimeoutMs + GRACE_MS);
        const hear = ({ data }: MessageEvent<{ id: number; answer: Evaluated }>) => {
          if (data.id !== id) return;
          clearTimeout(late);
          thread.removeEventListener("message", hear);
          settle(id === asked ? data.answer : undefined);
        };
        thread.addEventListener("message", hear);
        thread.postMessage({ id, expression, given });
      });
    },
    close: end,
  };
}
