// Decides whether a stored token is used or renewed (spec 3.6). Pure.
//   Time is this machine's clock. If that was set back, a token's times are not trusted.

import { limits } from "../../base/limits.ts";
import { needsPerson } from "./grant.ts";
import type { KeptToken } from "./kept.ts";

/** Whether the token is valid and does not expire soon. */
export function isFresh({ access, obtainedAtMs, expiresAtMs, type }: KeptToken, nowMs: number): boolean {
  if (access === "" || obtainedAtMs > nowMs + limits.tokenClockSlackMs) return false;
  if (expiresAtMs === undefined) return needsPerson({ type }) || nowMs - obtainedAtMs < limits.tokenUntoldMs;
  return nowMs < renewAtOf(obtainedAtMs, expiresAtMs);
}

/** A fixed time before it expires, or after three quarters of its lifetime if that is later. */
export function renewAtOf(obtainedAtMs: number, expiresAtMs: number): number {
  return expiresAtMs - Math.min(limits.tokenAheadMs, (expiresAtMs - obtainedAtMs) / 4);
}
