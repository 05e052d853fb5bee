// cron: checks whether a schedule is valid, and names the invalid part (spec 2.5).
//   C1. Everything accepted here is accepted by croner, which computes the times. A test compares the two.
// Not supported: fields for seconds and years, and Quartz names (W, #). Computing times needs a clock and a time zone
// and is done elsewhere.

export interface CronProblem {
  /** Offsets of the invalid part in the text. */
  start: number;
  end: number;
  message: string;
}

interface Field {
  name: string;
  low: number;
  high: number;
  names: readonly string[];
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const DAYS = "sun mon tue wed thu fri sat".split(" ");
const FIELDS: readonly Field[] = [
  { name: "minute", low: 0, high: 59, names: [] },
  { name: "hour", low: 0, high: 23, names: [] },
  { name: "day of the month", low: 1, high: 31, names: [] },
  { name: "month", low: 1, high: 12, names: MONTHS },
  { name: "weekday", low: 0, high: 7, names: DAYS },
];
const NICKNAMES = ["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"];
const LONGEST_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The first problem, or undefined for a valid schedule. */
export function cronProblem(text: string): CronProblem | undefined {
  const whole = { start: 0, end: text.length };
  const trimmed = text.trim();
  if (trimmed.startsWith("@")) {
    if (NICKNAMES.includes(trimmed.toLowerCase())) return undefined;
    return { ...whole, message: `"${trimmed}" is not one of ${NICKNAMES.join(", ")}.` };
  }
  const words = [...text.matchAll(/\S+/g)];
  if (words.length !== FIELDS.length)
    return { ...whole, message: `It has ${words.length === 1 ? "1 field" : `${words.length} fields`}, not five.` };
  for (const [index, word] of words.entries()) {
    const problem = fieldProblem(word[0], FIELDS[index]!);
    if (problem !== undefined)
      return {
        start: word.index + problem.start,
        end: word.index + problem.end,
        message: `The ${FIELDS[index]!.name} ${problem.message}`,
      };
  }
  return neverComes(words.map((word) => word[0])) ? { ...whole, message: "There is no such day." } : undefined;
}

function fieldProblem(field: string, of: Field): CronProblem | undefined {
  let start = 0;
  for (const entry of field.split(",")) {
    const message = entryProblem(entry, of);
    if (message !== undefined) return { start, end: start + Math.max(entry.length, 1), message };
    start += entry.length + 1;
  }
  return undefined;
}

/** `*`, `*` with a step, a value, a range, a range with a step. `L` is the last day of the month. */
function entryProblem(entry: string, of: Field): string | undefined {
  if (entry === "*") return undefined;
  if (of.name === "day of the month" && /^l$/i.test(entry)) return undefined;
  const match = /^(?:(\*)|([a-z0-9]+)(?:-([a-z0-9]+))?)(?:\/(\d+))?$/i.exec(entry);
  const span =
    of.names.length > 0 ? `${of.low} to ${of.high} or ${of.names[0]} to ${of.names.at(-1)}` : `${of.low} to ${of.high}`;
  if (match === null) return `"${entry}" cannot be read; it takes *, ${span}, 1-5, 1,5 and */5.`;
  const [, star, from, to, step] = match;
  const low = from === undefined ? of.low : valueIn(from, of);
  const high = to === undefined ? low : valueIn(to, of);
  if (low === undefined || high === undefined) return `"${low === undefined ? from : to}" is not ${span}.`;
  if (low > high) return `"${entry}" ends before it begins; write two ranges.`;
  if (step === undefined) return undefined;
  if (star === undefined && to === undefined)
    return `"${entry}" has a step without a range; write ${from}-${of.high}/${step}.`;
  const most = of.name === "weekday" ? 7 : of.high - of.low + 1;
  return Number(step) < 1 || Number(step) > most ? `"${entry}" has a step that is not 1 to ${most}.` : undefined;
}

function valueIn(word: string, of: Field): number | undefined {
  const named = of.names.indexOf(word.toLowerCase());
  if (named >= 0) return named + (of.low === 1 ? 1 : 0);
  const value = /^\d{1,2}$/.test(word) ? Number(word) : Number.NaN;
  return value >= of.low && value <= of.high ? value : undefined;
}

/** For example 30 February: a day that no selected month has. */
function neverComes([, , days, months, weekdays]: readonly string[]): boolean {
  if (weekdays !== "*" || days!.split(",").some((entry) => !/^\d/.test(entry))) return false;
  const first = Math.min(...days!.split(",").map((entry) => Number.parseInt(entry, 10)));
  return !LONGEST_MONTHS.some((length, index) => first <= length && isMonth(months!, index + 1));
}

function isMonth(field: string, month: number): boolean {
  const of = FIELDS[3]!;
  return field.split(",").some((entry) => {
    const [range, step = "1"] = entry.split("/");
    const [from, to = from] = range === "*" ? ["1", "12"] : range!.split("-");
    const low = valueIn(from!, of)!;
    return month >= low && month <= valueIn(to!, of)! && (month - low) % Number(step) === 0;
  });
}
