import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createSealer } from "./sealed.ts";

const key = randomBytes(32);
const sealer = createSealer(key, "run1");
const bytes = Buffer.from([0, 255, 10, ...Buffer.from("a token: пароль")]);

test("sealed values open again, byte by byte, with their kind", () => {
  for (const kind of ["secret", "text"] as const)
    expect(sealer.open("3-1.sealed", sealer.seal("3-1.sealed", bytes, kind))).toEqual({ kind, bytes });
  expect(sealer.open("3-1.sealed", sealer.seal("3-1.sealed", Buffer.alloc(0), "text"))?.bytes).toHaveLength(0);
});

test("it opens only under its own name, in its own run and data directory", () => {
  const sealed = sealer.seal("3-1.sealed", bytes, "secret");
  expect(sealer.open("3-2.sealed", sealed)).toBeUndefined();
  expect(createSealer(key, "run2").open("3-1.sealed", sealed)).toBeUndefined();
  expect(createSealer(randomBytes(32), "run1").open("3-1.sealed", sealed)).toBeUndefined();
});

test("a changed or missing byte is noticed", () => {
  const sealed = sealer.seal("3-1.sealed", bytes, "secret");
  for (const at of sealed.keys()) {
    const changed = Buffer.from(sealed);
    changed[at]! ^= 1;
    expect(sealer.open("3-1.sealed", changed), `byte ${at}`).toBeUndefined();
    expect(sealer.open("3-1.sealed", sealed.subarray(0, at)), `${at} bytes`).toBeUndefined();
  }
});

test("the same bytes are sealed differently each time", () => {
  const once = sealer.seal("3-1.sealed", bytes, "secret");
  const twice = sealer.seal("3-1.sealed", bytes, "secret");
  expect(once.subarray(2).equals(twice.subarray(2))).toBe(false);
  expect(once.includes("token")).toBe(false);
});
