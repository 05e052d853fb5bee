import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/setup/folders.ts";
import { codeOf, id, modeOf, must } from "../../test/store/fixture.ts";
import { limits } from "../base/limits.ts";
import { Outputs } from "./outputs.ts";

const run = id(1);

/** Outputs with one file of the run, and the file's path. */
function withFile(content: string | Uint8Array, file = "3.out") {
  const root = tempFolder();
  const outputs = new Outputs(root);
  const at = must(outputs.create(run, file));
  fs.writeFileSync(at, content);
  return { root, outputs, at };
}
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

test("a created file is empty, 0600, in a 0700 folder of its run, with any umask", () => {
  const umask = process.umask(0);
  try {
    const { outputs, at, root } = withFile("left over");
    expect(at).toBe(path.join(root, run, "3.out"));
    expect(must(outputs.create(run, "3.out"))).toBe(at);
    expect(must(outputs.size(run, "3.out"))).toBe(0);
    expect([modeOf(at), modeOf(path.dirname(at))]).toEqual(["600", "700"]);
  } finally {
    process.umask(umask);
  }
});

test("a value of any bytes is written whole and read back", () => {
  const { outputs } = withFile("");
  const value = Uint8Array.from({ length: 100_000 }, (_, n) => n % 256);
  must(outputs.write(run, "7-2.val", value));
  expect(Uint8Array.from(must(outputs.range(run, "7-2.val", 0, 1_000_000)).bytes)).toEqual(value);
  must(outputs.write(run, "7-2.val", new Uint8Array(0)));
  expect(must(outputs.size(run, "7-2.val"))).toBe(0);
});

test.each([
  [0, 4, 0, "0123"],
  [8, 4, 8, "89"],
  [10, 4, 10, ""],
  [99, 4, 10, ""],
  [-5, 4, 0, "0123"],
  [3, 0, 3, ""],
  [3, -1, 3, ""],
])("range from %d, at most %d bytes", (from, limit, start, expected) => {
  const { bytes, ...where } = must(withFile("0123456789").outputs.range(run, "3.out", from, limit));
  expect({ ...where, text: text(bytes) }).toEqual({ from: start, size: 10, text: expected });
});

test("no range is larger than its limit", () => {
  const { outputs, at } = withFile("");
  fs.truncateSync(at, limits.outputRangeBytesMax * 4);
  expect(must(outputs.range(run, "3.out", 5, Number.MAX_SAFE_INTEGER)).bytes).toHaveLength(limits.outputRangeBytesMax);
  expect(must(outputs.tail(run, "3.out", { lines: 10 })).bytes).toHaveLength(limits.outputRangeBytesMax);
});

test("tail gives the last lines as tail(1) does", () => {
  const anyLines = fc.array(
    fc.string({ maxLength: 12 }).map((line) => line.replaceAll("\n", "")),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(anyLines, fc.boolean(), fc.integer({ min: 0, max: 14 }), (lines, ended, count) => {
      const { outputs, at } = withFile(lines.join("\n") + (ended ? "\n" : ""));
      expect(text(must(outputs.tail(run, "3.out", { lines: count })).bytes)).toBe(
        execFileSync("tail", ["-n", String(count), at], { encoding: "utf8" }),
      );
    }),
    { numRuns: 60 },
  );
});

test("tail finds lines over many chunks, and keeps to the bytes allowed", () => {
  const long = `${"x".repeat(limits.outputChunkBytes)}\n`;
  const { outputs } = withFile(long.repeat(5));
  const size = long.length * 5;
  expect(must(outputs.tail(run, "3.out", { lines: 3 }))).toMatchObject({ from: long.length * 2, size });
  expect(must(outputs.tail(run, "3.out", { lines: 3, bytes: 10 }))).toMatchObject({ from: size - 10 });
  expect(must(outputs.tail(run, "3.out", { bytes: 7 })).bytes).toHaveLength(7);
  expect(must(outputs.tail(run, "3.out", { bytes: -7 })).bytes).toHaveLength(0);
});

test.each([
  [undefined, undefined, "0123456789"],
  [4, undefined, "456789"],
  [4, 6, "45"],
  [4, 99, "456789"],
  [10, undefined, ""],
  [7, 3, ""],
])("stream from %s to %s", async (from, to, expected) => {
  const { outputs } = withFile("0123456789");
  expect(text(await buffer(must(outputs.stream(run, "3.out", from, to))))).toBe(expected);
});

