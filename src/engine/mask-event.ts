// mask-event: masks the secrets of a run in an event before anything else sees it (spec 4.2).
//   M1. Names, paths, times, and file names come from the engine and stay. Every other text in an event is masked.
//   M2. A value that contains a secret is also sealed, so that a later command gets its exact bytes.

import type { Value } from "../base/value.ts";
import { type RunFiles, store } from "../kinds/values.ts";
import type { EventBody } from "../scheduler/event.ts";
import type { Masker } from "../secrets/masker.ts";

const OWN = new Set([
  "type",
  "node",
  "path",
  "failedAt",
  "from",
  "hash",
  "bound",
  "file",
  "sealed",
  "sealedDocument",
  "stdoutFile",
  "stderrFile",
  "childRun",
  "runner",
  "retryAt",
  "until",
  "for",
  "storedAt",
  "expiresAt",
  "reason",
  "joined",
  "again",
  "kept",
]);

export function maskEvent(body: EventBody, masker: Masker, files: RunFiles): EventBody {
  return masker.isEmpty ? body : maskIn(sealValues(body, files), masker);
}

/** M2. */
function sealValues(body: EventBody, files: RunFiles): EventBody {
  switch (body.type) {
    case "attempt.succeeded":
    case "attempt.failed":
    case "attempt.timed-out":
    case "cache.answered":
      return { ...body, value: sealed(body.value, files) };
    case "node.succeeded":
    case "node.kept":
      return {
        ...body,
        ...(body.value === undefined ? {} : { value: sealed(body.value, files) }),
        ...(body.added === undefined ? {} : { added: body.added.map((value) => sealed(value, files)) }),
      };
    case "line.received":
      return { ...body, value: sealed(body.value, files) };
    case "pass.started":
      return body.item === undefined ? body : { ...body, item: sealed(body.item, files) };
    case "pass.succeeded":
      return body.value === undefined ? body : { ...body, value: sealed(body.value, files) };
    default:
      return body;
  }
}

function sealed(value: Value, files: RunFiles): Value {
  return "text" in value && value.sealed === undefined ? store(value.text, files) : value;
}

/** Masks every text in it, except under names that the engine assigns (M1). */
export function maskIn<Of>(value: Of, masker: Masker): Of {
  return masker.isEmpty ? value : (maskedIn(value, masker) as Of);
}

function maskedIn(value: unknown, masker: Masker): unknown {
  if (typeof value === "string") return masker.mask(value);
  if (Array.isArray(value)) return value.map((element) => maskedIn(element, masker));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, OWN.has(key) ? member : maskedIn(member, masker)]),
  );
}
