// Keeps a summary of each workflow file in the served folder, and whether the file is valid (spec 2.4).
//   C1. A file and the subflows its findings depend on are read and checked once per state of those files.
//   C2. Files are checked one at a time, and other work runs in between, so that a
//       large folder does not block the server.
//   C3. Trust findings are not counted here: they change with what people have
//       approved, and are reported through `inert`.

import { statSync } from "node:fs";
import { resolve } from "node:path";
import { setImmediate as roomForOthers } from "node:timers/promises";
import type { WorkflowItem } from "../../api/shapes.ts";
import type { Diagnostic } from "../../workflow/diagnostic.ts";
import type { Workflow } from "../../workflow/model.ts";
import { parseWorkflow } from "../../workflow/parse.ts";
import { subflowPath } from "../../workflow/subflow-path.ts";
import { inputsAsked, kindsIn } from "../../workflow/triggers/index.ts";
import { inertCommands } from "../../workflow/unseen.ts";
import type { SeenDeps } from "../../workflow/unseen-findings.ts";
import { type Checked, checkFile } from "./check-file.ts";
import { etagOf, type Listed, type ServedFolder } from "./folder.ts";
import { relativePath } from "./relative-path.ts";

/** The part of a WorkflowItem that depends only on the file. */
export type Entry = Pick<
  WorkflowItem,
  | "path"
  | "name"
  | "description"
  | "etag"
  | "modifiedAt"
  | "bytes"
  | "errors"
  | "warnings"
  | "nodes"
  | "inputs"
  | "triggers"
> & {
  /** The hashes under which trust in its commands is recorded. Empty unless the workflow is blocked until approved. */
  hashes: readonly string[];
  /** Names of the secrets that the workflow declares. */
  secrets: readonly string[];
  /** Titles of its nodes, by id. */
  titles: Readonly<Record<string, string>>;
};

interface Kept {
  stamp: string;
  /** The files that the findings depend on, with their states. */
  depends: readonly (readonly [file: string, stamp: string])[];
  entry: Entry;
}

export class Catalog {
  readonly #folder: ServedFolder;
  readonly #environment: readonly string[];
  readonly #kept = new Map<string, Kept>();
  #ended = false;
  #working: Promise<{ entries: Entry[]; cut: boolean }> | undefined;

  constructor(folder: ServedFolder, environment: readonly string[]) {
    this.#folder = folder;
    this.#environment = environment;
  }

  /** All entries, by path. Callers that arrive while a check is running share its result. */
  entries(deps: SeenDeps): Promise<{ entries: Entry[]; cut: boolean }> {
    this.#working ??= this.#renew(deps).finally(() => {
      this.#working = undefined;
    });
    return this.#working;
  }

  /** Titles of the nodes of a file by id, as they were when it was last checked. `file` is an absolute path. */
  titlesOf(file: string): Entry["titles"] | undefined {
    return this.#kept.get(relativePath(this.#folder.root, file))?.entry.titles;
  }

  /** Stops after the file that is being checked. */
  end(): void {
    this.#ended = true;
  }

  async #renew(deps: SeenDeps): Promise<{ entries: Entry[]; cut: boolean }> {
    const { files, cut } = this.#folder.list();
    const entries: Entry[] = [];
    for (const file of files) {
      if (this.#ended) break;
      const kept = this.#kept.get(file.path);
      const isFresh = kept?.stamp === file.stamp && kept.depends.every(([path, stamp]) => stampOf(path) === stamp);
      if (!isFresh) await roomForOthers();
      const known = isFresh ? kept : await this.#look(file, deps);
      if (known === undefined) continue;
      this.#kept.set(file.path, known);
      entries.push(known.entry);
    }
    const there = new Set(files.map(({ path }) => path));
    for (const path of this.#kept.keys()) if (!there.has(path)) this.#kept.delete(path);
    return { entries, cut };
  }

  /** Undefined if the file was removed or cannot be read. */
  async #look({ path, stamp, bytes, modifiedMs }: Listed, deps: SeenDeps): Promise<Kept | undefined> {
    const read = this.#folder.read(path);
    if (!read.ok && read.error.kind === "missing") return undefined;
    const modifiedAt = new Date(modifiedMs).toISOString();
    const stand = { path, bytes, modifiedAt };
    if (!read.ok) {
      const unread = { ...factsOf(path, undefined, []), errors: 1, hashes: [] };
      return { stamp, depends: [], entry: { ...stand, etag: etagOf(stamp), ...unread } };
    }
    const { text, etag } = read.value;
    const checked = await checkFile(text, path, this.#folder.root, this.#environment);
    const workflow = checked.workflow ?? draftOf(text, path);
    return {
      stamp,
      depends: dependsOf(path, workflow, checked, this.#folder.root),
      entry: {
        ...stand,
        etag,
        ...factsOf(path, workflow, checked.diagnostics),
        hashes: hashesOf(path, checked, deps),
      },
    };
  }
}

/** As much of an invalid document as can be parsed. */
function draftOf(text: string, path: string): Workflow | undefined {
  const { workflow, draft } = parseWorkflow(text, path);
  return workflow ?? draft?.workflow;
}

function factsOf(path: string, workflow: Workflow | undefined, diagnostics: readonly Diagnostic[]) {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  return {
    name: workflow?.name || nameOf(path),
    description: workflow?.description,
    errors,
    warnings: diagnostics.length - errors,
    nodes: workflow?.nodes.length ?? 0,
    inputs: workflow === undefined ? {} : inputsAsked(workflow),
    triggers: [...new Set((workflow?.on ?? []).flatMap(kindsIn))],
    secrets: workflow?.secrets ?? [],
    titles: Object.fromEntries((workflow?.nodes ?? []).map(({ id, data }) => [id, data.title])),
  };
}

/** `flows/nightly.flow.yaml` → `nightly`. */
function nameOf(path: string): string {
  return path
    .split("/")
    .at(-1)!
    .replace(/\.flow\.\w+$/, "");
}

function hashesOf(path: string, { tree }: Checked, deps: SeenDeps): string[] {
  return inertCommands({ ...tree, file: path }, tree.subflows, deps).commands.map(({ hash }) => hash);
}

function dependsOf(path: string, workflow: Workflow | undefined, { subflows }: Checked, root: string): Kept["depends"] {
  // Includes files that do not exist: once they do, the findings change.
  const named = (workflow?.nodes ?? []).flatMap((node) =>
    node.type === "subflow" ? [resolve(root, subflowPath(path, node.data.workflow))] : [],
  );
  return [...new Set([...named, ...Object.keys(subflows)])].map((file) => [file, stampOf(file)] as const);
}

function stampOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat === undefined ? "" : `${stat.ino}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}`;
}
