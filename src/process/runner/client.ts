// client: starts commands through a runner, finds them after a crash, and ends them in order (spec 3.4, 5.3; ADR 32).
//   C1. The runner's name is recorded with an attempt before the start, and only that runner may start it.
//   C2. The fate of an attempt is determined, never guessed: alive (adopted), ended, or never started. Otherwise it is
//       lost, and any processes left of it are ended first.
//   C3. A runner that dies takes its commands with it, and the next command gets a new runner. If no runner can be
//       started, commands are supervised in this process and end with it, as on Windows.
//   C4. Any orderly end of this process sends `bye`: no command is left running.
//   C5. Nothing waits forever: a runner that does not end its commands in time is killed, and they with it.
//   C6. A server (`outlived`) leaves its runner as after a crash, and the next server adopts the commands.
//   C7. So does a run that stops in the middle (a store that refuses): `bye` does not end its commands.
//   C8. In a cluster, each runner learns first when another machine may repeat its commands (deadline.ts).

import { rmSync } from "node:fs";
import type { Socket } from "node:net";
import { limits } from "../../base/limits.ts";
import type { Masker } from "../../secrets/masker.ts";
import type { GrowthListener } from "../output.ts";
import { endTagged } from "../tree.ts";
import { type AttemptFolder, findRunning } from "./find.ts";
import { createSupervisor, type Supervisor } from "./keeper.ts";
import { Link, Masks } from "./link.ts";
import { type CommandEnd, type Order, tagOf } from "./orders.ts";
import { takeRunner } from "./process.ts";
import { hasStarted, hasStartedAny, runnerFolder } from "./runner-dir.ts";

/** `not-started`: it was certainly never started. `lost`: it is unknown how it ended. */
export type CommandOutcome = CommandEnd | "not-started" | "lost";

export interface RunnerCommand {
  /** Never rejects. */
  done: Promise<CommandOutcome>;
  cancel(): void;
  kill(): void;
  /** Its end is durable on disk. */
  recorded(): void;
}

export interface FoundCommand extends RunnerCommand {
  /** Whether it can continue. `keeps`: files that a living command needs. Settles before `done`. */
  found: Promise<{ adopted: boolean; keeps: readonly string[] }>;
}

/** `outlived`: commands continue however this process ends. */
export class RunnerClient {
  private readonly home: string;
  private readonly outlived: boolean;
  private readonly masks = new Masks();
  private own: Link | undefined;
  private inside: Supervisor | undefined;
  /** Links to runners of dead engines, by name. */
  private readonly others = new Map<string, Promise<Link | undefined>>();
  private readonly links = new Set<Link>();
  /** Supervised commands, with the ids of their runs. */
  private readonly open = new Map<RunnerCommand, string>();
  /** C8. */
  private deadlineMs: number | undefined;
  /** C7. */
  private readonly left = new Set<string>();
  private readonly onExit = (): void => {
    for (const link of this.links) link.bye([...this.left]);
  };

  constructor(home: string, outlived = false) {
    this.home = home;
    this.outlived = outlived;
  }

  /** Recorded with the attempt that it is to start (C1). Undefined where commands end with this process. */
  name(): string | undefined {
    if (this.inside !== undefined) return undefined;
    if (this.own !== undefined && !this.own.isBroken) return this.own.name;
    const before = this.own;
    // A runner that never came up would not come up the next time. If it started a command it was up, even if its
    // message was lost.
    const isHopeless = before !== undefined && !before.isReady && !hasStartedAny(runnerFolder(this.home, before.name));
    const taken = isHopeless ? undefined : takeRunner();
    if (taken === undefined) {
      this.inside = createSupervisor();
      this.inside.deadline.set(this.deadlineMs);
      return undefined;
    }
    this.own = this.joined(new Link(taken.name, taken.pid, taken.socket, this.masks));
    this.own.hello(this.home);
    return taken.name;
  }

  /** `by`: the runner's name when that was recorded. */
  start(by: string | undefined, order: Order, masker: Masker, onGrowth?: GrowthListener): RunnerCommand {
    const link = this.own;
    this.left.delete(order.run);
    if (this.name() !== by) return { done: Promise.resolve("not-started"), ...NO_CONTROL };
    if (this.inside !== undefined) return this.startInside(this.inside, order, masker, onGrowth);
    return this.startBy(link ?? this.own!, order, masker, onGrowth);
  }

  /** Finds an earlier process's attempt. `by`: the runner that was to start it. */
  find(by: string | undefined, place: AttemptFolder, masker: Masker, onGrowth?: GrowthListener): FoundCommand {
    this.left.delete(place.run);
    return this.kept(place.run, this.seek(by, place, masker, onGrowth, false));
  }

  async egress(): Promise<{ port: number } | { why: string }> {
    this.name();
    if (this.inside === undefined) return this.own!.egress();
    return this.inside.egress().then(
      (port) => ({ port }),
      (reason: Error) => ({ why: reason.message }),
    );
  }

  /** C8. On the clock of `sinceBootMs`. */
  deadline(atMs: number): void {
    this.deadlineMs = atMs;
    this.inside?.deadline.set(atMs);
    for (const link of this.links) link.deadline(atMs);
  }

  /** A run stopped in the middle: its commands continue as if this process had died, and their ends are kept (C7). */
  leaveRun(run: string): void {
    for (const [kept, of] of this.open) {
      if (of !== run) continue;
      if (this.inside === undefined) this.open.delete(kept);
      else kept.kill();
    }
    this.left.add(run);
    for (const link of this.links) link.forgetRun(run);
  }

