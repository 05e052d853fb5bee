// What is read without the parser of options is what the parser reads (Q1), over generated command lines.

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { buildProgram } from "./program.ts";
import { plainRun } from "./quickly.ts";
import { processTerminal } from "./terminal.ts";

const terminal = processTerminal();
const word = fc.oneof(
  fc.constantFrom(
    "--quiet",
    "--json",
    "--yes",
    "--home",
    "--input",
    "--",
    "-",
    "-q",
    "--input=a=b",
    "--home=x",
    "--dry-run",
    "--quie",
  ),
  fc.constantFrom("a.flow.yaml", "name=value", "n=", "=", "", " ", "a=--quiet", "b.flow.yaml"),
);

test("a plain command line means to the parser what it means here", () => {
  let plain = 0;
  fc.assert(
    fc.property(fc.array(word, { maxLength: 7 }), (words) => {
      const read = plainRun(words);
      if (read === undefined) return;
      plain += 1;
      expect(parsed(words)).toEqual(read);
    }),
    { numRuns: 20_000 },
  );
  expect(plain).toBeGreaterThan(500);
});

function parsed(words: readonly string[]): unknown {
  const program = buildProgram(terminal, async () => {}, false);
  let seen: unknown;
  const run = program.commands.find((command) => command.name() === "run")!;
  run.action((file, options) => {
    seen = { file, options: { ...options } };
  });
  program.parse(["run", ...words], { from: "user" });
  return seen;
}
