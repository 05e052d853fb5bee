// A file's checksum covers all its bytes, up to the limit. Larger files have no checksum, so that large output costs
// nothing.

import { hash } from "node:crypto";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { tempFolder } from "../../test/setup/folders.ts";
import { limits } from "../base/limits.ts";
import { appendFile } from "./append-file.ts";

test("the checksum covers every byte up to the limit; with one byte more it is missing", () => {
  const folder = tempFolder();
  const file = appendFile(join(folder, "a.out"));
  onTestFinished(() => file.end(false));
  const piece = Buffer.alloc(limits.hashedBytesMax / 4, "curlew ");
  for (let n = 1; n <= 4; n++) {
    file.append(piece);
    expect(file.sha256).toBe(hash("sha256", Buffer.concat(Array<Buffer>(n).fill(piece))));
  }
  file.append(Buffer.from("x"));
  expect([file.bytes, file.sha256]).toEqual([limits.hashedBytesMax + 1, undefined]);
});
