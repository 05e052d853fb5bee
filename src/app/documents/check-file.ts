// Reads and validates a document together with the subflows it reaches (spec 1.1). Reads no other files.

import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { limits } from "../../base/limits.ts";
import { err, type Result } from "../../base/result.ts";
import { patternsWithin } from "../../kinds/pattern.ts";
import { isAllowedName } from "../../process/environment.ts";
import { scanTokens } from "../../secrets/scan.ts";
import type { Diagnostic } from "../../workflow/diagnostic.ts";
import type { Workflow } from "../../workflow/model.ts";
import { validateTree, type WorkflowTree } from "../../workflow/tree.ts";
import type { SeenDeps } from "../../workflow/unseen-findings.ts";
import { readTextFile } from "./read-file.ts";

export interface Checked {
  /** Set if no document has an error. */
  workflow?: Workflow;
  diagnostics: Diagnostic[];
  /** The text of a document to show, by the name used in its diagnostics. */
  textOf(file: string): string;
  /** Texts of the subflows, by absolute path. */
  subflows: Record<string, string>;
  tree: WorkflowTree;
}

/** `name`: the file as the user named it, relative to `cwd`. `environment`: variables that templates may use. */
export async function checkFile(
  text: string,
  name: string,
  cwd: string,
  environment: Iterable<string>,
  trust?: SeenDeps,
): Promise<Checked> {
  const readSubflow = subflowReader(resolve(cwd, name));
  const tree = await validateTree(text, name, async (path) => readSubflow(resolve(cwd, path)), {
    environment: new Set(environment),
    passesEnvironment: isAllowedName,
    scanTokens,
    matches: patternsWithin(),
    trust,
  });
  const subflows: Record<string, string> = {};
  for (const [path, subflow] of tree.subflows) subflows[resolve(cwd, path)] = subflow.text;
  return {
    workflow: tree.workflow,
    diagnostics: tree.diagnostics,
    textOf: (file) => tree.sources.get(file)?.shown ?? "",
    subflows,
    tree,
  };
}

/**
 * Reads subflows inside the project only (ADR 30). The project is the nearest folder above the outermost
 * file that has a `.git`, or that file's own folder. Links are resolved first. Content of files that do not
 * look like workflows is never shown.
 */
function subflowReader(file: string): (path: string) => Result<string, string | { outside: string }> {
  const root = projectRoot(realPath(dirname(file)));
  return (path) => {
    if (!liesBelow(realPath(path), root)) return err({ outside: root });
    const read = readTextFile(path, limits.documentBytesMax, { pipes: false });
    if (!read.ok) return err(read.error.kind === "missing" ? "no such file" : read.error.why);
    return LOOKS_LIKE_ONE.test(read.value) ? read : err('it is not a workflow: it does not say "curlew: 1"');
  };
}

const LOOKS_LIKE_ONE = /(?:^|[{,\s])["']?curlew["']?\s*:/;

function projectRoot(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return folder;
  }
}

/** Resolves links. For a path that does not exist, the links of its folder are resolved. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realPath(dirname(path)), basename(path));
  }
}

function liesBelow(path: string, root: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : root + sep);
}
