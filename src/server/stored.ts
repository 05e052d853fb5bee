// stored: a workflow file of the served folder, checked and ready to run, as `curlew run FILE` has it (spec 2.4, 4.3 S12).
//   D1. A path names a file below the folder, by plain names; no link leads out of it. A program (`.flow.ts`) is never executed by the server.
//   D2. Its subflows are read as they stand now; all texts go on record with the run.

import { realpathSync } from "node:fs";
import { join, sep } from "node:path";
import type { Failure } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { Diagnostic } from "../workflow/diagnostic.ts";
import type { Workflow } from "../workflow/model.ts";
import { checkFile } from "./document/check-file.ts";
import { readTextFile } from "./document/read-file.ts";
import { seenIn } from "./document/seen.ts";

export interface Stored {
  /** Absolute path. */
  file: string;
  text: string;
  workflow: Workflow;
  subflows: Record<string, string>;
}

export type NotStored = Failure & { diagnostics?: Diagnostic[] };

export interface StoredGround {
  folder: string;
  home: string;
  env: NodeJS.ProcessEnv;
}

/** Failures: `not-found`, `cannot-read`, `document-invalid` with its diagnostics. */
export async function storedWorkflow(path: string, ground: StoredGround): Promise<Result<Stored, NotStored>> {
  const file = insideOf(path, ground.folder);
  if (file === undefined) return err({ code: "not-found", message: `There is no workflow ${path} in the folder.` });
  const read = readTextFile(file, limits.documentBytesMax, { pipes: false });
  if (!read.ok)
    return read.error.kind === "missing"
      ? err({ code: "not-found", message: `There is no workflow ${path} in the folder.` })
      : err({ code: "cannot-read", message: `${path} cannot be read: ${read.error.why}.` });
  return checkedWorkflow({ file, name: path, text: read.value }, ground);
}

/** A text that stands, or would stand, at `file`. Failure: `document-invalid`. */
export async function checkedWorkflow(
  { file, name, text }: { file: string; name: string; text: string },
  { folder, home, env }: StoredGround,
): Promise<Result<Stored, NotStored>> {
  const checked = await checkFile(text, name, folder, Object.keys(env), await seenIn(home, folder));
  if (checked.workflow !== undefined) return ok({ file, text, workflow: checked.workflow, subflows: checked.subflows });
  const errors = checked.diagnostics.filter(({ severity }) => severity === "error");
  return err({
    code: "document-invalid",
    message: `${name} is not valid: ${errors[0]?.message ?? "it cannot be read"}`,
    hint: errors.length > 1 ? `There are ${errors.length} errors in all.` : "Nothing ran.",
    diagnostics: checked.diagnostics,
  });
}

/** D1. */
function insideOf(path: string, folder: string): string | undefined {
  const parts = path.split("/");
  if (parts.some((part) => part === "" || part === "." || part === ".." || /[\u0000-\u001f\\]/.test(part)))
    return undefined;
  if (!/\.flow\.(?:ya?ml|json)$/.test(path)) return undefined;
  const file = join(folder, ...parts);
  try {
    const real = realpathSync(file);
    return real.startsWith(folder.endsWith(sep) ? folder : folder + sep) ? real : undefined;
  } catch {
    return file;
  }
}
