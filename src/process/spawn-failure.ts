// spawn-failure: turns a spawn error into one cause (spec 3.2). ENOENT means a missing program or a missing folder, so
// the folder is checked first. EACCES also comes from an unreadable folder on PATH, whether or not the program exists.

import { existsSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Cause } from "./cause.ts";

export function spawnFailure(
  error: unknown,
  spec: { argv: readonly string[]; cwd: string; env: { readonly PATH?: string | undefined } },
): Extract<Cause, { type: "not-found" | "not-started" }> {
  const { code, message, path } = error as NodeJS.ErrnoException;
  const stat = statSync(spec.cwd, { throwIfNoEntry: false });
  if (!stat?.isDirectory())
    return {
      type: "not-started",
      reason: `the working directory ${JSON.stringify(spec.cwd)} ${stat ? "is not a folder" : "does not exist"}`,
    };
  const program = spec.argv[0] ?? "";
  if (code === "ENOENT" && (path === undefined || path === program)) return { type: "not-found", program };
  switch (code) {
    case "EACCES":
      if (!isThere(program, spec.env.PATH)) return { type: "not-found", program };
      return {
        type: "not-started",
        reason: path === undefined || path === program ? `${JSON.stringify(program)} may not be executed` : message,
      };
    case "E2BIG":
      return {
        type: "not-started",
        reason: "its arguments and environment are larger than the system allows",
      };
    case "EMFILE":
    case "ENFILE":
      return { type: "not-started", reason: "too many files are open" };
    case "EAGAIN":
      return { type: "not-started", reason: "the system allows no more processes" };
    case "ENOMEM":
      return { type: "not-started", reason: "the system has no memory for another process" };
    default:
      return { type: "not-started", reason: message };
  }
}

/** As far as permissions allow us to see. */
function isThere(program: string, searched = ""): boolean {
  return program.includes("/") || searched.split(delimiter).some((folder) => existsSync(join(folder, program)));
}
