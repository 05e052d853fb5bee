// sandbox (nodes): a node's `sandbox` as what the process room is told, and what is refused before anything is started (spec 4.2).

import { realpathSync } from "node:fs";
import type { Failure } from "../base/failure.ts";
import { err, ok, type Result } from "../base/result.ts";
import { findProgram } from "../process/dialect.ts";
import {
  folderProblem,
  programProblem,
  type SandboxMode,
  type SandboxSpec,
  sandboxProblem,
} from "../process/sandbox.ts";
import type { Workflow } from "../workflow/model.ts";
import type { SeenCalls } from "./calls.ts";
import type { WayOut } from "./egress.ts";
import type { Order } from "./runner/orders.ts";

/** The sandbox for one command; undefined when it wants none. Failures: `sandbox-unavailable`, `sandbox-folder`, `sandbox-program`. */
export function sandboxFor(
  wanted: "none" | SandboxMode | undefined,
  given: { home: string; cwd: string; program: string; path: string | undefined; files: readonly string[] },
): Result<SandboxSpec | undefined, Failure> {
  if (wanted === undefined || wanted === "none") return ok(undefined);
  const problem = sandboxProblem(wanted, given.path) ?? folderProblem(wanted, given.cwd, given.home);
  if (problem !== undefined) return err(problem);
  const bwrap = findProgram("bwrap", given.path) ?? "";
  const spec: SandboxSpec = { mode: wanted, bwrap, home: given.home, files: given.files };
  const hidden = programProblem(spec, given.program, given.cwd);
  return hidden === undefined ? ok({ ...spec, bwrap: realpathSync(bwrap) }) : err(hidden);
}

/** The sandbox with what the attempt has in it. */
export function withFiles(
  sandbox: SandboxSpec,
  files: readonly string[],
  seen: SeenCalls | undefined,
  door: WayOut["door"],
): NonNullable<Order["sandbox"]> {
  const { door: _, ...plain } = sandbox;
  return {
    ...plain,
    files: [...sandbox.files, ...files, ...(seen?.files ?? [])],
    ...(seen?.folder === undefined ? {} : { writes: [seen.folder] }),
    ...(door === undefined ? {} : { door }),
  };
}

/** The first node whose sandbox this machine cannot give, said before anything runs. Failure `sandbox-unavailable`. */
export function missingSandbox(workflow: Workflow, path: string | undefined): Failure | undefined {
  for (const node of workflow.nodes) {
    const wanted = node.type === "cli" ? node.data.sandbox : undefined;
    if (wanted === undefined || wanted === "none") continue;
    const problem = sandboxProblem(wanted, path);
    if (problem !== undefined) return { ...problem, message: `Node "${node.id}": ${problem.message}` };
  }
  return undefined;
}
