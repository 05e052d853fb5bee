// Words of EDITOR: split as sh would, and nothing run.

import { expect, test } from "vitest";
import { splitWords } from "./words.ts";

test.each([
  ["vi", ["vi"]],
  ["  code  --wait\t-n ", ["code", "--wait", "-n"]],
  ["'/opt/my editor/ed' -x", ["/opt/my editor/ed", "-x"]],
  ['"a \\"b\\" c" d', ['a "b" c', "d"]],
  ["a\\ b c", ["a b", "c"]],
  ["a'b'\"c\"", ["abc"]],
  ["''", [""]],
  ["$(rm -rf x) `id` ${HOME} *", ["$(rm", "-rf", "x)", "`id`", "${HOME}", "*"]],
  ['"\\n"', ["\\n"]],
  ["", []],
  ["'open", undefined],
])("%s", (text, words) => {
  expect(splitWords(text)).toEqual(words);
});
