// The words of EDITOR are split like in sh, without running anything.

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
