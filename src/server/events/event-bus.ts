// Publishes what happens in this data directory, in order, from this server's engine
// and from other processes (spec 2.4).
//   U1. Events are read from the store after a known position, so each is published
//       once, in commit order, whoever wrote it.
//   U2. This server's engine notifies the bus. Other writers are noticed through a number that the
//       store changes. It is read every limits.followEveryMs, which costs next to nothing on this machine.
//   U3. A slow reader reads from the store at its own pace. At most limits.streamBytesMax is buffered for it.
//   U4. New output is collected for a moment and published in part, never twice. The full output is in its file.

import type { StreamMessage } from "../../api/shapes.ts";
import { limits } from "../../base/limits.ts";
import { oneAtATime } from "../../base/one-at-a-time.ts";
import type { EngineOptions } from "../../engine/contract.ts";
import type { Journal, PlacedEvent } from "../../store/index.ts";

type Output = Parameters<NonNullable<EngineOptions["onOutput"]>>[0];
type OutputMessage = Extract<StreamMessage, { kind: "output" }>;

export interface HubListener {
  /** Newly committed events, in order. They may include events that the listener has already read itself. */
  onEvents?(events: readonly PlacedEvent[]): void;
  /** Messages that are not in the journal: output, documents, deliveries. */
  onMessage?(message: StreamMessage): void;
}

export class EventBus {
  private readonly listeners = new Set<HubListener>();
  private readonly outputs = new Map<string, { message: OutputMessage; decoder: InstanceType<typeof TextDecoder> }>();
  private journal: Journal | undefined;
  private at = 0;
  private change = -1;
  private removedAt = 0;
  private pumpedAt = Number.NEGATIVE_INFINITY;
  private soon: NodeJS.Timeout | undefined;
  private flushing: NodeJS.Timeout | undefined;
  private looking: NodeJS.Timeout | undefined;
  private onFault: (reason: { code: string; message: string }) => void = () => {};

  /** Starts with events committed after now. `onFault`: the store failed and is tried again. */
  async follow(journal: Journal, onFault = this.onFault, everyMs: number = limits.followEveryMs): Promise<void> {
    this.onFault = onFault;
    const last = await journal.lastPosition();
    this.at = last.ok ? last.value : 0;
    const removed = await journal.removedSince();
    this.removedAt = removed.ok ? removed.value.n : 0;
    const change = await journal.othersChange();
    this.change = change.ok ? change.value : -1;
    this.journal = journal;
    this.looking = setInterval(() => void this.look(), everyMs).unref();
  }

  close(): void {
    clearInterval(this.looking);
    clearTimeout(this.soon);
    clearTimeout(this.flushing);
    this.journal = undefined;
    this.listeners.clear();
  }

  /** The position of the last published event. */
  get position(): number {
    return this.at;
  }

  /** Returns a function that ends it. */
  listen(listener: HubListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Publishes a message that is not in the journal: a document, a delivery, a removed run. */
  publish(message: Extract<StreamMessage, { kind: "document" | "delivery" | "output" | "removed" | "stuck" }>): void {
    for (const listener of this.listeners) listener.onMessage?.(message);
  }

  /**
   * This server's engine has committed events. They are published at once, or with those of the next few milliseconds.
   */
  notify(): void {
    if (this.soon !== undefined) return;
    const wait = this.pumpedAt + limits.tellEveryMs - performance.now();
    this.soon = setTimeout(() => void this.drain(), Math.max(0, wait));
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
    // Entries without new output are removed at the next flush.
    if (this.outputs.size > 0) this.flushing = setTimeout(() => this.flush(), limits.tellOutputEveryMs);
  }

  /** U2. */
  readonly look = oneAtATime(async () => {
    const change = await this.journal?.othersChange();
    if (change?.ok === false) this.onFault(change.error);
    if (change?.ok !== true || change.value === this.change) return;
    this.change = change.value;
    await this.drain();
    await this.tellRemoved();
  });

  /** Publishes runs that were removed from the history by any process: there are no events for that. */
  async tellRemoved(): Promise<void> {
    const since = this.removedAt;
    const removed = await this.journal?.removedSince(since);
    // Told by a call that was quicker.
    if (removed === undefined || since !== this.removedAt) return;
    if (!removed.ok) {
      this.onFault(removed.error);
      return;
    }
    this.removedAt = removed.value.n;
    for (const run of removed.value.runs) this.publish({ kind: "removed", run });
  }

  /** U1. Publishes everything that is committed and not yet published. */
  readonly drain = oneAtATime(async () => {
    clearTimeout(this.soon);
    this.soon = undefined;
    for (;;) {
      const page = await this.journal?.readAll(this.at);
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
  });
}

function lastOf(text: string): string {
  return text.length <= limits.outputToldChars ? text : text.slice(-limits.outputToldChars);
}
