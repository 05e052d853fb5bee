import { crc32 } from "node:zlib";
import { expect, test } from "vitest";
import { crcOf } from "./crc.ts";

test("it is zlib's, in whatever pieces the bytes arrive", () => {
  const bytes = Uint8Array.from({ length: 20_000 }, (_, n) => (n * n) >>> 3);
  for (const cuts of [[], [1], [4_095, 8_191], [4_096], [10, 20, 19_000]]) {
    let sum = 0;
    for (const [index, to] of [...cuts, bytes.length].entries())
      sum = crcOf(bytes.subarray(cuts[index - 1] ?? 0, to), sum);
    expect(sum).toBe(crc32(bytes));
  }
  expect([crcOf(new Uint8Array(0)), crcOf(Buffer.from("123456789"))]).toEqual([0, 0xcbf43926]);
});
