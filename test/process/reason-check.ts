// reason-check: what a program said must be explained by one reason, with words, evidence and what helps.

import { expect, test } from "vitest";
import { reasonOf } from "../../src/process/diagnose.ts";

/** `expected`: the reason, then what its sentence or its hints say. */
export function check(stderr: string, ...expected: (string | RegExp)[]): void {
  test(stderr.trim().split("\n").at(-1)!.slice(0, 150), () => {
    const told = reasonOf({ stderrTail: stderr, exitCode: 1 });
    expect(told?.reason).toBe(expected[0]);
    for (const text of expected.slice(1)) expect(`${told?.what} ${told?.hints.join(" ")}`).toMatch(text);
    expect(told?.hints.length).toBeGreaterThan(0);
    for (const line of told?.evidence ?? []) expect(stderr).toContain(line.replace(/…$/, ""));
  });
}
