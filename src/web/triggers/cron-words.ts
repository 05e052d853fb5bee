// cron-words: schedules in words ("At 09:30, Monday through Friday"). The part that finds them is loaded when there is a schedule to tell.

import { useEffect, useState } from "react";

export type CronWords = (cron: string) => string | undefined;

/** Nothing of any until that part is there. */
export function useCronWords(wanted: boolean): CronWords {
  const [words, setWords] = useState<CronWords>(() => () => undefined);
  useEffect(() => {
    if (!wanted) return;
    let here = true;
    void import("cronstrue").then(({ default: cronstrue }) => {
      if (here)
        setWords(() => remembered((cron) => cronstrue.toString(cron, { use24HourTimeFormat: true, verbose: false })));
    });
    return () => {
      here = false;
    };
  }, [wanted]);
  return words;
}

function remembered(wordsOf: (cron: string) => string): CronWords {
  const known = new Map<string, string | undefined>();
  return (cron) => {
    if (!known.has(cron))
      known.set(
        cron,
        attempt(() => wordsOf(cron)),
      );
    return known.get(cron);
  };
}

function attempt(tell: () => string): string | undefined {
  try {
    return tell();
  } catch {
    return undefined;
  }
}
