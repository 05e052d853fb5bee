// Supervises commands and everything around them, from their start to their end (spec 3.2, 3.4). The same code runs in
// the runner process, and on Windows, which has no runner, in the engine.
//   K1. A start is recorded on disk before the process exists (`begun`). If that fails, the command is not started.
//   K2. Output is masked before it reaches anything else. Output that a secret Variable takes never reaches a disk.
//   K3. When a command has ended, its files with secrets are removed and its network proxy is closed, whether or not an
//       engine is connected.
//   K4. Growth is reported a few times per second, not for each write, so that no listener slows a command.
//   K5. After the deadline nothing starts, and commands that another machine would repeat are ended at once (spec 6.4
//       M6). This needs no engine.

import type { Server } from "node:net";
import { limits } from "../../base/limits.ts";
import type { Masker } from "../../secrets/masker.ts";
import type { Admission, EgressProxy } from "../egress-proxy.ts";
import { takeCalls } from "../http-observer/records.ts";
import { type CommandRunner, type CommandSpec, createRunner, type Ended } from "../run.ts";
import { removeArtifact } from "./artifacts.ts";
import { createDeadline, type Deadline } from "./deadline.ts";
import type { CommandEnd, Order } from "./orders.ts";
import { tagOf } from "./orders.ts";
import type { StartLog } from "./runner-dir.ts";
import { secretOutput } from "./secret-output.ts";

export interface SupervisedCommand {
  order: Order;
  /** Bytes in its output files. */
  readonly grown: { stdout: number; stderr: number };
  /** Never rejects. */
  done: Promise<CommandEnd>;
  cancel(): void;
  kill(): void;
}

export interface Supervisor {
  /** Prepares what the first command will need. */
  warm(): void;
  /** `onGrowth` is looked up each time, so that another listener can take over. */
  start(order: Order, masker: Masker, onGrowth: () => void): SupervisedCommand;
  /** K5. */
  deadline: Deadline;
  /** The port of the network proxy. Rejects if it cannot be opened. */
  egress(): Promise<number>;
  /** Kills everything and settles when it is gone. */
  stopAll(): Promise<void>;
}

/** `begun` is absent where nothing outlives the engine. */
export function createSupervisor(begun?: StartLog): Supervisor {
  const runner = createRunner();
  let proxy: Promise<EgressProxy> | undefined;
  let opened: EgressProxy | undefined;
  const repeated = new Set<() => void>();
  const deadline = createDeadline(() => {
    for (const endIt of repeated) endIt();
  });
  return {
    warm: () => runner.warm(),
    start(order, masker, onGrowth) {
      try {
        begun?.add(tagOf(order));
      } catch (reason) {
        return unstarted(order, `Curlew could not record its start (${(reason as Error).message})`);
      }
      if (order.egress !== undefined && opened === undefined) return unstarted(order, "its egress proxy is gone");
      const admission = order.egress && opened?.admit(order.egress.allow, order.egress.token);
      const kept = keep(order, masker, runner, admission, onGrowth);
      if (order.repeats !== true) return kept;
      const { endIt, done } = endedBy(kept);
      repeated.add(endIt);
      void done.then(() => repeated.delete(endIt));
      return { ...kept, done };
    },
    deadline,
    async egress() {
      proxy ??= import("../egress-proxy.ts").then(({ openEgressProxy }) => openEgressProxy());
      opened = await proxy;
      return opened.port;
    },
    async stopAll() {
      await runner.stopAll();
      opened?.close();
    },
  };
}

/** K5. A command that had exited before keeps that end. */
function endedBy(kept: SupervisedCommand): { endIt: () => void; done: Promise<CommandEnd> } {
  let isEnded = false;
  const done = kept.done.then(
    (end): CommandEnd => (isEnded && end.ended.cause.type === "cancelled" ? { ...end, leaseLost: true } : end),
  );
  const endIt = (): void => {
    isEnded = true;
    kept.kill();
  };
  return { endIt, done };
}

function keep(
  order: Order,
  masker: Masker,
  runner: CommandRunner,
  admission: Admission | undefined,
  onGrowth: () => void,
): SupervisedCommand {
  const grown = { stdout: 0, stderr: 0 };
  let timer: NodeJS.Timeout | undefined;
  const tell = (): void => {
    timer = undefined;
    onGrowth();
  };
  const secret = order.secret === true ? secretOutput(masker, () => running.kill()) : undefined;
  const { argv, env, cwd, stdin, killGraceMs, outputBytesMax, timeoutMs, idleTimeoutMs } = order;
  const running = runner.run({
    ...{ argv, env, cwd, stdin, killGraceMs, outputBytesMax },
    timeoutMs,
    idleTimeoutMs,
    ...filesOf(order),
    runTag: tagOf(order),
    transform: secret?.transform ?? (() => masker.stream()),
    onChunk: (stream, bytes) => {
      grown[stream] += bytes.length;
      timer ??= setTimeout(tell, limits.growthEveryMs);
    },
    ...sandboxOf(order, admission),
  });
  const done = running.done.then((ended): CommandEnd => {
    clearTimeout(timer);
    const egress = admission?.end();
    const taken = order.calls === undefined ? undefined : takeCalls(order.calls, (text) => masker.mask(text));
    for (const path of order.removeAfter) removeArtifact(path);
    return {
      ended,
      about: order.about,
      egress,
      http: taken === undefined || taken.calls.length === 0 ? undefined : taken.calls,
      unrecorded: taken === undefined || taken.unrecorded.length === 0 ? undefined : taken.unrecorded,
      withheld: taken === undefined || taken.withheld.length === 0 ? undefined : taken.withheld,
      secret: secret?.printed(),
    };
  });
  return { order, grown, done, cancel: () => running.cancel(), kill: () => running.kill() };
}

function filesOf({ folder, stem }: Order): Pick<CommandSpec, "stdoutFile" | "stderrFile" | "orderFile"> {
  const file = (suffix: string): string => `${folder}/${stem}.${suffix}`;
  return { stdoutFile: file("out"), stderrFile: file("err"), orderFile: file("ord") };
}

function sandboxOf({ sandbox }: Order, admission: Admission | undefined): Pick<CommandSpec, "sandbox"> {
  if (sandbox === undefined) return {};
  const { door, ...plain } = sandbox;
  if (door === undefined) return { sandbox: plain };
  return { sandbox: { ...plain, door: { ...door, open: (server: Server) => admission?.serve(server) } } };
}

function unstarted(order: Order, reason: string): SupervisedCommand {
  for (const path of order.removeAfter) removeArtifact(path);
  const ended: Ended = {
    cause: { type: "not-started", reason },
    ...{ stdoutBytes: 0, stderrBytes: 0, stdoutSha256: undefined, stderrSha256: undefined },
    durationMs: 0,
    stderrTail: "",
  };
  const done = Promise.resolve({ ended, about: order.about });
  return { order, grown: { stdout: 0, stderr: 0 }, done, cancel: () => {}, kill: () => {} };
}
