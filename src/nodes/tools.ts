// tools: what executors share: the runner of commands and the evaluator of expressions. Opened once an engine, closed with it.

import { type CommandRunner, createRunner } from "../process/run.ts";
import { createEvaluator, type Evaluator } from "./expression/index.ts";

export interface Tools {
  /** Curlew's home folder, absolute: what a sandbox hides. */
  home: string;
  runner: CommandRunner;
  evaluator: Evaluator;
  /** Ends every command that still runs, then the evaluators. */
  close(): Promise<void>;
}

export function createTools(home: string): Tools {
  const runner = createRunner();
  const evaluator = createEvaluator();
  return {
    home,
    runner,
    evaluator,
    close: async () => {
      await runner.stopAll();
      evaluator.close();
    },
  };
}
