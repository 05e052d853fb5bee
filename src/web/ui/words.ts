// words: formats times, sizes and counts for the web UI: `0.3 s`, `48 kB`, `1,000 lines`. Pure.

/** `12 ms`, `0.3 s`, `12.4 s`, `1 min 05 s`, `2 h 03 min`, `3 d 04 h`. */
export function duration(ms: number): string {
  const whole = Math.max(0, ms);
  if (whole < 100) return `${Math.round(whole)} ms`;
  const tenths = Math.round(whole / 100);
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`;
  const seconds = Math.round(whole / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 1440) return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`;
  const hours = Math.round(minutes / 60);
  return `${Math.floor(hours / 24)} d ${two(hours % 24)} h`;
}

/** Milliseconds from the start to the end, or to now. */
export function elapsed(
  { startedAt, endedAt, durationMs }: { startedAt: string; endedAt?: string; durationMs?: number },
  nowMs: number,
): number {
  return durationMs ?? (endedAt === undefined ? nowMs : Date.parse(endedAt)) - Date.parse(startedAt);
}

/** A duration that still grows has whole seconds. */
export function tookText(ms: number, isRunning: boolean): string {
  return isRunning && ms >= 1_000 ? duration(Math.floor(ms / 1000) * 1000).replace(".0 s", " s") : duration(ms);
}

/** In clock format: `00:41`, `1:02:03`. */
export function clock(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1000);
  const hours = Math.floor(seconds / 3600);
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return hours === 0 ? rest : `${hours}:${rest}`;
}

/** `12 B`, `1.4 kB`, `48 kB`, `1.0 GB`. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ["kB", "MB", "GB", "TB"];
  let left = bytes / 1000;
  let unit = 0;
  while (left >= 999.5 && unit < units.length - 1) {
    left /= 1000;
    unit += 1;
  }
  return `${left < 9.95 ? left.toFixed(1) : Math.round(left)} ${units[unit]}`;
}

/** `1,000`. */
export function grouped(n: number): string {
  return String(n).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

/** `1 node`, `2 nodes`, `1,000 passes`. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${grouped(n)} ${n === 1 ? one : many}`;
}

/** `just now`, `12 s ago`, `4 min ago`, `2 h ago`, `3 d ago`. */
export function ago(iso: string, nowMs: number): string {
  const seconds = Math.floor(Math.max(0, nowMs - Date.parse(iso)) / 1000);
  if (seconds < 5) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86_400)} d ago`;
}

/** Local time of day to the millisecond: `09:32:34.120`. */
export function timeOfDay(iso: string): string {
  const at = new Date(iso);
  const seconds = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  return `${seconds}.${String(at.getMilliseconds()).padStart(3, "0")}`;
}

/** Local date and time to the second: `28 Nov 2026, 05:01:26`. */
export function exactTime(iso: string): string {
  const date = new Date(iso).toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });
  return `${date}, ${timeOfDay(iso).slice(0, -4)}`;
}

function two(n: number): string {
  return String(n).padStart(2, "0");
}
