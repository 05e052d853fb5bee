// client: the runner as executors see it: commands are started, found again after a kill, and ended in order (spec 3.4, 5.3; ADR 32).
//   C1. The runner's name is recorded with an attempt before it is started, and the attempt is started by that runner or not at all:
//       otherwise nobody could say later whether it began.
//   C2. What became of an attempt is found out, never guessed: alive (adopted), ended, never begun; else it is lost, and what may be left
//       of it is ended first.
//   C3. A runner that dies takes its commands with it; the next command gets a new runner. Where none can be had, commands are kept in
//       this process and end with it, as on Windows.
//   C4. Whatever ends this process in an orderly way says `bye`: no command is left running.
//   C6. But for a server (`outlived`), in order (`leave`) or at once: its runner is left as if the server had been killed, and the next one
//       adopts the commands.
//   C7. So it is for a run that stops in the middle (a store that refuses): nothing of it is ended, nor its end forgotten, by `bye`.
//   C5. Nothing waits for ever: a runner that does not end its commands in time is ended itself, and they with it.

import { rmSync } from "node:fs";
import type { Socket } from "node:net";
import { limits } from "../../base/limits.ts";
import { endTagged } from "../../process/tree.ts";
import type { Masker } from "../../secrets/masker.ts";
import type { GrowthListener } from "../executor.ts";
import { findKept, type Place } from "./find.ts";
import { createKeeper, type Keeper } from "./keeper.ts";
import { Link, Masks } from "./link.ts";
import { type KeptEnd, type Order, tagOf } from "./orders.ts";
import { hasBegun, hasBegunSome, runnerFolder } from "./places.ts";
import { takeRunner } from "./process.ts";

/** `not-started`: it is known that it was never begun. `lost`: how it ended is not known. */
export type KeptOutcome = KeptEnd | "not-started" | "lost";

export interface Kept {
  /** Never rejects. */
  done: Promise<KeptOutcome>;
  cancel(): void;
  kill(): void;
  /** Its end is on disk for good. */
  recorded(): void;
}

export interface FoundAgain extends Kept {
  /** Whether there is something to go on with; `keeps`: files that a living command needs. Settles before `done`. */
  found: Promise<{ adopted: boolean; keeps: readonly string[] }>;
}

export interface Runner {
  /** To be recorded with what it is to start (C1); undefined where commands end with this process. */
  name(): string | undefined;
  /** `by`: its name when that was recorded. */
  start(by: string | undefined, order: Order, masker: Masker, onGrowth?: GrowthListener): Kept;
  /** An attempt of before: `by` is the runner that was to start it. */
  find(by: string | undefined, place: Place, masker: Masker, onGrowth?: GrowthListener): FoundAgain;
  egress(): Promise<{ port: number } | { why: string }>;
  /** A run stopped in the middle: its commands go on as if this process had died, and their ends are kept (C7). */
  leaveRun(run: string): void;
  /** Ends everything that runs, and the runner. */
  close(): Promise<void>;
  /** What runs goes on without us, for whoever adopts it (C6). */
  leave(): Promise<void>;
}

/** `outlived`: commands go on however this process ends. */
export function createRunnerClient(home: string, outlived = false): Runner {
  return new Client(home, outlived);
}

class Client implements Runner {
  private readonly home: string;
  private readonly outlived: boolean;
  private readonly masks = new Masks();
  private own: Link | undefined;
  private inside: Keeper | undefined;
  /** Those of engines that have died, by name. */
  private readonly others = new Map<string, Promise<Link | undefined>>();
  private readonly links = new Set<Link>();
  /** And the runs they are of. */
  private readonly open = new Map<Kept, string>();
  /** C7. */
  private readonly left = new Set<string>();
  private readonly onExit = (): void => {
    for (const link of this.links) link.bye([...this.left]);
  };

  constructor(home: string, outlived: boolean) {
    this.home = home;
    this.outlived = outlived;
  }

