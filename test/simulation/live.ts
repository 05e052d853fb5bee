// live: runs one drawing through the real engine, from start to end, over as many lives as needed.

import { giveAnswer } from "../../src/engine/answer.ts";
import type { Engine, RunHandle, RunOutcome } from "../../src/engine/contract.ts";
import { engineOn } from "../../src/engine/open.ts";
import { pendingOf } from "../../src/engine/pending.ts";
import type { RunEvent } from "../../src/scheduler/event.ts";
import { evolve } from "../../src/scheduler/evolve.ts";
import { initialState } from "../../src/scheduler/state.ts";
import { analyze } from "../../src/workflow/graph.ts";
import { parseWorkflow } from "../../src/workflow/parse.ts";
import type { Drawing } from "../scheduler/drawing.ts";
import { answerOf } from "../scheduler/script.ts";
import { kindsIn, read } from "./commands.ts";
import { type Disk, diskOf, type openSharedDatabase } from "./disk.ts";
import { documentsOf, FILE } from "./document.ts";
import { Dead, type Life, type World } from "./world.ts";

export interface Deps {
  home: string;
  folder: string;
  database: ReturnType<typeof openSharedDatabase>;
}

export interface Lived {
  drawing: Drawing;
  world: World;
  disk: Disk;
  /** The run that counts. A start that was never acknowledged may have been lost. */
  run: string;
  events: RunEvent[];
}

const LIVES_MAX = 400;
const ROUNDS_MAX = 20_000;

/** `cancelAt`: someone cancels after so many steps. */
export async function live(
  drawing: Drawing,
  world: World,
  ground: Deps,
  { cancelAt, isLate }: { cancelAt?: number; isLate?: boolean } = {},
): Promise<Lived> {
  const disk = diskOf(world, ground.folder, ground.database, isLate);
  const one = new Lives(drawing, world, disk, ground, cancelAt);
  await one.goOn();
  return { drawing, world, disk, run: one.run, events: read(disk, one.run) };
}

class Lives {
  run = "";
  private readonly drawing: Drawing;
  private readonly world: World;
  private readonly disk: Disk;
  private readonly ground: Deps;
  private cancelAt: number | undefined;
  private readonly documents: ReturnType<typeof documentsOf>;
  private engine!: Engine;
  private handle: RunHandle | undefined;
  private outcome: RunOutcome | undefined;
  private fault: unknown;

  constructor(drawing: Drawing, world: World, disk: Disk, ground: Deps, cancelAt: number | undefined) {
    this.drawing = drawing;
    this.world = world;
    this.disk = disk;
    this.ground = ground;
    this.cancelAt = cancelAt;
    this.documents = documentsOf(drawing);
  }

  async goOn(): Promise<void> {
    await this.begin(this.world.life);
    for (let round = 0; ; round++) {
      if (round > ROUNDS_MAX || this.world.deaths > LIVES_MAX) {
        this.world.broken.push(`not over after ${round} rounds and ${this.world.deaths} deaths`);
        return;
      }
      await this.quiet();
      if (!this.world.life.alive) {
        await this.begin(this.world.rise());
        continue;
      }
      if (this.fault !== undefined) {
        this.world.broken.push(
          `the engine gave up: ${this.fault instanceof Error ? this.fault.stack : String(this.fault)}`,
        );
        return;
      }
      if (this.cancelAt !== undefined && this.world.steps >= this.cancelAt && this.handle !== undefined) {
        this.cancelAt = undefined;
        this.guarded(() => this.handle?.cancel("somebody"));
        continue;
      }
      if (this.outcome?.status === "waiting") {
        if (await this.answer()) await this.resume();
        else if (!this.moves()) return void this.world.broken.push("waits for approval without a request");
        continue;
      }
      if (this.outcome !== undefined) return this.leave();
      if (!this.moves()) return void this.world.broken.push("stuck: nothing runs and nothing is waited for");
    }
  }

  /** A life starts: it starts the run, or resumes it. */
  private async begin(life: Life): Promise<void> {
    this.outcome = undefined;
    this.fault = undefined;
    this.handle = undefined;
    const known = this.run !== "" && read(this.disk, this.run).length > 0;
    await this.guardedAsync(async () => {
      this.checkTold();
      this.engine = await engineOn(
        this.disk.store(life),
        {
          home: this.ground.home,
          env: { PATH: process.env.PATH },
          clock: this.world.clock(life),
          concurrencyDefault: 4,
          onEvent: (event) => {
            if (event.type === "run.started" && event.parent === undefined) this.run = event.run;
            this.world.tell(event);
          },
        },
        {
          owner: this.disk.ownerOf(life),
          isAlive: this.disk.isAlive,
          kinds: kindsIn(this.world, this.disk, this.drawing, life),
        },
      );
      if (known) return this.resume();
      const parsed = parseWorkflow(this.documents.text, FILE);
      if (parsed.workflow === undefined)
        throw new Error(`the document is not valid: ${JSON.stringify(parsed.diagnostics)}`);
      const begun = await this.engine.start({
        file: FILE,
        text: this.documents.text,
        workflow: parsed.workflow,
        subflows: this.documents.subflows,
        inputs: {},
        trigger: { kind: "cli" },
      });
      this.follow(begun);
    });
  }