  /** Ends every running command, and the runner. */
  async close(): Promise<void> {
    const open = [...this.open.keys()];
    for (const kept of open) kept.kill();
    const late = setTimeout(() => this.endThose(), limits.runnerAnswerMs);
    await Promise.all(open.map(({ done }) => done)).finally(() => clearTimeout(late));
    await this.inside?.stopAll();
    // A runner that has not come up has nothing to end, and could still create its folder later.
    if (this.own?.isReady === false && this.left.size === 0) this.own.end();
    for (const link of [...this.links]) link.close([...this.left]);
    // The runner does it too, but no folder should be left when this process has ended.
    if (this.own !== undefined && this.left.size === 0) removeIfItGoes(runnerFolder(this.home, this.own.name));
    process.removeListener("exit", this.onExit);
  }

  /** Running commands continue without this process and can be adopted (C6). */
  async leave(): Promise<void> {
    if (this.open.size === 0) return this.close();
    await this.inside?.stopAll();
    await Promise.all([...this.links].map((link) => link.leave()));
    process.removeListener("exit", this.onExit);
  }

  /** C5. */
  private endThose(): void {
    for (const link of this.links) link.end();
  }

  private startBy(link: Link, order: Order, masker: Masker, onGrowth: GrowthListener | undefined): RunnerCommand {
    const tag = tagOf(order);
    let stopped: "cancel" | "kill" | undefined;
    let again: FoundCommand | undefined;
    /** The connection was lost, which does not mean that the command has ended (C2). */
    const seekAgain = (): Promise<CommandOutcome> => {
      again = this.seek(link.name, order, masker, onGrowth, !link.isReady);
      if (stopped !== undefined) again[stopped]();
      return again.done;
    };
    const done = new Promise<CommandOutcome>((resolve) => {
      const settle = (end: CommandEnd | "refused" | "broken"): void => {
        if (end === "refused") resolve("not-started");
        else resolve(end === "broken" ? seekAgain() : end);
      };
      link.start(order, tag, masker, { onGrowth, grown: { stdout: 0, stderr: 0 }, settle });
    });
    const stop = (how: "cancel" | "kill"): void => {
      if (stopped !== "kill") stopped = how;
      if (again === undefined) link.stop(tag, how);
      else again[how]();
    };
    return this.kept(order.run, {
      done,
      cancel: () => stop("cancel"),
      kill: () => stop("kill"),
      recorded: () => (again === undefined ? link.wasRecorded(tag) : again.recorded()),
    });
  }

  /** `neverReady`: the runner was to start it, but had not reported that it was ready. */
  private seek(
    by: string | undefined,
    place: AttemptFolder,
    masker: Masker,
    onGrowth: GrowthListener | undefined,
    neverReady: boolean,
  ): FoundCommand {
    return findRunning(by, place, {
      home: this.home,
      masker,
      onGrowth,
      reach: (name, connect) => this.reach(name, connect),
      became: () => this.becameOf(by ?? "", place, neverReady),
    });
  }

  /** C2: its runner is dead. */
  private async becameOf(
    runner: string,
    place: { run: string; stem: string },
    neverReady: boolean,
  ): Promise<"not-started" | "lost"> {
    const tag = tagOf(place);
    const begun = hasStarted(runnerFolder(this.home, runner), tag);
    if (begun === false || (begun === undefined && neverReady)) return "not-started";
    await endTagged(tag);
    return "lost";
  }

  private startInside(
    keeper: Supervisor,
    order: Order,
    masker: Masker,
    onGrowth: GrowthListener | undefined,
  ): RunnerCommand {
    if (keeper.deadline.isOver()) return { done: Promise.resolve("not-started"), ...NO_CONTROL };
    const command = keeper.start(order, masker, () => {
      for (const stream of ["stdout", "stderr"] as const) onGrowth?.(stream, command.grown[stream]);
    });
    return this.kept(order.run, { done: command.done, cancel: command.cancel, kill: command.kill, recorded: () => {} });
  }

  private kept<K extends RunnerCommand>(run: string, kept: K): K {
    this.open.set(kept, run);
    void kept.done.then(() => this.open.delete(kept));
    return kept;
  }

  private reach(
    name: string,
    connect: () => Promise<{ pid: number; socket: Socket } | undefined>,
  ): Promise<Link | undefined> {
    if (this.own?.name === name && !this.own.isBroken) return Promise.resolve(this.own);
    let other = this.others.get(name);
    if (other === undefined) {
      other = connect().then((at) => {
        if (at === undefined) return undefined;
        return this.joined(new Link(name, at.pid, at.socket, this.masks));
      });
      this.others.set(name, other);
      void other.then((link) => {
        if (link === undefined || link.isBroken) this.others.delete(name);
      });
    }
    return other.then((link) => (link?.isBroken === true ? undefined : link));
  }

  private joined(link: Link): Link {
    if (this.links.size === 0 && !this.outlived) process.on("exit", this.onExit);
    this.links.add(link);
    if (this.deadlineMs !== undefined) link.deadline(this.deadlineMs);
    link.onBroken = () => {
      this.links.delete(link);
      this.others.delete(link.name);
    };
    return link;
  }
}

const NO_CONTROL = { cancel: () => {}, kill: () => {}, recorded: () => {} };

/** A folder that remains is removed by a later engine (runner-dir.ts), so this must not fail. */
function removeIfItGoes(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Removed later.
  }
}
