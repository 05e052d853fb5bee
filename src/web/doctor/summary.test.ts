// Doctor's findings, in one sentence and in groups.

import { expect, test } from "vitest";
import { commandIn, findingGroups, verdictOf } from "./summary.ts";

const finding = (level: "ok" | "note" | "warning" | "error", code: string) => ({ level, code, title: code });

test("findings are grouped from the worst to the best, and the verdict counts them", () => {
  const all = [finding("ok", "a"), finding("warning", "b"), finding("error", "c"), finding("note", "d")];
  expect(findingGroups(all).map(({ level, findings }) => [level, findings.map(({ code }) => code)])).toEqual([
    ["error", ["c"]],
    ["note", ["b", "d"]],
    ["ok", ["a"]],
  ]);
  expect(verdictOf(all)).toBe("1 thing is wrong. 2 things are worth knowing.");
  expect(verdictOf([finding("ok", "a")])).toBe("Nothing is wrong.");
  expect(verdictOf([finding("error", "a"), finding("error", "b")])).toBe("2 things are wrong.");
});

test("a remedy that is a command can be copied, a sentence is read", () => {
  expect(commandIn("chmod go-w '/home/u/.local/share/curlew/config.yaml'")).toBe(
    "chmod go-w '/home/u/.local/share/curlew/config.yaml'",
  );
  expect(commandIn("Run: chmod go-w '/x'")).toBe("chmod go-w '/x'");
  for (const text of [
    "Install bash: commands need a shell.",
    "Free some space; `curlew runs rm --older-than 30d` removes old runs.",
    "curlew is old.",
  ])
    expect(commandIn(text), text).toBeUndefined();
});
