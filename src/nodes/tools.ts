// tools: what executors share: the runner of commands and the evaluator of expressions. Opened once an engine, closed with it.

import { type CommandRunner, createRunner } from "../process/run.ts";
import { createEvaluator, type Evaluator } from "./expression/index.ts";

export interface Tools {
  runner: CommandRunner;
  evaluator: Evaluator;
  /** Ends every command that still runs, then the evaluators. */
  close(): Promise<void>;
}

export function createTools(): Tools {
  const runner = createRunner();
  const evaluator = createEvaluator();
  return {
    runner,
    evaluator,
    close: async () => {
      await runner.stopAll();
      evaluator.close();
    },
  };
}
