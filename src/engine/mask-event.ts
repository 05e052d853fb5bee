// mask-event: an event without the secrets of its run, before anything else sees it (spec 4.2).
//   M1. Names, paths, times and file names are the engine's own and stay; every other text in an event is masked.

import type { Masker } from "../nodes/index.ts";
import type { EventBody } from "../scheduler/event.ts";

const OWN = new Set([
  "type",
  "node",
  "path",
  "from",
  "hash",
  "bound",
  "file",
  "stdoutFile",
  "stderrFile",
  "childRun",
  "retryAt",
  "reason",
  "joined",
]);

export function maskEvent(body: EventBody, masker: Masker): EventBody {
  return masker.isEmpty ? body : (maskIn(body, masker) as EventBody);
}

function maskIn(value: unknown, masker: Masker): unknown {
  if (typeof value === "string") return masker.mask(value);
  if (Array.isArray(value)) return value.map((element) => maskIn(element, masker));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, OWN.has(key) ? member : maskIn(member, masker)]),
  );
}
