// retention: converts the form fields for keeping runs to a change of settings. Pure.

import type { SettingsChange } from "../../api/shapes.ts";

/** An empty field means no limit. */
export function limitIn(text: string): number | null | "wrong" {
  const plain = text.trim();
  if (plain === "") return null;
  const number = Number(plain);
  return Number.isSafeInteger(number) && number >= 1 && number <= 1_000_000_000 && /^\d+$/.test(plain)
    ? number
    : "wrong";
}

/** Undefined if the input is invalid. */
export function retentionChange(days: string, runs: string): SettingsChange | undefined {
  const [keep, most] = [limitIn(days), limitIn(runs)];
  // The longest allowed duration is ten years.
  if (keep === "wrong" || most === "wrong" || (keep ?? 0) > 3_650) return undefined;
  return { retention: { days: keep, runs: most } };
}
