// A file's sum is that of all its bytes, up to the limit; beyond it there is none, which costs a flood nothing.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { limits } from "../base/limits.ts";
import { appendFile } from "./append-file.ts";

test("the sum covers every byte up to the limit; one byte more, and there is none", () => {
  const folder = mkdtempSync(join(tmpdir(), "curlew-append-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = appendFile(join(folder, "a.out"));
  onTestFinished(() => file.end(false));
  const piece = Buffer.alloc(limits.summedBytesMax / 4, "curlew ");
  let sum = 0;
  for (let n = 0; n < 4; n++) {
    file.append(piece);
    sum = crc32(piece, sum);
    expect(file.sum).toBe(sum);
  }
  file.append(Buffer.from("x"));
  expect([file.bytes, file.sum]).toEqual([limits.summedBytesMax + 1, undefined]);
});
