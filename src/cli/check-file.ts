// check-file: a document and the subflows it reaches, read and validated together (spec 1.1). Reads those files and nothing else.

import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { limits } from "../base/limits.ts";
import { err, ok } from "../base/result.ts";
import { isAllowedName } from "../process/environment.ts";
import { scanTokens } from "../secrets/scan.ts";
import type { Diagnostic } from "../workflow/diagnostic.ts";
import type { Workflow } from "../workflow/model.ts";
import { validateTree } from "../workflow/tree.ts";

export interface Checked {
  /** Given when no document has an error. */
  workflow?: Workflow;
  diagnostics: Diagnostic[];
  /** The text of a document as it may be shown, by the name in its diagnostics. */
  textOf(file: string): string;
  /** Texts of the subflows, by absolute path. */
  subflows: Record<string, string>;
}

/** `name` is the file as the user named it, relative to `cwd`. `environment`: what templates may name. */
export async function checkFile(
  text: string,
  name: string,
  cwd: string,
  environment: Iterable<string>,
): Promise<Checked> {
  const tree = await validateTree(text, name, (path) => readSubflow(resolve(cwd, path)), {
    environment: new Set(environment),
    passesEnvironment: isAllowedName,
    scanTokens,
  });
  const subflows: Record<string, string> = {};
  for (const [path, subflow] of tree.subflows) subflows[resolve(cwd, path)] = subflow.text;
  return {
    ...(tree.workflow === undefined ? {} : { workflow: tree.workflow }),
    diagnostics: tree.diagnostics,
    textOf: (file) => tree.sources.get(file)?.shown ?? "",
    subflows,
  };
}

async function readSubflow(path: string) {
  try {
    const text = await readFile(path, "utf8");
    return text.length > limits.documentBytesMax ? err("it is too large for a workflow") : ok(text);
  } catch (reason) {
    const { code } = reason as NodeJS.ErrnoException;
    return err(
      code === "ENOENT" ? "no such file" : code === "EISDIR" ? "it is a folder" : (code ?? "it cannot be read"),
    );
  }
}
