// hub: what happens in this home, told in order to whoever listens: the engine of this server, and every other process (spec 2.4).
//   U1. One source: events are read from the store behind a position, so each comes once, whoever wrote it, in the order of the commits.
//   U2. Our own engine pokes, others are noticed by a number that the store changes for them (others.ts says when it is asked).
//   U3. A reader that has fallen behind reads from the store at its own pace; nothing is kept for it beyond limits.streamBytesMax.
//   U4. Newest output is gathered for a moment and told in short; what is not told stands in its file. It is never told twice.
// Deliberately absent: who may listen, what it looks like on the wire (event-stream.ts).

import type { StreamMessage } from "../api/shapes.ts";
import { limits } from "../base/limits.ts";
import type { EngineOptions } from "../engine/contract.ts";
import type { Journal, PlacedEvent } from "../store/index.ts";
import { Others } from "./others.ts";

type Output = Parameters<NonNullable<EngineOptions["onOutput"]>>[0];
type OutputMessage = Extract<StreamMessage, { kind: "output" }>;

export interface HubListener {
  /** Newly committed events, in order. What it has read by itself meanwhile may be among them. */
  onEvents?(events: readonly PlacedEvent[]): void;
  /** What is in no journal: output, documents, deliveries. */
  onMessage?(message: StreamMessage): void;
}

export class Hub {
  private readonly listeners = new Set<HubListener>();
  private readonly outputs = new Map<string, { message: OutputMessage; decoder: InstanceType<typeof TextDecoder> }>();
  private journal: Journal | undefined;
  private at = 0;
  private change = -1;
  private removedAt = 0;
  private pumpedAt = Number.NEGATIVE_INFINITY;
  private soon: NodeJS.Timeout | undefined;
  private flushing: NodeJS.Timeout | undefined;
  private others: Others | undefined;
  private onFault: (reason: { code: string; message: string }) => void = () => {};

  /** Begins with what is committed after now. `onFault`: the store does not answer; it is asked again. `log`: of the store (others.ts). */
  follow(
    journal: Journal,
    { onFault, log }: { onFault?: (reason: { code: string; message: string }) => void; log?: string } = {},
  ): void {
    this.journal = journal;
    if (onFault !== undefined) this.onFault = onFault;
    const last = journal.lastPosition();
    this.at = last.ok ? last.value : 0;
    const removed = journal.removedSince();
    this.removedAt = removed.ok ? removed.value.n : 0;
    const change = journal.othersChange();
    this.change = change.ok ? change.value : -1;
    this.others = new Others(log, () => this.look());
  }

  close(): void {
    this.others?.close();
    clearTimeout(this.soon);
    clearTimeout(this.flushing);
    this.journal = undefined;
    this.listeners.clear();
  }

  /** The position of the last event that was told. */
  get position(): number {
    return this.at;
  }

  /** Answers with how to end it. */
  listen(listener: HubListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The same, one message at a time. */
  subscribe(listener: (message: StreamMessage) => void): () => void {
    return this.listen({
      onEvents: (events) => {
        for (const { event, position } of events) listener({ kind: "run", event, position });
      },
      onMessage: listener,
    });
  }

  /** What is in no journal: a document, a delivery, a run that left. */
  publish(message: Extract<StreamMessage, { kind: "document" | "delivery" | "output" | "removed" | "stuck" }>): void {
    for (const listener of this.listeners) listener.onMessage?.(message);
  }

  /** Our own engine has committed something: it is told at once, or with what follows in the next few milliseconds. */
  poke(): void {
    if (this.soon !== undefined) return;
    const wait = this.pumpedAt + limits.tellEveryMs - performance.now();
    this.soon = setTimeout(() => this.pump(), Math.max(0, wait));
  }

  /** U4. */
  output({ run, path, number, stream, bytes }: Output): void {
    if (this.listeners.size === 0) return;
    const key = `${run} ${path} ${number} ${stream}`;
    const known = this.outputs.get(key);
    const decoder = known?.decoder ?? new TextDecoder();
    const text = `${known?.message.text ?? ""}${decoder.decode(bytes, { stream: true })}`;
    const message: OutputMessage = { kind: "output", run, path, number, stream, text: lastOf(text) };
    this.outputs.set(key, { message, decoder });
    this.flushing ??= setTimeout(() => this.flush(), limits.tellOutputEveryMs);
  }

  private flush(): void {
    this.flushing = undefined;
    for (const [key, { message, decoder }] of this.outputs) {
      if (message.text === "") this.outputs.delete(key);
      else {
        this.outputs.set(key, { message: { ...message, text: "" }, decoder });
        this.publish(message);
      }
    }
    // What says nothing more is forgotten with the next flush.
    if (this.outputs.size > 0) this.flushing = setTimeout(() => this.flush(), limits.tellOutputEveryMs);
  }

  /** U2. True: another process has written. */
  private look(): boolean {
    const change = this.journal?.othersChange();
    if (change === undefined) return false;
    if (!change.ok) {
      this.onFault(change.error);
      return false;
    }
    if (change.value === this.change) return false;
    this.change = change.value;
    this.pump();
    this.tellRemoved();
    return true;
  }

  /** Runs that left the history, whoever removed them: no event tells of it. */
  tellRemoved(): void {
    const removed = this.journal?.removedSince(this.removedAt);
    if (removed === undefined) return;
    if (!removed.ok) {
      this.onFault(removed.error);
      return;
    }
    this.removedAt = removed.value.n;
    for (const run of removed.value.runs) this.publish({ kind: "removed", run });
  }

  /** U1. Tells everything that is committed and was not told. */
  pump(): void {
    clearTimeout(this.soon);
    this.soon = undefined;
    for (;;) {
      const page = this.journal?.readAll(this.at);
      if (page === undefined) return;
      if (!page.ok) {
        this.onFault(page.error);
        return;
      }
      if (page.value.position === this.at) break;
      this.at = page.value.position;
      const { events } = page.value;
      if (events.length > 0) for (const listener of this.listeners) listener.onEvents?.(events);
    }
    this.pumpedAt = performance.now();
  }
}

function lastOf(text: string): string {
  return text.length <= limits.outputToldChars ? text : text.slice(-limits.outputToldChars);
}
