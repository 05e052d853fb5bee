// find (triggers): which triggers are meant by what was typed: each of its words stands somewhere in what the screen says of them.

import type { FileWatchItem, HookItem, ScheduleItem, Triggers } from "../../api/shapes.ts";
import type { CronWords } from "./cron-words.ts";

export function triggersLike({ schedules, hooks, files }: Triggers, text: string, inWords: CronWords): Triggers {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return { schedules, hooks, files };
  const isMeant = (said: string): boolean => wanted.every((word) => said.includes(word));
  const ofSchedule = (item: ScheduleItem) => saidOf("schedule", item, [item.cron, inWords(item.cron), item.timezone]);
  const ofHook = (item: HookItem) => saidOf("webhook", item, [`/h/${item.path}`, item.verify, item.secret]);
  const ofWatch = (item: FileWatchItem) => saidOf("file watch", item, item.paths);
  return {
    schedules: schedules.filter((item) => isMeant(ofSchedule(item))),
    hooks: hooks.filter((item) => isMeant(ofHook(item))),
    files: files.filter((item) => isMeant(ofWatch(item))),
  };
}

function saidOf(
  kind: string,
  { workflow, paused, problem }: { workflow: string; paused: boolean; problem?: string },
  more: readonly (string | undefined)[],
): string {
  return [kind, workflow, paused ? "paused" : "", problem, ...more].join("\n").toLowerCase();
}
