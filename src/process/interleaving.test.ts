import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readOrdered } from "../../test/process/ordered.ts";
import { tempFolder } from "../../test/setup/folders.ts";
import { encodePiece, readOrder } from "./interleaving.ts";

const folder = tempFolder();

function check(name: string, stdout: string, stderr: string, records: Buffer[], expected: string): void {
  test(name, () => {
    const files = ["out", "err", "ord"].map((kind) => join(folder, `${name.replaceAll(" ", "-")}.${kind}`)) as [
      string,
      string,
      string,
    ];
    if (stdout !== "") writeFileSync(files[0], stdout);
    if (stderr !== "") writeFileSync(files[1], stderr);
    if (records.length > 0) writeFileSync(files[2], Buffer.concat(records));
    const pieces = readOrdered(...files);
    expect(pieces.map(({ stream, atMs, bytes }) => `${stream}@${atMs ?? "?"} ${Buffer.from(bytes)}`).join(" | ")).toBe(
      expected,
    );
  });
}

const out = (bytes: number, atMs: number) => encodePiece("stdout", bytes, atMs);
const err = (bytes: number, atMs: number) => encodePiece("stderr", bytes, atMs);

check("both streams in order", "ab", "XY", [out(1, 0), err(2, 5), out(1, 7)], "stdout@0 a | stderr@5 XY | stdout@7 b");
check("no order file", "ab", "", [], "stdout@? ab");
check("nothing at all", "", "", [], "");
check(
  "bytes that no record knows come last",
  "abc",
  "XY",
  [err(1, 1), out(1, 2)],
  "stderr@1 X | stdout@2 a | stdout@? bc | stderr@? Y",
);
check("records beyond the files are cut", "a", "", [out(5, 1), err(5, 2)], "stdout@1 a");
check(
  "half a record at the end is nothing",
  "ab",
  "X",
  [out(1, 1), err(1, 2), out(1, 3).subarray(0, 7)],
  "stdout@1 a | stderr@2 X | stdout@? b",
);
check(
  "times and lengths beyond 32 bits",
  "a",
  "X",
  [out(2 ** 39, 2 ** 41), err(1, 2 ** 41 + 1)],
  `stdout@${2 ** 41} a | stderr@${2 ** 41 + 1} X`,
);

test("during a run, output without a known position is left out; a single stream needs no positions", () => {
  const [stdout, stderr, order] = ["live.out", "live.err", "live.ord"].map((name) => join(folder, name));
  const read = () => readOrder(stdout!, stderr!, order!, true).map(({ stream, bytes }) => `${stream} ${bytes}`);
  writeFileSync(stdout!, "abc");
  expect(read()).toEqual(["stdout 3"]);
  writeFileSync(stderr!, "XY");
  expect(read()).toEqual([]);
  writeFileSync(order!, Buffer.concat([out(1, 0), err(1, 5)]));
  expect(read()).toEqual(["stdout 1", "stderr 1"]);
});