  private async resume(): Promise<void> {
    this.outcome = undefined;
    await this.guardedAsync(async () => {
      const resumed = await this.engine.resume(this.run);
      if (!resumed.ok && resumed.error.code === "run-ended") {
        this.outcome = { id: this.run, status: "succeeded" };
        return;
      }
      this.follow(resumed);
    });
  }

  private follow(begun: Awaited<ReturnType<Engine["start"]>>): void {
    if (!begun.ok) throw new Error(`${begun.error.code}: ${begun.error.message}`);
    this.run = begun.value.id;
    this.handle = begun.value;
    const { life } = this.world;
    begun.value.done.then(
      (outcome) => {
        this.world.stirs += 1;
        if (life.alive) this.outcome = outcome;
      },
      (reason) => {
        this.world.stirs += 1;
        if (life.alive && !(reason instanceof Dead)) this.fault = reason;
      },
    );
  }

  /** One of the requests is answered. */
  private async answer(): Promise<boolean> {
    const row = this.disk.journal.findRun(this.run);
    if (!row.ok) return false;
    const store = { journal: this.disk.journal } as never;
    const pending = await pendingOf(row.value, store);
    const one = pending[Math.floor(this.world.random() * pending.length)];
    if (one === undefined) return false;
    const path = one.asker.parent === undefined ? one.request.path : one.path.split("/", 1)[0]!;
    const node = this.drawing.nodes.find(({ id }) => id === path.split("[", 1)[0])!;
    const grants =
      one.asker.parent !== undefined || ["grant", "expires-approve"].includes(answerOf(this.drawing, node, path));
    const given = await giveAnswer(
      one,
      grants ? { grant: true } : { grant: false, reason: "no" },
      store,
      (text) => text,
      () => this.world.nowMs,
    );
    if (!given.ok) this.world.broken.push(`an answer was refused: ${given.error.code} ${given.error.message}`);
    return given.ok;
  }

  /** Events that were reported must still be there, unchanged. */
  private checkTold(): void {
    for (const [run, told] of this.world.told) {
      const events = read(this.disk, run);
      for (const event of told)
        if (JSON.stringify(events[event.seq - 1]) !== JSON.stringify(event))
          this.world.broken.push(`${event.type} (${event.seq} of ${run}) was reported, and is gone`);
    }
  }

  private async leave(): Promise<void> {
    this.checkTold();
    const life = this.world.life;
    life.alive = false;
  }

  /** Waits until nothing is under way. */
  private async quiet(): Promise<void> {
    for (let still = 0, stirs = -1; still < 3; ) {
      await new Promise((resolve) => setImmediate(resolve));
      const isReading = process.getActiveResourcesInfo().some((what) => what.startsWith("FSReq"));
      still = stirs === this.world.stirs && !isReading ? still + 1 : 0;
      stirs = this.world.stirs;
    }
  }

  /** The clock moves on, or an engine that waits for a lost answer is killed. */
  private moves(): boolean {
    if (this.guardedTick()) return true;
    if (!this.world.hangs) return false;
    this.guarded(() => this.world.die("kill"));
    return true;
  }

  private guardedTick(): boolean {
    let moved = true;
    this.guarded(() => {
      moved = this.world.tick();
    });
    return moved;
  }

  private guarded(work: () => void): void {
    try {
      work();
    } catch (reason) {
      if (!(reason instanceof Dead)) throw reason;
    }
  }

  /** Until the work is done, or nothing moves because an answer is lost. */
  private async guardedAsync(work: () => Promise<void> | void): Promise<void> {
    const done = async (): Promise<void> => {
      try {
        await work();
      } catch (reason) {
        if (!(reason instanceof Dead)) this.fault = reason;
      }
    };
    await Promise.race([done(), this.quiet()]);
  }
}

/** The state behind these events, as the engine would fold it. */
export function folded(drawing: Drawing, events: readonly RunEvent[]) {
  const parsed = parseWorkflow(documentsOf(drawing).text, FILE);
  const { graph } = analyze(parsed.workflow!);
  let state = initialState(graph, { concurrencyDefault: 4 });
  for (const event of events) state = evolve(state, event);
  return { graph, state };
}
