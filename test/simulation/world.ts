// world: one seeded world for the real engine to live and die in: a clock, a disk, processes, and kills (spec 5.7).
//   W1. The clock moves only when nothing else can happen, to the time of the next timer.
//   W2. Every call of the engine to the world is a numbered step. At a step the engine may be killed (`kill`: processes
//       continue, the disk has what was written) or the power cut (`power`: processes die, unsynced writes are gone).
//   W3. A dead engine touches nothing: its calls throw `Dead`, its timers never fire, its promises never resolve.
//   W4. A broken promise is recorded in `broken` at the moment it happens.

import type { Clock } from "../../src/engine/clock.ts";
import type { AttemptEnding } from "../../src/kinds/executor.ts";
import type { RunEvent } from "../../src/scheduler/event.ts";
import type { Random } from "../scheduler/generate.ts";

/** Thrown through an engine that has died. */
export class Dead extends Error {
  override name = "Dead";
}

export type Death = "kill" | "power";

/** A life of the engine: from its start to its death. */
export interface Life {
  number: number;
  alive: boolean;
}

export interface Process {
  run: string;
  stem: string;
  path: string;
  number: number;
  startedMs: number;
  endsMs: number;
  ending: AttemptEnding;
  /** `gone`: ended by a power cut, with an unknown result. */
  state: "running" | "ended" | "gone";
  /** Called at its end. */
  settle?: ((ending: AttemptEnding) => void) | undefined;
  life: Life;
}

interface Timer {
  atMs: number;
  order: number;
  life: Life;
  call(): void;
}

const START_MS = Date.UTC(2026, 0, 1);

export class World {
  nowMs = START_MS;
  steps = 0;
  deaths = 0;
  powerCuts = 0;
  /** Grows with each event: while it stays the same, nothing is under way. */
  stirs = 0;
  /** An answer never comes: only a death helps. */
  hangs = false;
  /** The engine looks for processes of earlier lives. */
  adopts = false;
  readonly broken: string[] = [];
  readonly processes = new Map<string, Process>();
  /** Events that were reported. */
  readonly told = new Map<string, RunEvent[]>();
  life: Life = { number: 1, alive: true };
  died: Death | undefined;
  readonly random: Random;
  private readonly dies: (step: number) => Death | undefined;
  private timers: Timer[] = [];
  private order = 0;

  constructor(random: Random, dies: (step: number) => Death | undefined) {
    this.random = random;
    this.dies = dies;
  }

  /** A place where death may come. Throws if it does, or if it has. */
  step(life: Life): void {
    this.stirs += 1;
    if (!life.alive) throw new Dead();
    this.steps += 1;
    const death = this.dies(this.steps);
    if (death !== undefined) this.die(death);
  }

  die(death: Death): never {
    this.life.alive = false;
    this.hangs = false;
    this.died = death;
    this.deaths += 1;
    if (death === "power") this.powerCuts += 1;
    for (const one of this.processes.values()) {
      delete one.settle;
      if (death === "power" && one.state === "running") one.state = "gone";
    }
    throw new Dead();
  }

  /** The next life begins, a while later. */
  rise(): Life {
    this.life = { number: this.life.number + 1, alive: true };
    const power = this.died === "power";
    this.died = undefined;
    this.timers = [];
    this.pass(this.nowMs + Math.floor(this.random() * (power ? 20_000 : 3_000)));
    return this.life;
  }

  clock(life: Life): Clock {
    return {
      nowMs: () => this.nowMs,
      upMs: () => this.nowMs - START_MS,
      at: (atMs, call) => {
        const timer = { atMs, order: this.order++, life, call };
        this.timers.push(timer);
        this.stirs += 1;
        return () => {
          this.timers = this.timers.filter((other) => other !== timer);
        };
      },
    };
  }

  /** Moves the clock to the next event. False if nothing will happen. */
  tick(): boolean {
    const timer = this.timers.filter(({ life }) => life.alive).sort((a, b) => a.atMs - b.atMs || a.order - b.order)[0];
    const process = [...this.processes.values()]
      .filter(({ state }) => state === "running")
      .sort((a, b) => a.endsMs - b.endsMs)[0];
    if (timer === undefined && process === undefined) return false;
    if (process !== undefined && (timer === undefined || process.endsMs <= timer.atMs)) {
      this.pass(process.endsMs);
      return true;
    }
    this.pass(timer!.atMs);
    this.timers = this.timers.filter((other) => other !== timer);
    timer!.call();
    return true;
  }

  /** A process starts. */
  launch(process: Omit<Process, "startedMs" | "endsMs" | "state">, lastsMs: number): void {
    const key = `${process.run} ${process.stem}`;
    if (this.processes.has(key)) this.broken.push(`${process.path} #${process.number}: its process was started twice`);
    this.processes.set(key, { ...process, startedMs: this.nowMs, endsMs: this.nowMs + lastsMs, state: "running" });
  }

  end(process: Process, ending: AttemptEnding = process.ending): void {
    if (process.state !== "running") return;
    process.state = "ended";
    process.ending = ending;
    this.stirs += 1;
    const { settle } = process;
    if (settle === undefined) return;
    try {
      this.step(this.life);
    } catch (reason) {
      if (reason instanceof Dead) return;
      throw reason;
    }
    settle(ending);
  }

  tell(event: RunEvent): void {
    const known = this.told.get(event.run);
    if (known === undefined) this.told.set(event.run, [event]);
    else known.push(event);
  }

  /** Time passes, and processes end. */
  private pass(untilMs: number): void {
    this.nowMs = Math.max(this.nowMs, untilMs);
    for (const process of this.processes.values())
      if (process.state === "running" && process.endsMs <= this.nowMs) this.end(process);
  }
}
