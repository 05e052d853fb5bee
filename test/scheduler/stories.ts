// stories: golden event lists. A file of test/corpus/events has a drawing, a script, and the exact events of their run.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { RunEvent } from "../../src/scheduler/event.ts";
import { parseDrawing } from "./drawing.ts";
import { type Options, read, type Simulated, simulate } from "./simulate.ts";

const CORPUS = new URL("../corpus/events/", import.meta.url);

export interface Story {
  name: string;
  run: Simulated;
  told: string;
  expected: string;
}

export function stories(): Story[] {
  return readdirSync(CORPUS)
    .sort()
    .map((file) => {
      const [page = "", expected = ""] = readFileSync(new URL(file, CORPUS), "utf8").split("\nevents\n");
      const drawing = parseDrawing(page);
      const run = simulate(drawing, interruptions(drawing.script));
      return { name: file.replace(".txt", ""), run, told: run.events.map(line).join("\n").concat("\n"), expected };
    });
}

/** Writes the actual events as the expected ones; read the difference before you commit it. */
export function rewrite(): void {
  for (const { name, told } of stories()) {
    const file = new URL(`${name}.txt`, CORPUS);
    const [page = ""] = readFileSync(file, "utf8").split("\nevents\n");
    writeFileSync(file, `${page.trimEnd()}\n\nevents\n${told}`);
  }
}

/** `@cancel: 4` cancels after four events. */
function interruptions(script: Record<string, string>): Options {
  return script["@cancel"] === undefined ? {} : { cancelAfter: Number(script["@cancel"]) };
}

function line(event: RunEvent): string {
  const words: string[] = [`  ${event.type}`];
  if ("path" in event) words.push(event.path);
  if ("number" in event) words.push(`#${event.number}`);
  if ("passes" in event && event.passes !== undefined) words.push(`passes ${event.passes}`);
  if ("counter" in event) words.push(`counter ${event.counter}`);
  if ("branch" in event && event.branch !== undefined) words.push(String(event.branch));
  if ("added" in event && event.added !== undefined) words.push(`+ ${event.added.map(read).join(" + ")}`);
  if ("value" in event && event.value !== undefined) words.push(JSON.stringify(read(event.value)));
  if ("failure" in event && event.failure !== undefined) words.push(`(${event.failure.code})`);
  if ("retryAt" in event && event.retryAt !== undefined) words.push(`again at ${event.retryAt.slice(17, 23)}`);
  if ("for" in event) words.push(`for ${event.for}`);
  if ("until" in event && event.until !== undefined) words.push(`until ${event.until.slice(17, 23)}`);
  if ("reason" in event) words.push(`because ${event.reason}`);
  if (event.type === "pass.failed") words.push(`at ${event.failedAt}`);
  if (event.type === "lines.ended" && event.cut !== undefined) words.push(`cut ${event.cut}`);
  if ("last" in event && event.last) words.push("last");
  return words.join(" ");
}
