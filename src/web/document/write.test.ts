// Values written without the library look exactly as the library writes them (W3).

import fc from "fast-check";
import { expect, test } from "vitest";
import { Document, parse, Scalar, stringify, type YAMLMap } from "yaml";
import { keyScalar, scalarInFlow, scalarText } from "./write.ts";

const part = fc.stringMatching(/^[A-Za-z_-]?[\w:. -]{0,8}$/);
const words = fc.oneof(
  fc.constantFrom(
    "null",
    "Null",
    "TRUE",
    "false",
    "nUll",
    "yes",
    "on",
    "a -> b",
    "a:true -> b_2",
    "a: -> b",
    "_",
    "-",
    "1e3",
    "~",
  ),
  part,
  fc.tuple(part, part).map(([from, to]) => `${from} -> ${to}`),
  fc.integer(),
  fc.double(),
);

test("words and numbers are written as the library writes them", () => {
  let plain = 0;
  fc.assert(
    fc.property(words, (value) => {
      const options = { lineWidth: 0, singleQuote: null, blockQuote: false } as const;
      const scalar = new Scalar(value);
      expect(scalarText(value, 2)).toBe(stringify({ k: scalar }, options).slice(3).trimEnd());
      const list = new Document([new Scalar(value)]);
      (list.contents as unknown as YAMLMap).flow = true;
      expect(`[${scalarInFlow(value)}]`).toBe(list.toString({ ...options, flowCollectionPadding: false }).trimEnd());
      expect(parse(`k: ${scalarText(value, 2)}`)).toEqual({ k: value });
      if (typeof value === "string") expect(parse(`m:\n  ${keyScalar(value)}: 1`)).toEqual({ m: { [value]: 1 } });
      if (scalarText(value, 2) === value) plain += 1;
    }),
    { numRuns: 2_000 },
  );
  // Otherwise the property compared nothing.
  expect(plain).toBeGreaterThan(200);
});
