// Streams the events of all runs, or of one run, as Server-Sent Events from a given position (spec 2.4, 2.7).
//   S1. Journal events are sent in order, each exactly once: first from the store, as fast as the client reads. After a
//       `live` message, they are sent as they happen.
//   S2. Only journal events have an `id:`, which is their position (for one run, `seq`).
//       `Last-Event-ID` resumes right after it.
//   S3. At most limits.streamBytesMax are buffered for a client that does not read. Then its connection is closed,
//       and it reconnects with its last id.
//   S4. Each batch is encoded once for all clients.

import type { StreamMessage } from "../../api/shapes.ts";
import { limits } from "../../base/limits.ts";
import type { PlacedEvent, Store } from "../../store/index.ts";
import type { EventBus } from "./event-bus.ts";

export interface StreamRequest {
  /** The id of a run. Absent: all runs. */
  run?: string;
  /** The last position (for one run, seq) that the client knows. Absent: only new events. */
  after: number;
  signal: AbortSignal;
}

const encoder = new TextEncoder();
const HEARTBEAT = encoder.encode(":\n\n");

/** A response of type `text/event-stream`. */
export function eventStream(request: StreamRequest, bus: EventBus, store: Store): Response {
  const feed = new Feed(request, bus, store);
  const body = new ReadableStream<Uint8Array>(
    { start: (controller) => feed.start(controller), pull: () => feed.pull(), cancel: () => feed.end() },
    new ByteLengthQueuingStrategy({ highWaterMark: limits.streamAheadBytes }),
  );
  return new Response(body, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" },
  });
}

class Feed {
  private readonly request: StreamRequest;
  private readonly bus: EventBus;
  private readonly store: Store;
  private after: number;
  private live = false;
  /** Events were published between the last page and the `live` message. */
  private missed = false;
  private controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  private unlisten: () => void = () => {};
  private heart: NodeJS.Timeout | undefined;
  private readonly close = (): void => this.end(true);

  constructor(request: StreamRequest, bus: EventBus, store: Store) {
    this.request = request;
    this.bus = bus;
    this.store = store;
    this.after = request.after;
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.controller = controller;
    const { run, signal } = this.request;
    this.unlisten = this.bus.listen({
      onEvents: (events) => this.news(events),
      onMessage: (message) => {
        if (message.kind === "output" && (!this.hasRoom() || (run !== undefined && message.run !== run))) return;
        if (run !== undefined && message.kind !== "output" && !isOf(run, message)) return;
        if (this.live) this.send(once(MESSAGES, message, () => frameOf(message.kind, JSON.stringify(message))));
        // No more events will come.
        if (run !== undefined && message.kind === "removed") this.end(true);
      },
    });
    this.heart = setInterval(() => this.send(HEARTBEAT), limits.streamHeartbeatMs);
    if (signal.aborted) this.close();
    else signal.addEventListener("abort", this.close, { once: true });
  }

  /** S1. Called when the client can take more, until the stream ends. */
  async pull(): Promise<void> {
    while (!this.live && this.controller !== undefined && this.hasRoom()) {
      this.missed = false;
      const page = await this.page();
      if (page === undefined) {
        this.fail();
        return;
      }
      if (page.length > 0) this.send(this.framesOf(page));
      else if (page.end && !this.missed) {
        this.live = true;
        const position = this.request.run === undefined ? this.after : this.bus.position;
        this.send(frameOf("live", JSON.stringify({ kind: "live", position })));
      }
    }
  }

  end(close = false): void {
    this.unlisten();
    // A combined signal stays in memory while it has listeners.
    this.request.signal.removeEventListener("abort", this.close);
    clearInterval(this.heart);
    const { controller } = this;
    this.controller = undefined;
    if (close) controller?.close();
  }

  private async page(): Promise<(PlacedEvent[] & { end?: boolean }) | undefined> {
    const { run } = this.request;
    const { journal } = this.store;
    if (run !== undefined) {
      const events = await journal.read(run, this.after + 1, limits.journalPageEvents);
      if (!events.ok) return undefined;
      this.after += events.value.length;
      return Object.assign(
        events.value.map((event) => ({ position: event.seq, event })),
        { end: events.value.length === 0 },
      );
    }
    const page = await journal.readAll(this.after);
    if (!page.ok) return undefined;
    const end = page.value.position === this.after;
    this.after = page.value.position;
    return Object.assign(page.value.events, { end });
  }

  /** Leaves out events that were already read from the store. */
  private news(events: readonly PlacedEvent[]): void {
    const { run } = this.request;
    const own = run === undefined ? events : ofRun(events, run);
    if (!this.live) {
      this.missed ||= own.length > 0;
      return;
    }
    const last = run === undefined ? events.at(-1)?.position : own.at(-1)?.event.seq;
    if (own.length === 0 || last === undefined || last <= this.after) return;
    const first = run === undefined ? own[0]!.position : own[0]!.event.seq;
    const fresh =
      first > this.after
        ? own
        : own.filter(({ position, event }) => (run === undefined ? position : event.seq) > this.after);
    this.after = last;
    this.send(this.framesOf(fresh));
  }

  private framesOf(events: readonly PlacedEvent[]): Uint8Array {
    return this.request.run === undefined ? placedFrames(events) : runFrames(events);
  }

  private hasRoom(): boolean {
    return (this.controller?.desiredSize ?? 0) > 0;
  }

  /** S3. */
  private send(bytes: Uint8Array): void {
    const { controller } = this;
    if (controller === undefined) return;
    if ((controller.desiredSize ?? 0) < limits.streamAheadBytes - limits.streamBytesMax) this.fail();
    else controller.enqueue(bytes);
  }

  /** Drops what is not sent yet: the client reconnects with its last id. */
  private fail(): void {
    const { controller } = this;
    this.end();
    controller?.error(new Error("the reader of an event stream was too slow"));
  }
}

function isOf(run: string, message: StreamMessage): boolean {
  return (message.kind === "removed" || message.kind === "stuck") && message.run === run;
}

const MESSAGES = new WeakMap<StreamMessage, Uint8Array>();
const EVERYTHING = new WeakMap<readonly PlacedEvent[], Uint8Array>();
const RUNS = new WeakMap<readonly PlacedEvent[], Map<string, readonly PlacedEvent[]>>();
const OF_RUN = new WeakMap<readonly PlacedEvent[], Uint8Array>();

/** S4. */
function placedFrames(events: readonly PlacedEvent[]): Uint8Array {
  return once(EVERYTHING, events, () =>
    encoder.encode(
      events
        .map(({ event, position }) => frame("run", JSON.stringify({ kind: "run", event, position }), position))
        .join(""),
    ),
  );
}

function runFrames(events: readonly PlacedEvent[]): Uint8Array {
  return once(OF_RUN, events, () =>
    encoder.encode(events.map(({ event }) => frame(event.type, JSON.stringify(event), event.seq)).join("")),
  );
}

function ofRun(events: readonly PlacedEvent[], run: string): readonly PlacedEvent[] {
  const runs = once(RUNS, events, () => Map.groupBy(events, ({ event }) => event.run));
  return runs.get(run) ?? [];
}

function once<Key extends object, Value>(known: WeakMap<Key, Value>, key: Key, make: () => Value): Value {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  known.set(key, made);
  return made;
}

function frameOf(type: string, data: string): Uint8Array {
  return encoder.encode(frame(type, data));
}

/** JSON text contains no newlines. */
function frame(type: string, data: string, id?: number): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${type}\ndata: ${data}\n\n`;
}
