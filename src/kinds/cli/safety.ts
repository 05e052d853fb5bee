// safety: inspects the command of an attempt with its values: what needs approval, and what may not run (spec 4.2).
//   F1. `advanced` nodes and scripts for other interpreters than a supported shell are not inspected.
//   F2. No message contains a value.

import type { Failure } from "../../base/failure.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { ShellVariable } from "../../shell/rewrite/index.ts";
import type { PlainUse, Reading } from "../../shell/safety/index.ts";
import { allowsPlain, inspect, isInspected, readCommand } from "../../shell/safety/index.ts";
import type { CliNode } from "../../workflow/model.ts";
import type { NodeContext } from "../context.ts";
import type { Ask } from "../executor.ts";
import type { Program } from "./program.ts";

const readings = new WeakMap<Program, Promise<Reading | undefined>>();

export interface Attempt {
  node: CliNode;
  program: Program;
  context: NodeContext;
  /** Variables under names that the author chose: env.static, exposeParents. */
  named: Readonly<Record<string, string>>;
  /** By the names of the program's variables. */
  variables: Readonly<Record<string, string>>;
}

/** Failures: `http-not-allowed`, `curl-config-bypassed`, `curl-next-forgets`. */
export async function asksOfAttempt(attempt: Attempt): Promise<Result<Ask[], Failure>> {
  const { node, program, context, named, variables } = attempt;
  if (node.data.safetyLevel === "advanced" || !isInspected(node.data) || !("shell" in program.how)) return ok([]);
  // A program that is a value has no references. Anything that looks like one is shell syntax.
  const isValue = program.shell === undefined;
  const wanted = new Map((program.shell?.variables ?? []).map((variable) => [keyOf(variable), variable.variable]));
  let reading = readings.get(program);
  if (reading === undefined) {
    const { data } = node;
    const known = (root: string) =>
      !isValue && (/^[0-9]/.test(root) || Object.hasOwn(data.env?.static ?? {}, root) || context.knows(root));
    reading = readCommand(data.content, known);
    readings.set(program, reading);
  }
  const read = await reading;
  if (read === undefined) return ok([]);
  const source = {
    meaningOf: (reference: Pick<ShellVariable, "root" | "members" | "filter">) => ({
      text: variables[wanted.get(keyOf(reference)) ?? ""],
    }),
    exported: (name: string) => (Object.hasOwn(named, name) ? { text: named[name] } : undefined),
  };
  const found = inspect(read, source, node.data);
  const refused = allowsPlain(node.data, context.workflow) ? undefined : found.plain.find(isRefused);
  return refused === undefined ? ok(found.asks) : err(refusal(refused));
}

function keyOf({ root, members, filter }: Pick<ShellVariable, "root" | "members" | "filter">): string {
  return JSON.stringify([root, members, filter]);
}

function isRefused({ loopback }: PlainUse): boolean {
  return loopback !== true;
}

function refusal({ kind, seen }: PlainUse): Failure {
  if (kind === "bypass")
    return {
      code: "curl-config-bypassed",
      message: `"${seen}" removes the setting that keeps curl to https.`,
      hint: "Remove it, or set egress: any if http is meant.",
    };
  if (kind === "forgets-https")
    return {
      code: "curl-next-forgets",
      message: `After "${seen}" curl forgets its configuration, which allows https only.`,
      hint: `Call curl a second time in the place of ${seen}, or write --proto =https after it.`,
    };
  return {
    code: "http-not-allowed",
    message:
      kind === "no-scheme"
        ? `The address ${seen} does not say https://, and curl would try http.`
        : `The address ${seen} is not https.`,
    hint: "Write https://; addresses of this machine may be http://. egress: any in the document allows others.",
  };
}
