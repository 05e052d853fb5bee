// docs/reference/events.md names every event type, and no other.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

test("docs/reference/events.md lists every type of event.ts, each once, and no other", () => {
  const types = [...read("src/scheduler/event.ts").matchAll(/\btype: "([a-z-]+\.[a-z-]+)"/g)].map((match) => match[1]);
  const rows = [...read("docs/reference/events.md").matchAll(/^\| `([a-z-]+\.[a-z-]+)` \|/gm)].map((match) => match[1]);
  expect(types.length).toBeGreaterThan(20);
  expect(new Set(rows)).toEqual(new Set(types));
  expect(rows).toHaveLength(new Set(rows).size);
});
