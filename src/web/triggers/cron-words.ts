// cron-words: schedules in words ("At 09:30, Monday through Friday"). Pure.

import cronstrue from "cronstrue";

/** Undefined if the schedule is not valid. */
export function cronWords(cron: string): string | undefined {
  try {
    return wordsOf(cron);
  } catch {
    return undefined;
  }
}

function tell(cron: string): string {
  return cronstrue.toString(cron, { use24HourTimeFormat: true, verbose: false });
}

/**
 * If both a day of the month and a weekday are given, either is enough. The text says "or" where cronstrue says "and".
 * @example wordsOf("0 9 1 * mon") // "At 09:00, on day 1 of the month or on Monday"
 */
function wordsOf(cron: string): string {
  const [minute, hour, day = "*", month = "*", weekday = "*", ...more] = cron.trim().split(/\s+/);
  if (more.length > 0 || day === "*" || weekday === "*") return tell(cron);
  const time = tell(`${minute} ${hour} * * *`);
  const [ofMonth, ofWeek, inMonths] = [`${day} * *`, `* * ${weekday}`, `* ${month} *`].map((days) => {
    const words = tell(`${minute} ${hour} ${days}`);
    return words.startsWith(time) ? words.slice(time.length) : undefined;
  });
  if (ofMonth === undefined || ofWeek === undefined || inMonths === undefined) return tell(cron);
  return `${time}${ofMonth} or ${ofWeek.replace(/^, (?:only )?/, "")}${inMonths}`;
}
