// sandbox: translates a node's `sandbox` for the process room, and rejects what cannot work before the start
// (spec 4.2).

import { realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute } from "node:path";
import type { Failure } from "../../base/failure.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { findProgram } from "../../process/dialect.ts";
import type { ObservedCalls } from "../../process/http-observer/observe.ts";
import type { Order } from "../../process/runner/orders.ts";
import {
  folderProblem,
  programProblem,
  type SandboxMode,
  type SandboxSpec,
  sandboxProblem,
} from "../../process/sandbox.ts";
import type { Workflow } from "../../workflow/model.ts";
import type { EgressRoute } from "./egress.ts";

/**
 * The sandbox for one command. Undefined if it has none. Failures: `sandbox-unavailable`, `sandbox-folder`,
 * `sandbox-program`.
 */
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

/** The sandbox with the files of the attempt. The command may write to `stateFile`. */
export function withFiles(
  sandbox: SandboxSpec,
  given: {
    files: readonly string[];
    stateFile: string | undefined;
    seen: ObservedCalls | undefined;
    door: EgressRoute["door"];
  },
): NonNullable<Order["sandbox"]> {
  const { files, stateFile, seen, door } = given;
  const writes = [seen?.folder, stateFile].filter((path) => path !== undefined);
  return {
    ...sandbox,
    files: [...sandbox.files, ...files, ...(seen?.files ?? [])],
    writes,
    door,
  };
}

const CA_SETTINGS = [
  ...["CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE"],
  ...["GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "AWS_CA_BUNDLE"],
];

/**
 * CA certificate files and folders that the machine's own settings name and that a sandbox would hide. Values of a run
 * add none.
 */
export function certificateFiles(
  mode: SandboxMode,
  env: Readonly<Record<string, string>>,
  machine: Readonly<Record<string, string | undefined>>,
  home: string,
): string[] {
  const under = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);
  const isHidden = (path: string): boolean => {
    if (mode === "no-network") return under(path, home);
    if (mode === "read-only") return ["/tmp", "/run", home].some((folder) => under(path, folder));
    return !["/usr", "/etc"].some((folder) => under(path, folder));
  };
  return CA_SETTINGS.flatMap((name) => (env[name] === machine[name] ? (env[name]?.split(delimiter) ?? []) : [])).filter(
    (path) => isAbsolute(path) && path !== "/" && isHidden(path) && statSync(path, { throwIfNoEntry: false }),
  );
}

/**
 * Reports the first node whose sandbox this machine cannot provide, before anything runs. Failure:
 * `sandbox-unavailable`.
 */
export function missingSandbox(workflow: Workflow, path: string | undefined): Failure | undefined {
  for (const node of workflow.nodes) {
    const wanted = "sandbox" in node.data ? node.data.sandbox : undefined;
    if (wanted === undefined || wanted === "none") continue;
    const problem = sandboxProblem(wanted, path);
    if (problem !== undefined) return { ...problem, message: `Node "${node.id}": ${problem.message}` };
  }
  return undefined;
}
