// time-text: durations as readable text.

/** `0.3s`, `12.4s`, `1m 05s`, `2h 03m`, `3d 04h`. */
export function duration(ms: number): string {
  const tenths = Math.round(Math.max(0, ms) / 100);
  if (tenths < 600) return `${(tenths / 10).toFixed(1)}s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${two(seconds % 60)}s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 1440) return `${Math.floor(minutes / 60)}h ${two(minutes % 60)}m`;
  const hours = Math.round(minutes / 60);
  return `${Math.floor(hours / 24)}d ${two(hours % 24)}h`;
}

/** The time between an ISO time and `nowMs`, in either direction, as text. */
export function timeBetween(iso: string, nowMs: number): string {
  return duration(Math.abs(nowMs - Date.parse(iso)));
}

function two(n: number): string {
  return String(n).padStart(2, "0");
}
