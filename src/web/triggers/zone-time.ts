// zone-time: formats a time in a time zone. Pure.

/** `Mon 2 Mar, 09:30`, with the year if it differs from that of `nowMs`. */
export function timeIn(iso: string, zone: string, nowMs: number): string {
  const year = (ms: number) => new Intl.DateTimeFormat("en-GB", { timeZone: zone, year: "numeric" }).format(ms);
  const at = Date.parse(iso);
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    weekday: "short",
    day: "numeric",
    month: "short",
    year: year(at) === year(nowMs) ? undefined : "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(at);
  const of = (type: string) => parts.find((part) => part.type === type)?.value;
  const date = [of("weekday"), of("day"), of("month"), of("year")].filter((part) => part !== undefined).join(" ");
  return `${date}, ${of("hour")}:${of("minute")}`;
}

/** `UTC+2`, at that time. */
export function offsetIn(iso: string | undefined, zone: string): string {
  if (iso === undefined) return "";
  const parts = new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeZoneName: "shortOffset" }).formatToParts(
    Date.parse(iso),
  );
  return (parts.find(({ type }) => type === "timeZoneName")?.value ?? "").replace("GMT", "UTC").replace(/\+0$/, "");
}
