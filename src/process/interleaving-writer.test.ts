import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { ORDER_RECORD_BYTES } from "./interleaving.ts";
import { inOrder, orderWriter } from "./interleaving-writer.ts";

type Stream = "stdout" | "stderr";
const letter = (stream: Stream) => (stream === "stdout" ? "o" : "e");
const streams = (drawn: string): Stream[] => [...drawn].map((one) => (one === "o" ? "stdout" : "stderr"));

/** `marks` as the kernel reported them, `held` as the lines were read, each with its length. */
function check(marks: string, held: string, expected: string): void {
  test(`marks "${marks}" over lines "${held}"`, () => {
    const lines = held.split(" ").map((one) => ({ stream: streams(one[0]!)[0]!, bytes: Number(one.slice(1)) }));
    const found = inOrder(streams(marks), lines);
    expect(found.map(({ stream, bytes }) => `${letter(stream)}${bytes}`).join(" ")).toBe(expected);
  });
}

check("oeo", "o1 o2 e3", "o1 e3 o2");
check("eo", "o1 e2", "e2 o1");
check("oe", "o1 o2 o3 e4", "o1 o2 o3 e4");
check("oeo", "o1 o2 o3 e4", "o1 e4 o2 o3");
check("oeoe", "o1 e2", "o1 e2");
check("", "e1 o2", "e1 o2");
check("o", "e1 o2", "e1 o2");
check("oe", "o1 o2", "o1 o2");

test("no line is lost or doubled, and each stream keeps its order, with any marks", () => {
  const anyStream = fc.constantFrom<Stream>("stdout", "stderr");
  const anyLines = fc.array(anyStream).map((all) => all.map((stream, bytes) => ({ stream, bytes })));
  fc.assert(
    fc.property(fc.array(anyStream), anyLines, (marks, held) => {
      const found = inOrder(marks, held);
      for (const stream of ["stdout", "stderr"]) {
        const of = (all: typeof held) => all.filter((one) => one.stream === stream);
        expect(of(found)).toEqual(of(held));
      }
    }),
  );
});

test("lines written one by one come out as they were written", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom<Stream>("stdout", "stderr")), (written) => {
      // The kernel merges consecutive marks of a stream, so a stream writes one line between two of the other.
      const lines = written
        .filter((stream, index) => stream !== written[index - 1])
        .map((stream, bytes) => ({ stream, bytes }));
      const read = [...lines].sort((a, b) => (a.stream === b.stream ? 0 : a.stream === "stdout" ? -1 : 1));
      expect(
        inOrder(
          lines.map(({ stream }) => stream),
          read,
        ),
      ).toEqual(lines);
    }),
  );
});

test("changing the clock by hours changes neither the order nor the times of the output", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const records: Buffer[] = [];
  const file = {
    bytes: 0,
    sha256: undefined,
    append: (bytes: Uint8Array) => void records.push(Buffer.from(bytes)),
    end: () => {},
  };
  const order = orderWriter(file, performance.now());
  for (const [stream, hours] of [
    ["stdout", 0],
    ["stderr", -5],
    ["stdout", 30],
    ["stderr", 0],
  ] as const) {
    vi.setSystemTime(Date.now() + hours * 3_600_000);
    order.add(stream, Buffer.from("line\n"));
  }
  order.end(true, false);
  const all = Buffer.concat(records);
  const times = Array.from({ length: all.length / ORDER_RECORD_BYTES }, (_, n) =>
    all.readUIntLE(n * ORDER_RECORD_BYTES + 6, 6),
  );
  expect(times).toHaveLength(4);
  expect(Math.max(...times)).toBeLessThan(60_000);
});
