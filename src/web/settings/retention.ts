// retention: what was typed for how long runs are kept, as a change of settings. Pure.

import type { SettingsChange } from "../../api/shapes.ts";

/** Nothing typed means no limit. */
export function limitIn(text: string): number | null | "wrong" {
  const plain = text.trim();
  if (plain === "") return null;
  const number = Number(plain);
  return Number.isSafeInteger(number) && number >= 1 && number <= 1_000_000_000 && /^\d+$/.test(plain)
    ? number
    : "wrong";
}

/** Nothing when it cannot be saved as it stands. */
export function retentionChange(days: string, runs: string): SettingsChange | undefined {
  const [keep, most] = [limitIn(days), limitIn(runs)];
  // The longest duration that may be written is ten years.
  if (keep === "wrong" || most === "wrong" || (keep ?? 0) > 3_650) return undefined;
  return { retention: { days: keep, runs: most } };
}
