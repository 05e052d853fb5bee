import fc from "fast-check";
import { expect, test } from "vitest";
import { lineSplitter } from "./lines.ts";

/** Pushes `bytes` in chunks, cut at the given places. Returns the pieces as text, which must be valid UTF-8. */
function pieces(bytes: Uint8Array, cuts: readonly number[], lineBytesMax?: number): string[] {
  const splitter = lineSplitter(lineBytesMax);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const found = places.slice(1).flatMap((to, index) => splitter.push(bytes.slice(places[index], to)));
  return [...found, ...splitter.end()].map((piece) =>
    new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(piece),
  );
}

const anyText = fc
  .array(fc.oneof(fc.string({ unit: "binary" }), fc.constant("\n"), fc.constant("\r\n"), fc.constant("é€😀")))
  .map((parts) => parts.join(""));
const anyCuts = fc.array(fc.nat(200), { maxLength: 20 });

test("lines are the same for any chunk borders, and characters stay whole", () => {
  fc.assert(
    fc.property(anyText, anyCuts, (text, cuts) => {
      const expected = text.split(/(?<=\n)/).filter((line) => line !== "");
      expect(pieces(Buffer.from(text), cuts)).toEqual(expected);
    }),
  );
});

test("a line that is too long comes in parts that keep characters whole", () => {
  fc.assert(
    fc.property(anyText, anyCuts, fc.integer({ min: 8, max: 20 }), (text, cuts, max) => {
      const found = pieces(Buffer.from(text), cuts, max);
      expect(found.join("")).toBe(text);
    }),
  );
  expect(pieces(Buffer.from("€€€€"), [3, 5], 7)).toEqual(["€€", "€€"]);
});

test("bytes that are no UTF-8 are kept as they are", () => {
  const splitter = lineSplitter(4);
  const bytes = Uint8Array.from([255, 128, 128, 128, 128, 128, 10, 0, 255]);
  const found = [...splitter.push(bytes), ...splitter.end()];
  expect(Buffer.concat(found)).toEqual(Buffer.from(bytes));
});
