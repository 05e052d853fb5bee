// hub: whoever is interested is told what happens in this home, in order (spec 2.4).

import type { StreamMessage } from "../api/shapes.ts";

export class Hub {
  private readonly listeners = new Set<(message: StreamMessage) => void>();

  publish(message: StreamMessage): void {
    for (const listener of this.listeners) listener(message);
  }

  /** Answers with how to end it. */
  subscribe(listener: (message: StreamMessage) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
