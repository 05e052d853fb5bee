// stream: the one event stream of this tab (spec 2.4, ui 6.4): fetch with a Bearer header.
//   T1. Event ids are journal positions. A new connection sends Last-Event-ID and misses nothing. Messages outside the
//       journal (new output) are never sent twice.
//   T2. After a lost connection, the delays are 0.25, 0.5, 1, 2, then always 3 s. Coming online or focusing the window
//       retries at once.
//   T3. A connection silent for `silenceMs` counts as lost since its last message, because the server sends comments
//       more often.
// EventSource cannot send a header, and a token in a URL would be in logs.

import { createParser } from "eventsource-parser";
import { create } from "zustand";
import type { StreamMessage } from "../../api/shapes.ts";
import { limits } from "../../base/limits.ts";
import { askRaw, Refusal } from "./api.ts";
import { useSession } from "./session.ts";

export interface StreamState {
  status: "connecting" | "live" | "lost";
  position: number | undefined;
  /** When the connection was lost. A banner appears after 2 s. */
  lostAt: number | undefined;
  /** Number of events that a new connection delivered before it was live again. */
  caughtUp: { events: number; at: number } | undefined;
}

export const useStream = create<StreamState>(() => ({
  ...{ status: "connecting", position: undefined, lostAt: undefined, caughtUp: undefined },
}));

const listeners = new Set<(message: StreamMessage) => void>();
const silenceMs = limits.streamHeartbeatMs * 3;
const pausesMs = [250, 500, 1000, 2000, 3000];

/** Calls `listener` with every message. Returns a function that stops it. */
export function onMessage(listener: (message: StreamMessage) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let running: AbortController | undefined;
let wake: (() => void) | undefined;

/** Called by the shell while signed in. Returns a function that closes the stream. */
export function openStream(): () => void {
  running?.abort();
  const own = new AbortController();
  running = own;
  const onWake = () => wake?.();
  addEventListener("online", onWake);
  document.addEventListener("visibilitychange", onWake);
  void keepOpen(own.signal);
  return () => {
    own.abort();
    // A page that asks to sign in has lost nothing yet.
    useStream.setState({ status: "connecting", lostAt: undefined });
    removeEventListener("online", onWake);
    document.removeEventListener("visibilitychange", onWake);
  };
}

async function keepOpen(signal: AbortSignal): Promise<void> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    const connected = await readOnce(signal).catch((reason: unknown) => !(reason instanceof Refusal) && "broken");
    if (signal.aborted || useSession.getState().token === undefined) return;
    if (connected) failures = 0;
    const { lostAt } = useStream.getState();
    useStream.setState({ status: "lost", lostAt: lostAt ?? Date.now(), caughtUp: undefined });
    await pause(pausesMs[Math.min(failures, pausesMs.length - 1)]!, signal);
  }
}

/** Reads until the connection ends. True if it was established. */
async function readOnce(signal: AbortSignal): Promise<true> {
  const own = new AbortController();
  const hang = () => {
    useStream.setState({ lostAt: Date.now() - silenceMs });
    own.abort();
  };
  let silent = setTimeout(hang, silenceMs);
  const { position } = useStream.getState();
  let missed = 0;
  try {
    const answer = await askRaw("/events", {
      signal: AbortSignal.any([signal, own.signal]),
      headers: {
        accept: "text/event-stream",
        ...(position === undefined ? {} : { "last-event-id": String(position) }),
      },
    });
    const parser = createParser({
      onEvent: ({ id, data }) => {
        const message = JSON.parse(data) as StreamMessage;
        const seen = message.kind === "run" || message.kind === "live" ? message.position : Number(id);
        if (message.kind === "run" && useStream.getState().status !== "live") missed += 1;
        if (Number.isFinite(seen) && id !== "") useStream.setState({ position: seen });
        if (message.kind === "live") {
          const caughtUp = position === undefined ? undefined : { events: missed, at: Date.now() };
          useStream.setState({ status: "live", position: message.position, lostAt: undefined, caughtUp });
        }
        for (const listener of listeners) listener(message);
      },
    });
    const decoder = new TextDecoder();
    const reader = answer.body!.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      clearTimeout(silent);
      silent = setTimeout(hang, silenceMs);
      parser.feed(decoder.decode(part.value, { stream: true }));
    }
    return true;
  } finally {
    clearTimeout(silent);
    own.abort();
  }
}

/** T2. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener("abort", () => resolve(), { once: true });
  wake = resolve;
  return promise.finally(() => clearTimeout(timer));
}
