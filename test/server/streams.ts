// streams: an event stream as a client of the server reads it.

import { createParser, type EventSourceMessage } from "eventsource-parser";
import { onTestFinished } from "vitest";
import type { StreamMessage } from "../../src/api/shapes.ts";
import type { RunEvent } from "../../src/scheduler/event.ts";
import { messageIsDescribed } from "./described.ts";
import type { Served } from "./served.ts";

export interface Following {
  /** Everything that came, in order. */
  messages: EventSourceMessage[];
  /** Resolves with the first message that fits, from the beginning; rejects when the stream ends without it. */
  until(fits: (message: EventSourceMessage) => boolean): Promise<EventSourceMessage>;
  close(): void;
}

export async function follow(it: Pick<Served, "url" | "token">, path: string, lastId?: string): Promise<Following> {
  const own = new AbortController();
  onTestFinished(() => own.abort());
  const headers: Record<string, string> = { authorization: `Bearer ${it.token}`, accept: "text/event-stream" };
  if (lastId !== undefined) headers["last-event-id"] = lastId;
  const response = await fetch(`${it.url}/api/v1${path}`, { headers, signal: own.signal });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  const messages: EventSourceMessage[] = [];
  let wake = Promise.withResolvers<void>();
  let over: unknown;
  const parser = createParser({
    onEvent: (message) => {
      messageIsDescribed(path, message);
      messages.push(message);
      wake.resolve();
      wake = Promise.withResolvers();
    },
  });
  void (async () => {
    const decoder = new TextDecoder();
    try {
      for await (const bytes of response.body!) parser.feed(decoder.decode(bytes, { stream: true }));
      over = new Error("the stream has ended");
    } catch (reason) {
      over = reason;
    }
    wake.resolve();
  })();
  return {
    messages,
    until: async (fits) => {
      for (let at = 0; ; ) {
        for (; at < messages.length; at++) if (fits(messages[at]!)) return messages[at]!;
        if (over !== undefined) throw over;
        await wake.promise;
      }
    },
    close: () => own.abort(),
  };
}

/** Of `GET /events`. */
export const messageOf = (message: EventSourceMessage): StreamMessage => JSON.parse(message.data);

export const isLive = (message: EventSourceMessage): boolean => message.event === "live";

/** An event of this type, of any stream. */
export const ofType =
  (type: RunEvent["type"], run?: string) =>
  (message: EventSourceMessage): boolean => {
    const event = eventOf(message);
    return event?.type === type && (run === undefined || event.run === run);
  };

export function eventOf(message: EventSourceMessage): RunEvent | undefined {
  const data = JSON.parse(message.data);
  return data.kind === "run" ? data.event : data.kind === undefined ? data : undefined;
}
