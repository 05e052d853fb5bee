// rules: one sentence of the documentation, one small workflow, and what `curlew` prints for it, to the byte. The tables beside this
// file are read as a list of what holds. stderr is compared by its findings (place, code and message); their layout has tests of its own.

import { expect, test } from "vitest";
import { folder } from "../cli/curlew.ts";

export interface Rule {
  /** The document without its first two lines, `curlew: 1` and `name: T`. */
  workflow?: string;
  /** The whole document, where those lines matter. */
  document?: string;
  /** Default `run`. */
  verb?: "run" | "validate";
  args?: string[];
  /** Default: nothing. */
  stdout?: string;
  /** stdout, where it is no UTF-8. */
  bytes?: number[];
  /** Default 0. */
  exit?: number;
  /** Every finding on stderr, in order: `3:9 error[output-missing-node]: …`. Default: none. */
  says?: string[];
}

/** One test a rule. */
export function rules(table: [rule: string, Rule][]): void {
  test.each(table)("%s", async (_, rule) => check(rule));
}

/** What subflow nodes of the tables run. */
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

async function check(rule: Rule): Promise<void> {
  const text = rule.document ?? `curlew: 1\nname: T${rule.workflow}`;
  const at = folder({ "t.flow.yaml": text, ...BESIDE });
  const verb = rule.verb ?? "run";
  const ran = await at.run([verb, "t.flow.yaml", ...(verb === "run" ? ["--quiet"] : []), ...(rule.args ?? [])], {
    env: { GREETING: "hello-env" },
  });
  expect({ exit: ran.code, says: findings(ran.stderr) }, ran.stderr).toEqual({
    exit: rule.exit ?? 0,
    says: rule.says ?? [],
  });
  if (rule.bytes === undefined) expect(ran.stdout).toBe(rule.stdout ?? "");
  else expect(ran.stdout).toBe(Buffer.from(rule.bytes).toString("utf8"));
}

function findings(stderr: string): string[] {
  return stderr.split("\n").flatMap((line) => {
    const match = /^(?:t\.flow\.yaml:(\d+:\d+)|curlew): ((?:error|warning)\[[a-z0-9-]+\]: .*)$/.exec(line);
    return match === null ? [] : [`${match[1] === undefined ? "" : `${match[1]} `}${match[2]}`];
  });
}
