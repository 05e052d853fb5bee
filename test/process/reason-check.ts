// reason-check: a program's stderr must lead to one reason, with a message, evidence and hints.

import { expect, test } from "vitest";
import { reasonOf } from "../../src/process/diagnose.ts";

/** `expected`: the reason, then parts of its message or hints. */
export function check(stderr: string, ...expected: (string | RegExp)[]): void {
  test(stderr.trim().split("\n").at(-1)!.slice(0, 150), () => {
    const told = reasonOf({ stderrTail: stderr, exitCode: 1 });
    expect(told?.reason).toBe(expected[0]);
    for (const text of expected.slice(1)) expect(`${told?.what} ${told?.hints.join(" ")}`).toMatch(text);
    expect(told?.hints.length).toBeGreaterThan(0);
    for (const line of told?.evidence ?? []) expect(stderr).toContain(line.replace(/…$/, ""));
  });
}
