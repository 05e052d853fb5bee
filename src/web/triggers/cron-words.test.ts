import { expect, test } from "vitest";
import { cronWords } from "./cron-words.ts";

test.each([
  ["0 9 * * 1-5", "At 09:00, Monday through Friday"],
  ["0 9 1 * *", "At 09:00, on day 1 of the month"],
  // Either day is enough to start a run (docs/reference/triggers.md).
  ["0 9 1 * mon", "At 09:00, on day 1 of the month or on Monday"],
  ["30 2 28-31 3 0", "At 02:30, between day 28 and 31 of the month or on Sunday, only in March"],
  ["*/5 * 13 * fri", "Every 5 minutes, on day 13 of the month or on Friday"],
  ["0 9 1,15 6 1-5", "At 09:00, on day 1 and 15 of the month or Monday through Friday, only in June"],
])("%s: %s", (cron, words) => {
  expect(cronWords(cron)).toBe(words);
});
