// tools: what executors share: the runner and the expression evaluator. Created and closed with the engine.

import { type Failure, failureOf } from "../base/failure.ts";
import { err, ok, type Result } from "../base/result.ts";
import { RunnerClient } from "../process/runner/client.ts";
import type { Broker } from "../secrets/tokens/broker.ts";
import { createEvaluator, type Evaluator } from "./expression/index.ts";

export interface Tools {
  /** The existing data directory, absolute: sandboxes hide it, and runners are found in it. */
  home: string;
  runner: RunnerClient;
  evaluator: Evaluator;
  /** Port of the network proxy, which is started on first use. Failure: `egress-unavailable`. */
  egress(): Promise<Result<{ port: number }, Failure>>;
  /** Source of tokens, opened on first use. Failures: `config-*`. */
  tokens(environment: Readonly<Record<string, string | undefined>>): Promise<Result<Broker, Failure>>;
  /** Nodes (`RUN PATH`) that were repeated because their token was rejected. */
  signedInAgain: Set<string>;
  /** Ends every running command, then the evaluators. */
  close(): Promise<void>;
  /** Ends the evaluators. Commands continue under their runner. */
  leave(): Promise<void>;
}

export function createTools(
  home: string,
  options: { onWarning?(warning: Failure): void; outlived?: boolean } = {},
): Tools {
  const warn = (warning: Failure): void => options.onWarning?.(warning);
  let broker: Promise<Result<Broker, Failure>> | undefined;
  const runner = new RunnerClient(home, options.outlived);
  const evaluator = createEvaluator();
  return {
    home,
    egress: async () => {
      const opened = await runner.egress();
      return "port" in opened ? ok(opened) : err(noProxy(opened.why));
    },
    runner,
    evaluator,
    signedInAgain: new Set(),
    tokens: (environment) => {
      broker ??= import("../secrets/tokens/service.ts").then(({ createBroker }) =>
        createBroker({ home, environment, warn, nowMs: Date.now }),
      );
      return broker;
    },
    close: async () => {
      await runner.close();
      evaluator.close();
    },
    leave: async () => {
      await runner.leave();
      evaluator.close();
    },
  };
}

const noProxy = failureOf("egress-unavailable", (why: string) => [
  `Curlew could not open the proxy for "egress: { allow }": ${why}.`,
  "Check that programs may listen on 127.0.0.1 on this machine.",
]);
