import { expect, test } from "vitest";
import { mergeTexts } from "../document/index.ts";
import type { Clash } from "./session.ts";
import { canKeepBoth, settled } from "./settle.ts";

const BASE = "curlew: 1\nname: A\nnodes:\n  - { id: a, type: text, data: { title: A, content: a } }\n";
const node = (id: string) => `  - { id: ${id}, type: text, data: { title: ${id}, content: x } }\n`;

function clashOf(mine: string, theirs: string): Clash {
  return { theirs: { text: theirs, etag: "x" }, conflicts: mergeTexts(BASE, mine, theirs).conflicts };
}

test("two nodes that were added at one place can both be kept, mine first", () => {
  const [mine, theirs] = [BASE + node("b"), BASE + node("c")];
  const clash = clashOf(mine, theirs);
  expect(canKeepBoth(BASE, mine, clash, 0)).toBe(true);
  expect(settled(BASE, mine, clash, ["both"])).toBe(BASE + node("b") + node("c"));
  expect(settled(BASE, mine, clash, ["theirs"])).toBe(theirs);
  expect(settled(BASE, mine, clash, ["ours"])).toBe(mine);
});

test.each([
  ["two nodes of one id", BASE + node("b"), BASE + node("b").replace("x", "y")],
  ["two names", BASE.replace("name: A", "name: B"), BASE.replace("name: A", "name: C")],
  ["a change and a removal", BASE.replace("name: A", "name: B"), BASE.replace("name: A\n", "")],
])("%s cannot both stand there", (_, mine, theirs) => {
  const clash = clashOf(mine, theirs);
  expect(clash.conflicts).toHaveLength(1);
  expect(canKeepBoth(BASE, mine, clash, 0)).toBe(false);
});
