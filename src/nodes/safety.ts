// safety: looks at the command of an attempt with the values it will have: what a person must see before it, and what may not run (spec 4.2).
//   F1. Nothing is looked at in an `advanced` node, or in a script that no shell of ours reads.
//   F2. No message holds a value.

import type { Failure } from "../base/failure.ts";
import { err, ok, type Result } from "../base/result.ts";
import { analyze } from "../workflow/graph.ts";
import type { CliNode } from "../workflow/model.ts";
import type { PlainUse } from "../workflow/safety/https-only.ts";
import {
  allowsPlain,
  inspect,
  isInspected,
  originsOf,
  readCommand,
  runSource,
  stdinSource,
} from "../workflow/safety/inspect.ts";
import type { Reading } from "../workflow/safety/script.ts";
import type { ShellVariable } from "../workflow/shell-template.ts";
import type { NodeContext } from "./context.ts";
import type { Ask } from "./executor.ts";
import type { Program } from "./program.ts";

const readings = new WeakMap<Program, Promise<Reading | undefined>>();

export interface Attempt {
  node: CliNode;
  program: Program;
  context: NodeContext;
  /** What the command gets under names of its own: env.static, exposeParents. */
  named: Readonly<Record<string, string>>;
  /** By the names of the program's variables. */
  variables: Readonly<Record<string, string>>;
  cwd: string;
}

/** Failures `http-not-allowed`, `curl-config-bypassed`, `curl-next-forgets`. */
export async function asksOfAttempt(attempt: Attempt): Promise<Result<Ask[], Failure>> {
  const { node, program, context, named, variables, cwd } = attempt;
  if (node.data.safetyLevel === "advanced" || !isInspected(node.data) || !("shell" in program.how)) return ok([]);
  // A program that is a value has no references; what looks like one is the shell's.
  const own = program.shell === undefined;
  const wanted = new Map((program.shell?.variables ?? []).map((variable) => [keyOf(variable), variable.variable]));
  let reading = readings.get(program);
  if (reading === undefined) {
    const { data } = node;
    const known = (root: string) =>
      !own && (/^[0-9]/.test(root) || Object.hasOwn(data.env?.static ?? {}, root) || context.knows(root));
    reading = readCommand(data.content, known);
    readings.set(program, reading);
  }
  const read = await reading;
  if (read === undefined) return ok([]);
  const origins = () => {
    const { graph, provenance } = originsOf(context.workflow, analyze);
    const found = graph.nodes[graph.indexOf.get(node.id) ?? -1];
    return found === undefined ? undefined : { node: found, provenance };
  };
  const from = node.data.stdin === undefined ? undefined : origins();
  const places = { cwd, home: context.environment.HOME, tmp: context.environment.TMPDIR };
  const found = inspect(
    read,
    runSource(origins, (reference) => variables[wanted.get(keyOf(reference)) ?? ""], named, places),
    node,
    places,
    from === undefined ? undefined : stdinSource(from.node, from.provenance),
  );
  const plainIsMeant = allowsPlain(node, context.workflow);
  const refused = found.plain
    .filter(({ kind }) => !plainIsMeant || kind === "forgets-auth")
    .map(refusal)
    .find((one) => one !== undefined);
  return refused === undefined ? ok(found.asks) : err(refused);
}

function keyOf({ root, members, filter }: Pick<ShellVariable, "root" | "members" | "filter">): string {
  return JSON.stringify([root, members, filter]);
}

function refusal(use: PlainUse): Failure | undefined {
  if (use.loopback || use.kind === "in-program") return undefined;
  if (use.kind === "bypass")
    return {
      code: "curl-config-bypassed",
      message: `"${use.seen}" would take back what keeps curl to https.`,
      hint: "Remove it, or set egress: any if calls in the clear are meant.",
    };
  if (use.kind === "forgets-https" || use.kind === "forgets-auth")
    return {
      code: "curl-next-forgets",
      message:
        use.kind === "forgets-auth"
          ? `After "${use.seen}" curl forgets how this node signs in: the call would be made without it.`
          : `After "${use.seen}" curl forgets what keeps it to https.`,
      hint: `Call curl a second time in the place of ${use.seen}${use.kind === "forgets-auth" ? "" : ", or write --proto =https after it"}.`,
    };
  return {
    code: "http-not-allowed",
    message:
      use.kind === "no-scheme"
        ? `The address ${use.seen} does not say https://, and curl would try http.`
        : use.kind === "led-away"
          ? `"${use.seen}" leads a call in the clear away from this machine.`
          : `The address ${use.seen} is not https.`,
    hint: "Write https://; addresses of this machine may be http://. egress: any in the document allows others.",
  };
}
