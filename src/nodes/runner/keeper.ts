// keeper: commands with all that stands around them, from their start to their known end (spec 3.2, 3.4). The same code keeps them in
// the runner's process and, where there is none (Windows), in the engine's.
//   K1. What a command begins is on disk before its process exists (`begun`); what cannot be written down is not started.
//   K2. Output is masked before it reaches anything; what a secret Variable takes reaches no disk.
//   K3. When a command has ended its files with secrets are gone and its way out is closed, whoever looks on.
//   K4. Growth is told some times a second, never for each write: nobody who listens slows a command.
// Deliberately absent: sockets, engines (main.ts), what an exit code means.

import type { Server } from "node:net";
import { limits } from "../../base/limits.ts";
import type { Admission, EgressProxy } from "../../process/egress-proxy.ts";
import { type CommandRunner, type CommandSpec, createRunner, type Ended } from "../../process/run.ts";
import type { Masker } from "../../secrets/masker.ts";
import { takeCalls } from "../http-observer/records.ts";
import { removeLeft } from "../left.ts";
import { secretOutput } from "../secret-output.ts";
import type { KeptEnd, Order } from "./orders.ts";
import { tagOf } from "./orders.ts";
import type { Begun } from "./places.ts";

export interface KeptCommand {
  order: Order;
  /** Bytes in its output files. */
  readonly grown: { stdout: number; stderr: number };
  /** Never rejects. */
  done: Promise<KeptEnd>;
  cancel(): void;
  kill(): void;
}

export interface Keeper {
  /** Makes ready what the first command will need. */
  warm(): void;
  /** `onGrowth` is asked for each time, so that another may listen later. */
  start(order: Order, masker: Masker, onGrowth: () => void): KeptCommand;
  /** The port of the way out. Rejects when it cannot be opened. */
  egress(): Promise<number>;
  /** Kills everything and settles when it is gone. */
  stopAll(): Promise<void>;
}

/** `begun` is absent where nothing outlives the engine. */
export function createKeeper(begun?: Begun): Keeper {
  const runner = createRunner();
  let proxy: Promise<EgressProxy> | undefined;
  let opened: EgressProxy | undefined;
  return {
    warm: () => runner.warm(),
    start(order, masker, onGrowth) {
      try {
        begun?.add(tagOf(order));
      } catch (reason) {
        return unstarted(order, `it could not be written down that it begins (${(reason as Error).message})`);
      }
      if (order.egress !== undefined && opened === undefined) return unstarted(order, "its way out is gone");
      const admission = order.egress && opened?.admit(order.egress.allow, order.egress.token);
      return keep(order, masker, runner, admission, onGrowth);
    },
    async egress() {
      proxy ??= import("../../process/egress-proxy.ts").then(({ openEgressProxy }) => openEgressProxy());
      opened = await proxy;
      return opened.port;
    },
    async stopAll() {
      await runner.stopAll();
      opened?.close();
    },
  };
}

function keep(
  order: Order,
  masker: Masker,
  runner: CommandRunner,
  admission: Admission | undefined,
  onGrowth: () => void,
): KeptCommand {
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
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(idleTimeoutMs === undefined ? {} : { idleTimeoutMs }),
    ...filesOf(order),
    runTag: tagOf(order),
    transform: secret?.transform ?? (() => masker.stream()),
    onChunk: (stream, bytes) => {
      grown[stream] += bytes.length;
      timer ??= setTimeout(tell, limits.growthEveryMs);
    },
    ...sandboxOf(order, admission),
  });
  const done = running.done.then((ended): KeptEnd => {
    clearTimeout(timer);
    const egress = admission?.end();
    const taken = order.calls === undefined ? undefined : takeCalls(order.calls, (text) => masker.mask(text));
    for (const path of order.removeAfter) removeLeft(path);
    return {
      ended,
      about: order.about,
      ...(egress === undefined ? {} : { egress }),
      ...(taken === undefined || taken.calls.length === 0 ? {} : { http: taken.calls }),
      ...(taken === undefined || taken.unrecorded.length === 0 ? {} : { unrecorded: taken.unrecorded }),
      ...(secret === undefined ? {} : { secret: secret.printed() }),
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

function unstarted(order: Order, reason: string): KeptCommand {
  for (const path of order.removeAfter) removeLeft(path);
  const ended: Ended = {
    cause: { type: "not-started", reason },
    ...{ stdoutBytes: 0, stderrBytes: 0, stdoutSha256: undefined, stderrSha256: undefined },
    durationMs: 0,
    stderrTail: "",
  };
  const done = Promise.resolve({ ended, about: order.about });
  return { order, grown: { stdout: 0, stderr: 0 }, done, cancel: () => {}, kill: () => {} };
}