  name(): string | undefined {
    if (this.inside !== undefined) return undefined;
    if (this.own !== undefined && !this.own.isBroken) return this.own.name;
    const before = this.own;
    // One that never came up would not come up again. One that began a command had come up, though its word may have been lost with it.
    const isHopeless = before !== undefined && !before.isReady && !hasBegunSome(runnerFolder(this.home, before.name));
    const taken = isHopeless ? undefined : takeRunner();
    if (taken === undefined) {
      this.inside = createKeeper();
      return undefined;
    }
    this.own = this.joined(new Link(taken.name, taken.pid, taken.socket, this.masks));
    this.own.hello(this.home);
    return taken.name;
  }

  start(by: string | undefined, order: Order, masker: Masker, onGrowth?: GrowthListener): Kept {
    const link = this.own;
    this.left.delete(order.run);
    if (this.name() !== by) return { done: Promise.resolve("not-started"), ...NOTHING };
    if (this.inside !== undefined) return this.startInside(this.inside, order, masker, onGrowth);
    return this.startBy(link ?? this.own!, order, masker, onGrowth);
  }

  find(by: string | undefined, place: Place, masker: Masker, onGrowth?: GrowthListener): FoundAgain {
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

  leaveRun(run: string): void {
    for (const [kept, of] of this.open) {
      if (of !== run) continue;
      if (this.inside === undefined) this.open.delete(kept);
      else kept.kill();
    }
    this.left.add(run);
    for (const link of this.links) link.forgetRun(run);
  }

  async close(): Promise<void> {
    const open = [...this.open.keys()];
    for (const kept of open) kept.kill();
    const late = setTimeout(() => this.endThose(), limits.runnerAnswerMs);
    await Promise.all(open.map(({ done }) => done)).finally(() => clearTimeout(late));
    await this.inside?.stopAll();
    // What has not come up has nothing to end, and would still make its folder when nobody expects it any more.
    if (this.own?.isReady === false && this.left.size === 0) this.own.end();
    for (const link of [...this.links]) link.close([...this.left]);
    // The runner does it too; but whoever looks when this process has ended should find nothing.
    if (this.own !== undefined && this.left.size === 0) removeIfItGoes(runnerFolder(this.home, this.own.name));
    process.removeListener("exit", this.onExit);
  }

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

  private startBy(link: Link, order: Order, masker: Masker, onGrowth: GrowthListener | undefined): Kept {
    const tag = tagOf(order);
    let stopped: "cancel" | "kill" | undefined;
    let again: FoundAgain | undefined;
    /** The way to it has ended, which does not say that it has (C2). */
    const seekAgain = (): Promise<KeptOutcome> => {
      again = this.seek(link.name, order, masker, onGrowth, !link.isReady);
      if (stopped !== undefined) again[stopped]();
      return again.done;
    };
    const done = new Promise<KeptOutcome>((resolve) => {
      const settle = (end: KeptEnd | "refused" | "broken"): void => {
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

  /** `neverReady`: it was to start it, and had not even said that it can. */
  private seek(
    by: string | undefined,
    place: Place,
    masker: Masker,
    onGrowth: GrowthListener | undefined,
    neverReady: boolean,
  ): FoundAgain {
    return findKept(by, place, {
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
    const begun = hasBegun(runnerFolder(this.home, runner), tag);
    if (begun === false || (begun === undefined && neverReady)) return "not-started";
    await endTagged(tag);
    return "lost";
  }

  private startInside(keeper: Keeper, order: Order, masker: Masker, onGrowth: GrowthListener | undefined): Kept {
    const command = keeper.start(order, masker, () => {
      for (const stream of ["stdout", "stderr"] as const) onGrowth?.(stream, command.grown[stream]);
    });
    return this.kept(order.run, { done: command.done, cancel: command.cancel, kill: command.kill, recorded: () => {} });
  }

  private kept<K extends Kept>(run: string, kept: K): K {
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
    link.onBroken = () => {
      this.links.delete(link);
      this.others.delete(link.name);
    };
    return link;
  }
}

const NOTHING = { cancel: () => {}, kill: () => {}, recorded: () => {} };

/** What stays is swept by the next one (places.ts): no reason to fail at the very end. */
function removeIfItGoes(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Swept later.
  }
}
