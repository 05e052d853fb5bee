// rules: one sentence of the documentation, one small workflow, and what `curlew run` prints for it, to the byte.
// The text files beside this one hold the rules. Each begins with a line of its sentence.
//   `$ name=value`, `$ --flag`, or `$ validate` (default: run) is an argument.
//   `exit 1` is the exit code (default: 0), `! …` a finding on stderr, and `> …` a line on stdout.
//   The other lines are the document without its first two lines.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folder } from "../cli/curlew.ts";

/** The files that subflow nodes of the rules run. */
const BESIDE = {
  "inner.flow.yaml": `curlew: 1
name: Inner
inputs: { x: { type: string, default: d } }
nodes:
  - { id: a, type: text, data: { title: A, content: "inner \${x}" } }
`,
  "long.flow.yaml": `curlew: 1
name: Long
nodes:
  - { id: a, type: cli, data: { title: A, content: "sleep 600" } }
`,
  "strict.flow.yaml": `curlew: 1
name: Strict
inputs: { x: { type: string, required: true }, n: { type: integer, default: 4 } }
nodes:
  - { id: a, type: cli, data: { title: A, content: "echo \${x}; exit \${n}" } }
`,
};

/** Lines that begin with the mark, without it. */
const marked = (lines: string[], mark: string) =>
  lines.filter((line) => `${line} `.startsWith(`${mark} `)).map((line) => line.slice(mark.length + 1));

async function check(lines: string[]): Promise<void> {
  const given = marked(lines, "$");
  const verb = given[0] === "validate" ? "validate" : "run";
  const args = given
    .filter((word) => word !== "validate")
    .flatMap((word) => (word.startsWith("--") ? word.split(" ") : ["--input", word]));
  const document = lines.filter((line) => !/^(?:[$!>](?: |$)|exit \d$)/.test(line)).join("\n");
  const at = folder({ "t.flow.yaml": `curlew: 1\nname: T\n${document}\n`, ...BESIDE });
  const env = { GREETING: "hello-env" };
  const ran = await at.run([verb, "t.flow.yaml", ...args], { env });
  // A run that starts prints its warnings in short.
  const isWarned = /^warning\[/m.test(ran.stderr);
  const checked = isWarned ? findings((await at.run(["validate", "t.flow.yaml"], { env })).stderr) : [];
  expect({ exit: ran.code, says: [...checked, ...findings(ran.stderr)] }, ran.stderr).toEqual({
    exit: Number(marked(lines, "exit")[0] ?? 0),
    says: marked(lines, "!"),
  });
  expect(ran.stdout).toBe(
    marked(lines, ">")
      .map((line) => `${line}\n`)
      .join(""),
  );
}

function findings(stderr: string): string[] {
  return stderr.split("\n").flatMap((line) => {
    if (line.startsWith("  warning at ")) return [line.trim()];
    const match = /^(?:t\.flow\.yaml:(\d+:\d+)|curlew): ((?:error|warning)\[[a-z0-9-]+\]: .*)$/.exec(line);
    return match === null ? [] : [`${match[1] === undefined ? "" : `${match[1]} `}${match[2]}`];
  });
}

/** Declares the tests of these files. */
export function tryRules(names: readonly string[]): void {
  describe.each(names)("%s.txt", (name) => {
    const [, ...rules] = readFileSync(join(import.meta.dirname, `${name}.txt`), "utf8")
      .trimEnd()
      .split(/\n\n=== /);
    test.each(rules.map((rule) => rule.split("\n")).map(([sentence, ...lines]) => ({ sentence, lines })))(
      "$sentence",
      ({ lines }) => check(lines),
    );
  });
}
