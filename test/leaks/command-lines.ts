// command-lines: what other users of the machine can read of running commands, looked at again and again.

import { readdirSync, readFileSync } from "node:fs";
import { expect } from "vitest";

const EVERY_MS = 20;

/** The command lines of all processes until the answer is called; one of them has to hold `marker`, or nobody was looking. */
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
        // It has ended meanwhile.
        return "";
      }
    });
}
