// cron-words: schedules in words ("At 09:30, Monday through Friday"). The library is loaded only if there is a
// schedule.

import { useEffect, useState } from "react";

export type CronWords = (cron: string) => string | undefined;

/** Undefined until the library is loaded. */
export function useCronWords(wanted: boolean): CronWords {
  const [tell, setTell] = useState<(cron: string) => string>();
  useEffect(() => {
    if (!wanted) return;
    void import("cronstrue").then(({ default: cronstrue }) =>
      setTell(() => (cron: string) => cronstrue.toString(cron, { use24HourTimeFormat: true, verbose: false })),
    );
  }, [wanted]);
  return (cron) => {
    try {
      return tell && wordsOf(cron, tell);
    } catch {
      return undefined;
    }
  };
}

/**
 * If both a day of the month and a weekday are given, either is enough. The text says "or" where `tell` says "and".
 * @example wordsOf("0 9 1 * mon", tell) // "At 09:00, on day 1 of the month or on Monday"
 */
export function wordsOf(cron: string, tell: (cron: string) => string): string {
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
