import { expect, test } from "vitest";
import { secretParts } from "./derived-secrets.ts";

test.each<[string, string, string[]]>([
  ["a text is one secret", "hunter2-token", ["hunter2-token"]],
  ["also when it looks a little like JSON", '{"not json', ['{"not json']],
  ["a number is a text", "12345678", ["12345678"]],
  ["a short value derives nothing", "12345", []],
  ["blanks do not count", "  abc \n", []],
  ["a JSON string is the text in it", '"hunter2-token"\n', ["hunter2-token"]],
  [
    "of an answer each string, but not what kind it is and how long it holds",
    '{"access_token":"acc-123","token_type":"Bearer","expires_in":3600,"scope":"read write","error_description":"went wrong","deep":[{"key":"key-1234","n":null}]}',
    ["key-1234", "acc-123"],
  ],
  ["JSON without such strings is a secret as a whole", '{"pin":123456}', ['{"pin":123456}']],
  ["an empty list too short", "[]", []],
])("%s", (_, value, parts) => {
  expect(secretParts(value)).toEqual(parts);
});

test("a deeply nested answer is read completely", () => {
  const deep = `${"[".repeat(5_000)}"hunter2-token"${"]".repeat(5_000)}`;
  expect(secretParts(deep)).toEqual(["hunter2-token"]);
});
