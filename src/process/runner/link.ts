// link: one connection of an engine to a runner: its own, or the one of a dead engine (spec 5.3).
//   L1. A masker's secrets are sent before the first command that needs it, and later ones as soon as it learns them.
//   L2. When the connection ends, every waiting caller is notified once.
//   L3. A runner that was stopped with SIGSTOP is woken to end one of its commands.
//   L4. A runner that was started and does not come up (no threads left on the machine) is killed after a while.

import type { Socket } from "node:net";
import { limits } from "../../base/limits.ts";
import type { Masker } from "../../secrets/masker.ts";
import { stateOf, wake } from "../identity.ts";
import { onFrames, sendFrame, sendNow } from "./frames.ts";
import { type Adopted, type CommandEnd, isCommandOf, type Order, type ToEngine, type ToRunner } from "./orders.ts";

export interface Waiting {
  onGrowth?: ((stream: "stdout" | "stderr", bytes: number) => void) | undefined;
  grown: { stdout: number; stderr: number };
  /** `refused`: it was not started, and will not be. `broken`: the runner is gone. */
  settle(end: CommandEnd | "refused" | "broken"): void;
}

export class Link {
  readonly name: string;
  readonly pid: number;
  /** The runner has reported that it can record starts. */
  isReady = false;
  isBroken = false;
  onBroken: () => void = () => {};
  private readonly socket: Socket;
  private readonly waiting = new Map<string, Waiting>();
  private readonly asks = new Map<number, (answer: ToEngine | undefined) => void>();
  private readonly masks: Masks;
  private nextAsk = 1;
  private recorded: string[] = [];
  private late: NodeJS.Timeout | undefined;

  constructor(name: string, pid: number, socket: Socket, masks: Masks) {
    this.name = name;
    this.pid = pid;
    this.socket = socket;
    this.masks = masks;
    socket.on("error", () => {});
    socket.on("close", () => this.broke());
    onFrames<ToEngine>(socket, (message) => this.take(message));
    if (socket.destroyed) this.broke();
  }

  hello(home: string): void {
    this.send({ do: "hello", home, name: this.name });
    this.late = setTimeout(() => this.endUnlessReady(), limits.runnerAnswerMs).unref();
  }

  /** L4. Messages that arrived while this process was suspended are read first. */
  private endUnlessReady(): void {
    setImmediate(() => {
      if (!this.isReady) this.end();
    });
  }

  start(order: Order, tag: string, masker: Masker, waiting: Waiting): void {
    if (this.isBroken) {
      waiting.settle("broken");
      return;
    }
    this.wait(tag, waiting);
    const mask = this.masks.tell(this, masker);
    this.send({ do: "start", order, mask, growth: waiting.onGrowth !== undefined });
  }

  async adopt(run: string, tags: string[], masker: Masker): Promise<Record<string, Adopted> | undefined> {
    const mask = this.masks.tell(this, masker);
    const answer = await this.ask((ask) => ({ do: "adopt", ask, run, tags, mask }));
    return answer?.tell === "adopted" ? answer.found : undefined;
  }

  async egress(): Promise<{ port: number } | { why: string }> {
    const answer = await this.ask((ask) => ({ do: "egress", ask }));
    if (answer?.tell !== "egress") return { why: "the runner process has ended" };
    return answer.port === undefined ? { why: answer.why ?? "it failed" } : { port: answer.port };
  }

  deadline(atMs: number | undefined): void {
    this.send({ do: "deadline", atMs });
  }

  /** Waits for an adopted or newly started command. */
  wait(tag: string, waiting: Waiting): void {
    this.waiting.set(tag, waiting);
    this.socket.ref();
  }

  /** Stops waiting for it. */
  forget(tag: string): void {
    this.waiting.delete(tag);
    this.unrefIfIdle();
  }

  /** Stops waiting for all commands of the run. */
  forgetRun(run: string): void {
    for (const tag of this.waiting.keys()) if (isCommandOf(run, tag)) this.forget(tag);
  }

  /** L3. */
  stop(tag: string, how: "cancel" | "kill"): void {
    if (!this.isBroken && stateOf(this.name).state === "alive") wake(this.pid);
    this.send({ do: how, tag });
  }

  /** Kills a runner that does not answer, because its commands have to end. */
  end(): void {
    if (!this.isBroken && stateOf(this.name).state === "alive") process.kill(this.pid, "SIGKILL");
  }

  /** Sent with the next message, because nothing waits for it. */
  wasRecorded(tag: string): void {
    if (this.recorded.length === 0) setImmediate(() => this.sendRecorded());
    this.recorded.push(tag);
  }

