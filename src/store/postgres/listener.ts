// listener: hears what other processes say about the database, so that it is not asked often.
//   L1. A message only says "look": nothing depends on its arrival (spec 6.4 M11). A listener also looks from time to time.
//   L2. After a lost connection it listens again, and looks once, because messages were missed.

import type { Client } from "pg";
import type { Connection } from "./connection.ts";

const AGAIN_MS = 1_000;

/** Calls `look` for each message on the channel. Returns a function that ends it. */
export function listen(connection: Connection, channel: string, look: (text: string) => void): () => void {
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let ended = false;

  const again = (): void => {
    const lost = client;
    client = undefined;
    void lost?.end().catch(() => {});
    if (ended || connection.closed || lost === undefined) return;
    timer = setTimeout(start, AGAIN_MS).unref();
  };

  function start(): void {
    const next = connection.client();
    client = next;
    next.on("error", () => client === next && again());
    next.on("end", () => client === next && again());
    next.on("notification", ({ payload }) => look(payload ?? ""));
    next
      .connect()
      .then(() => next.query(`LISTEN "${channel}"`))
      .then(() => look(""))
      .catch(() => client === next && again());
  }

  start();
  return () => {
    ended = true;
    clearTimeout(timer);
    again();
  };
}

/** Says something on the channel, outside of any transaction. It may get lost. */
export function notify(connection: Connection, channel: string, text = ""): void {
  void connection.tries(
    async (ask) => ({ ok: true, value: await ask("SELECT pg_notify($1, $2)", [channel, text]) }),
    0,
  );
}

/** The same at most once in `everyMs`: at once, and at the end of the time if more was to say. */
export function atMostEvery(everyMs: number, say: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let more = false;
  const tell = (): void => {
    if (timer !== undefined) {
      more = true;
      return;
    }
    say();
    timer = setTimeout(() => {
      timer = undefined;
      if (!more) return;
      more = false;
      tell();
    }, everyMs).unref();
  };
  return tell;
}
