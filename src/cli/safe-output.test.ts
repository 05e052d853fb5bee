import { expect, test } from "vitest";
import { safeOutput } from "./safe-output.ts";

/** The whole output, passed in chunks of `size` bytes. */
async function through(text: string, size: number): Promise<string> {
  const stream = safeOutput().setEncoding("utf8");
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) stream.write(bytes.subarray(at, at + size));
  stream.end();
  let all = "";
  for await (const chunk of stream) all += chunk;
  return all;
}

test.each([
  ["plain äöü 日本\n", "plain äöü 日本\n"],
  ["\u001b[1;31mred\u001b[0m\n", "\u001b[1;31mred\u001b[0m\n\u001b[0m"],
  ["a\u001b[2J\u001b[Hb\u001b[?25lc", "abc"],
  ["\u001b]0;title\u0007text\u001b]8;;http://x\u001b\\link", "textlink"],
  ["bell\u0007 back\u0008 c1\u009b", "bell back c1"],
  ["ends in an escape \u001b", "ends in an escape "],
])("%j reaches a terminal as %j, however it is cut", async (text, expected) => {
  for (const size of [1, 2, 3, 5, 1_000]) expect(await through(text, size)).toBe(expected);
});