  /** `left`: runs whose commands it keeps running. */
  bye(left: readonly string[]): void {
    if (!this.isBroken && !this.socket.destroyed) sendNow(this.socket, { do: "bye", left } satisfies ToRunner);
  }

  close(left: readonly string[]): void {
    this.bye(left);
    this.socket.end();
    this.socket.unref();
  }

  /**
   * Without `bye` the runner keeps its commands running (M2 of main.ts). Settles when everything before has been sent.
   */
  leave(): Promise<void> {
    this.isBroken = true;
    this.masks.drop(this);
    return new Promise((resolve) => {
      if (this.socket.destroyed) resolve();
      this.socket.once("close", () => resolve());
      this.socket.end();
    });
  }

  send(message: ToRunner): void {
    if (this.isBroken || this.socket.destroyed) return;
    if (message.do !== "recorded") this.sendRecorded();
    sendFrame(this.socket, message);
  }

  private sendRecorded(): void {
    if (this.recorded.length > 0) this.send({ do: "recorded", tags: this.recorded.splice(0) });
  }

  private ask(message: (ask: number) => ToRunner): Promise<ToEngine | undefined> {
    if (this.isBroken) return Promise.resolve(undefined);
    const ask = this.nextAsk++;
    this.socket.ref();
    this.send(message(ask));
    return new Promise((resolve) => this.asks.set(ask, resolve));
  }

  private take(message: ToEngine): void {
    if (message.tell === "ready") this.cameUp();
    else if (message.tell === "grown") this.grew(message);
    else if (message.tell === "ended") this.settle(message.tag, message.end);
    else if (message.tell === "refused") this.settle(message.tag, "refused");
    else {
      const resolve = this.asks.get(message.ask);
      this.asks.delete(message.ask);
      this.unrefIfIdle();
      resolve?.(message);
    }
  }

  private cameUp(): void {
    this.isReady = true;
    clearTimeout(this.late);
  }

  private grew({ tag, stdout, stderr }: Extract<ToEngine, { tell: "grown" }>): void {
    const one = this.waiting.get(tag);
    if (one === undefined) return;
    const grown = { stdout, stderr };
    for (const stream of ["stdout", "stderr"] as const)
      if (grown[stream] > one.grown[stream]) one.onGrowth?.(stream, grown[stream]);
    one.grown = grown;
  }

  private settle(tag: string, end: CommandEnd | "refused" | "broken"): void {
    const one = this.waiting.get(tag);
    this.waiting.delete(tag);
    this.unrefIfIdle();
    one?.settle(end);
  }

  private unrefIfIdle(): void {
    if (this.waiting.size === 0 && this.asks.size === 0) this.socket.unref();
  }

  /** L2. */
  private broke(): void {
    if (this.isBroken) return;
    this.isBroken = true;
    clearTimeout(this.late);
    this.masks.drop(this);
    this.onBroken();
    for (const tag of [...this.waiting.keys()]) this.settle(tag, "broken");
    for (const resolve of this.asks.values()) resolve(undefined);
    this.asks.clear();
  }
}

/** L1. */
export class Masks {
  private readonly numbers = new WeakMap<Masker, number>();
  private readonly told = new Map<Link, Map<number, { sent: number; masker: WeakRef<Masker> }>>();
  private readonly gone = new FinalizationRegistry<number>((mask) => this.forget(mask));
  private next = 1;

  /** The number under which that runner knows this masker. The runner has all of its secrets then. */
  tell(link: Link, masker: Masker): number {
    let mask = this.numbers.get(masker);
    if (mask === undefined) {
      const fresh = this.next++;
      mask = fresh;
      this.numbers.set(masker, fresh);
      this.gone.register(masker, fresh);
      const weak = new WeakRef(masker);
      masker.onLearn(() => {
        for (const other of this.told.keys()) this.sync(other, fresh, weak.deref());
      });
    }
    const known = this.told.get(link) ?? new Map();
    this.told.set(link, known);
    if (!known.has(mask)) known.set(mask, { sent: 0, masker: new WeakRef(masker) });
    this.sync(link, mask, masker);
    return mask;
  }

  drop(link: Link): void {
    this.told.delete(link);
  }

  private sync(link: Link, mask: number, masker: Masker | undefined): void {
    const state = this.told.get(link)?.get(mask);
    if (state === undefined || masker === undefined || state.sent === masker.known.length) return;
    link.send({ do: "mask", mask, secrets: masker.known.slice(state.sent) });
    state.sent = masker.known.length;
  }

  private forget(mask: number): void {
    for (const [link, known] of this.told) if (known.delete(mask)) link.send({ do: "forget", mask });
  }
}
