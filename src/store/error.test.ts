import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { outOfOrder, runNotFound } from "./error.ts";

const read = (file: string) => fs.readFileSync(path.join(import.meta.dirname, file), "utf8");
const codes = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1]!).toSorted();

test("docs/reference/data-directory.md lists every code, and no other", () => {
  const declared = codes(read("error.ts"), /^ {2}\| "([a-z-]+)"/gm);
  expect(declared.length).toBeGreaterThan(15);
  expect(codes(read("../../docs/reference/data-directory.md"), /^\| `([a-z-]+)` \|/gm)).toEqual(declared);
});

test("each message says what to do next", () => {
  expect(outOfOrder("r1", 3, 5)).toMatchObject({
    code: "journal-gap",
    message: expect.stringContaining("event 3 comes next"),
  });
  expect(outOfOrder("r1", 3, 2)).toMatchObject({
    code: "journal-stale",
    message: expect.stringContaining("event 3 comes next"),
  });
  expect(runNotFound("latest").message).toBe("You have not started a run yet.");
});
