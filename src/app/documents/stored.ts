// Reads a workflow file and checks it so that it is ready to run, as `curlew run FILE` does (spec 2.4, 4.3 S12).
//   D1. The server never executes a program (`.flow.ts`). document/folder.ts decides which paths are allowed.
//   D2. Subflows are read in their current state, and all texts are recorded with the run.

import type { Failure } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Store } from "../../store/index.ts";
import type { Diagnostic } from "../../workflow/diagnostic.ts";
import type { Workflow } from "../../workflow/model.ts";
import { type Checked, checkFile } from "./check-file.ts";
import type { Documents } from "./documents.ts";
import { readTextFile } from "./read-file.ts";
import { seenIn } from "./seen.ts";

export interface Stored {
  /** Absolute path. */
  file: string;
  text: string;
  workflow: Workflow;
  subflows: Record<string, string>;
}

/** Where a server looks for files and what it trusts. `folder` is absolute. */
export interface Surroundings {
  folder: string;
  home: string;
  env: NodeJS.ProcessEnv;
  store: Pick<Store, "trust">;
}

export type NotStored = Failure & { diagnostics?: Diagnostic[] };

/** Failures: `not-found`, `cannot-read`, `document-invalid` with its diagnostics. */
export async function storedWorkflow(
  path: string,
  { documents }: { documents: Documents },
): Promise<Result<Stored, NotStored>> {
  const read = documents.folder.read(path);
  if (!read.ok)
    return read.error.kind === "missing" || read.error.kind === "bad-path"
      ? err({ code: "not-found", message: `There is no workflow ${path} in the folder.` })
      : err({ code: "cannot-read", message: `${path} cannot be read (${read.error.kind}).` });
  const { text } = read.value;
  return readyToRun({ file: documents.fileOf(path), name: path, text }, await documents.check(path, text));
}

/** A file outside the folder, by absolute path, such as that of a recorded run. Failures: the same. */
export async function workflowAt(
  file: string,
  { folder, home, env, store }: Surroundings,
): Promise<Result<Stored, NotStored>> {
  const read = readTextFile(file, limits.documentBytesMax, { pipes: false });
  if (!read.ok) return err({ code: "cannot-read", message: `${file} cannot be read: ${read.error.why}.` });
  const checked = await checkFile(read.value, file, folder, Object.keys(env), await seenIn(home, folder, store));
  return readyToRun({ file, name: file, text: read.value }, checked);
}

function readyToRun(
  { file, name, text }: { file: string; name: string; text: string },
  { workflow, subflows, diagnostics }: Checked,
): Result<Stored, NotStored> {
  if (workflow !== undefined) return ok({ file, text, workflow, subflows });
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return err({
    code: "document-invalid",
    message: `${name} is not valid: ${errors[0]?.message ?? "it cannot be read"}`,
    hint: errors.length > 1 ? `There are ${errors.length} errors in all.` : "Nothing ran.",
    diagnostics,
  });
}
