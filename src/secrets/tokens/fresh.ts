// fresh: whether a kept token is to be used or to be renewed (spec 3.6). Pure.
//   Time counts by the clock of this machine alone; where that was set back, nothing that a token says of time counts.

import { limits } from "../../base/limits.ts";
import { needsPerson } from "./grant.ts";
import type { KeptToken } from "./kept.ts";

/** Still good, and for long enough. */
export function isFresh({ access, obtainedAtMs, expiresAtMs, type }: KeptToken, nowMs: number): boolean {
  if (access === "" || obtainedAtMs > nowMs + limits.tokenClockSlackMs) return false;
  if (expiresAtMs === undefined) return needsPerson({ type }) || nowMs - obtainedAtMs < limits.tokenUntoldMs;
  return nowMs < renewAtOf(obtainedAtMs, expiresAtMs);
}

/** A while before its end, or a quarter of its time. */
export function renewAtOf(obtainedAtMs: number, expiresAtMs: number): number {
  return expiresAtMs - Math.min(limits.tokenAheadMs, (expiresAtMs - obtainedAtMs) / 4);
}
