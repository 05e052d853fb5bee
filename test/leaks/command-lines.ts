// command-lines: polls what other users of the machine can read of running commands.

import { readdirSync, readFileSync } from "node:fs";
import { expect } from "vitest";

const EVERY_MS = 20;

/**
 * All command lines until the returned function is called. One of them must contain `marker`, or the test saw nothing.
 */
export function watchCommandLines(marker: string): () => string {
  const seen = new Set<string>();
  const look = (): void => {
    for (const line of commandLines()) seen.add(line);
  };
  const timer = setInterval(look, EVERY_MS);
  return () => {
    clearInterval(timer);
    const all = [...seen].join("\n");
    expect(all).toContain(marker);
    return all;
  };
}

export function commandLines(): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8");
      } catch {
        // It has ended in between.
        return "";
      }
    });
}
