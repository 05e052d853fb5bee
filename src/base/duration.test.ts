import { expect, test } from "vitest";
import { parseDuration, parseSize } from "./duration.ts";

const duration = (text: string, expected: number | string) =>
  test(`duration ${JSON.stringify(text)}`, () => {
    const parsed = parseDuration(text);
    expect(parsed.ok ? parsed.value : parsed.error).toEqual(expected);
  });
const size = (text: string, expected: number | string) =>
  test(`size ${JSON.stringify(text)}`, () => {
    const parsed = parseSize(text);
    expect(parsed.ok ? parsed.value : parsed.error).toEqual(expected);
  });

const FORMS = "Examples: 250ms, 30s, 5m, 2h, 1d, or PT1H30M.";

duration("250ms", 250);
duration("30s", 30_000);
duration("5m", 300_000);
duration("2h", 7_200_000);
duration("1d", 86_400_000);
duration("1.5s", 1_500);
duration("0s", 0);
duration("PT30S", 30_000);
duration("PT0.25S", 250);
duration("P1DT2H3M4S", 93_784_000);
duration("P2W", 1_209_600_000);
duration("30", '"30" has no unit. Write 30s for seconds or 30ms for milliseconds.');
duration("", `The duration is empty. ${FORMS}`);
duration("P", `"P" is not a duration. ${FORMS}`);
duration("PT", `"PT" is not a duration. ${FORMS}`);
duration("P1DT", `"P1DT" is not a duration. ${FORMS}`);
duration("P1M", `"P1M" is not a duration. ${FORMS}`);
duration("-5s", `"-5s" is not a duration. ${FORMS}`);
duration("1h30m", `"1h30m" is not a duration. ${FORMS}`);
duration("5 minutes", `"5 minutes" is not a duration. ${FORMS}`);
duration("5 min", `"5 min" is not a duration. ${FORMS}`);
duration("30S", `"30S" is not a duration. ${FORMS}`);
duration("10sec", `"10sec" is not a duration. ${FORMS}`);
duration("soon", `"soon" is not a duration. ${FORMS}`);
duration("30s\n", `"30s·" is not a duration. ${FORMS}`);
duration("0.1ms", '"0.1ms" is shorter than one millisecond, the shortest duration.');
duration("99999d", '"99999d" is longer than 3650 days, the longest duration.');
duration("PT1e9S", `"PT1e9S" is not a duration. ${FORMS}`);

size("64KiB", 65_536);
size("10MB", 10_000_000);
size("10 MB", 10_000_000);
size("512B", 512);
size("1.5GiB", 1_610_612_736);
size("0B", 0);
size("10", '"10" has no unit. Write 10B for bytes, or use KiB, MB, and so on.');
size("10mb", '"10mb" is not a size. Examples: 512B, 64KiB, or 10MB.');
size("10k", '"10k" is not a size. Examples: 512B, 64KiB, or 10MB.');
size("64kib", '"64kib" is not a size. Examples: 512B, 64KiB, or 10MB.');
size("-1MB", '"-1MB" is not a size. Examples: 512B, 64KiB, or 10MB.');
size("big", '"big" is not a size. Examples: 512B, 64KiB, or 10MB.');
size("99999999TB", '"99999999TB" is too large for a size.');
