// tools: what executors share: the runner of commands and the evaluator of expressions. Opened once an engine, closed with it.

import type { Failure } from "../base/failure.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { EgressProxy } from "../process/egress-proxy.ts";
import { type CommandRunner, createRunner } from "../process/run.ts";
import { createEvaluator, type Evaluator } from "./expression/index.ts";

export interface Tools {
  /** Curlew's home folder, absolute: what a sandbox hides. */
  home: string;
  runner: CommandRunner;
  evaluator: Evaluator;
  /** Opened when first asked for. Failure `egress-unavailable`. */
  egress(): Promise<Result<EgressProxy, Failure>>;
  /** Ends every command that still runs, then the evaluators. */
  close(): Promise<void>;
}

export function createTools(home: string): Tools {
  const runner = createRunner();
  const evaluator = createEvaluator();
  let egress: Promise<Result<EgressProxy, Failure>> | undefined;
  return {
    home,
    egress: () => {
      egress ??= import("../process/egress-proxy.ts")
        .then(({ openEgressProxy }) => openEgressProxy())
        .then(ok, (error: Error) => err(noProxy(error)));
      return egress;
    },
    runner,
    evaluator,
    close: async () => {
      await runner.stopAll();
      evaluator.close();
      const opened = await egress;
      if (opened?.ok === true) opened.value.close();
    },
  };
}

function noProxy(error: Error): Failure {
  return {
    code: "egress-unavailable",
    message: `The way out for "egress: { allow }" could not be opened: ${error.message}.`,
    hint: "Check that this machine lets programs listen on 127.0.0.1.",
  };
}
