// safety: inspects the command of an attempt with its values: what needs approval, and what may not run (spec 4.2).
//   F1. `advanced` nodes and scripts for other interpreters than a supported shell are not inspected.
//   F2. No message contains a value.

import type { Failure } from "../../base/failure.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { ShellVariable } from "../../shell/rewrite/index.ts";
import type { PlainUse, Reading } from "../../shell/safety/index.ts";
import { allowsPlain, inspect, isInspected, readCommand } from "../../shell/safety/index.ts";
import { NOWHERE } from "../../workflow/diagnostics/base.ts";
import { plainRefused } from "../../workflow/diagnostics/safety.ts";
import type { CliNode } from "../../workflow/model.ts";
import type { NodeContext } from "../context.ts";
import type { Ask } from "../executor.ts";
import { knownOf, type Program } from "./program.ts";

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
    const { content } = node.data;
    reading = readCommand(content, isValue ? () => false : knownOf(node, context));
    readings.set(program, reading);
  }
  const read = await reading;
  if (read === undefined) return ok([]);
  const source = {
    meaningOf: (reference: Named) => ({
      text: variables[wanted.get(keyOf(reference)) ?? ""],
    }),
    exported: (name: string) => (Object.hasOwn(named, name) ? { text: named[name] } : undefined),
  };
  const found = inspect(read, source, node.data);
  const refused = allowsPlain(node.data, context.workflow) ? undefined : found.plain.find(isRefused);
  return refused === undefined ? ok(found.asks) : err(refusal(refused));
}

type Named = Pick<ShellVariable, "root" | "members" | "default" | "filter">;

function keyOf({ root, members, default: fallback, filter }: Named): string {
  return JSON.stringify([root, members, fallback, filter]);
}

function isRefused({ loopback }: PlainUse): boolean {
  return loopback !== true;
}

function refusal(use: PlainUse): Failure {
  const { code, message, help } = plainRefused(NOWHERE, use);
  return { code, message, hint: help };
}
