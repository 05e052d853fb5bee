// cron-words: a schedule in words ("At 09:30, Monday through Friday"). The part that finds them is loaded when there is a schedule to tell.

import { useEffect, useState } from "react";

/** Nothing until they are there. */
export function useCronWords(cron: string): string | undefined {
  const [words, setWords] = useState<string>();
  useEffect(() => {
    let wanted = true;
    void import("cronstrue").then(({ default: cronstrue }) => {
      if (!wanted) return;
      try {
        setWords(cronstrue.toString(cron, { use24HourTimeFormat: true, verbose: false }));
      } catch {
        setWords(undefined);
      }
    });
    return () => {
      wanted = false;
    };
  }, [cron]);
  return words;
}