test("an empty file streams nothing", async () => {
  expect(await buffer(must(withFile("").outputs.stream(run, "3.out")))).toHaveLength(0);
});

test("files are listed by number, and go with their run", () => {
  const { outputs, root } = withFile("");
  for (const file of ["10.out", "10.err", "4-2.val"]) must(outputs.create(run, file));
  fs.writeFileSync(path.join(root, run, "notes.txt"), "");
  fs.mkdirSync(path.join(root, run, "deep", "er"), { recursive: true });
  must(outputs.create(id(2), "1.out"));
  expect(must(outputs.list(run))).toEqual(["3.out", "4-2.val", "10.err", "10.out"]);
  expect(must(outputs.runs()).toSorted()).toEqual([run, id(2)]);
  must(outputs.remove(run));
  must(outputs.remove(run));
  expect(must(outputs.list(run))).toEqual([]);
  expect(fs.readdirSync(root)).toEqual([id(2)]);
});

test("no name leads out of the folder", () => {
  const { outputs, root } = withFile("");
  fs.writeFileSync(path.join(root, "secret.out"), "secret");
  const badRuns = ["", ".", "..", "../x", "a/b", "a\\b", "a\0", "A", "a".repeat(27), "a ", "é"];
  const badFiles = [
    "",
    ".",
    "..",
    "../secret.out",
    "3.out/",
    "/etc/passwd",
    "3.OUT",
    "03.out",
    "0.out",
    "3.sh",
    "3.out\n",
    "3.out\0",
    "-1.out",
    "3-.val",
  ];
  const pairs = [...badRuns.map((bad) => [bad, "3.out"]), ...badFiles.map((bad) => [run, bad])] as [string, string][];
  for (const [a, b] of pairs) {
    const results = [
      outputs.create(a, b),
      outputs.write(a, b, new Uint8Array(1)),
      outputs.size(a, b),
      outputs.range(a, b, 0, 1),
      outputs.tail(a, b, { lines: 1 }),
      outputs.stream(a, b),
    ];
    expect([a, b, ...new Set(results.map(codeOf))]).toEqual([a, b, "output-name"]);
  }
  for (const bad of badRuns) {
    expect([bad, codeOf(outputs.folder(bad)), codeOf(outputs.list(bad)), codeOf(outputs.remove(bad))]).toEqual([
      bad,
      "output-name",
      "output-name",
      "output-name",
    ]);
  }
  expect(fs.readdirSync(root).toSorted()).toEqual([run, "secret.out"].toSorted());
});

test("a missing file, a link, a folder or a pipe is not an output", () => {
  const { outputs, root } = withFile("");
  const at = (file: string) => path.join(root, run, file);
  fs.writeFileSync(path.join(root, "secret"), "secret");
  fs.symlinkSync("../secret", at("4.out"));
  fs.mkdirSync(at("5.out"));
  execFileSync("mkfifo", [at("6.out")]);
  for (const file of ["1.out", "4.out", "5.out", "6.out"]) {
    expect([file, codeOf(outputs.range(run, file, 0, 9))]).toEqual([file, "output-missing"]);
    expect([file, codeOf(outputs.stream(run, file))]).toEqual([file, "output-missing"]);
  }
  expect(codeOf(outputs.size(id(9), "1.out"))).toBe("output-missing");
  expect(codeOf(outputs.write(run, "4.out", Buffer.from("overwritten")))).toBe("store-failed");
  expect(fs.readFileSync(path.join(root, "secret"), "utf8")).toBe("secret");
});

test("two runs share a file: removing or rewriting it in one leaves the other's unchanged", () => {
  const root = tempFolder();
  const outputs = new Outputs(root);
  for (const file of ["2.val", "3.val"]) {
    must(outputs.write(id(1), file, Buffer.from("shared")));
    fs.linkSync(path.join(root, id(1), file), path.join(must(outputs.folder(id(2))), file));
  }
  must(outputs.write(id(2), "2.val", Buffer.from("new")));
  must(outputs.create(id(2), "3.val"));
  const text = (run: string, file: string) => Buffer.from(must(outputs.range(run, file, 0, 100)).bytes).toString();
  expect([text(id(1), "2.val"), text(id(1), "3.val"), text(id(2), "2.val")]).toEqual(["shared", "shared", "new"]);
  fs.linkSync(path.join(root, id(1), "2.val"), path.join(root, id(2), "4.val"));
  must(outputs.remove(id(1)));
  expect(text(id(2), "4.val")).toBe("shared");
});
