import { expect, test } from "vitest";
import { printedLines } from "./printed.ts";

test.each([
  ["plain text gives its first three lines", "one\n\ntwo\nthree\nfour\n", ["one", "two", "three"]],
  [
    "a message in JSON comes first",
    '{"code":3,"message":"no\\nroom"}',
    ["no room", '{"code":3,"message":"no\\nroom"}'],
  ],
  ["an error inside of error too", '{"error":{"message":"gone"}}', ["gone", '{"error":{"message":"gone"}}']],
  [
    "the first of several errors too",
    '{"errors":[{"message":"no field nope"},{"message":"more"}]}',
    ["no field nope", '{"errors":[{"message":"no field nope"},{"message":"more"}]}'],
  ],
  ["a title must be text", '{"title":5}', ['{"title":5}']],
  ["a list has no message", '["a"]', ['["a"]']],
  ["nothing gives nothing", "\n", []],
])("%s", (_, start, lines) => expect(printedLines(start)).toEqual(lines));
