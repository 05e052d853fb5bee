// choices: which workflows the home screen shows, and in which order. Pure.

import type { WorkflowItem } from "../../api/shapes.ts";
import { styleOfState } from "../ui/state.ts";

/** Its last run failed. Tests are not among the runs of the list. */
export function isFailing({ recent }: WorkflowItem): boolean {
  const last = recent.at(-1);
  return last !== undefined && styleOfState(last.status) === "failed";
}

/** The first folders of the paths, such as `jobs/`. */
export function foldersOf(items: readonly WorkflowItem[]): string[] {
  return [...new Set(items.flatMap(({ path }) => (path.includes("/") ? [path.replace(/\/.*/s, "/")] : [])))].sort();
}

export const SHOWN: Record<string, string> = { starred: "Starred", failing: "Failing", scheduled: "Scheduled" };

/** `show` is one of SHOWN, a folder with its slash, or nothing. */
export function isShown(item: WorkflowItem, show: string | undefined, stars: readonly string[]): boolean {
  if (show === "starred") return stars.includes(item.path);
  if (show === "failing") return isFailing(item);
  if (show === "scheduled") return item.triggers.length > 0;
  return show === undefined || !show.endsWith("/") || item.path.startsWith(show);
}

/** When something last happened: a run, or a change of the file. */
function usedAt({ recent, modifiedAt }: WorkflowItem): string {
  const last = recent.at(-1)?.startedAt ?? "";
  return last > modifiedAt ? last : modifiedAt;
}

/** Recent first. Paths in `before` keep their places, so that rows do not move while they are looked at. */
export function inOrder(items: readonly WorkflowItem[], before: readonly string[]): WorkflowItem[] {
  const place = new Map(before.map((path, nth) => [path, nth]));
  const placeOf = ({ path }: WorkflowItem) => place.get(path) ?? -1;
  return [...items].sort((a, b) => placeOf(a) - placeOf(b) || (usedAt(a) < usedAt(b) ? 1 : -1));
}
