// armed: the triggers that the documents of the served folder say, and why some of them stand still (spec 2.5).
//   A1. A document with an error starts nothing. As long as the server runs its triggers of before are known: a delivery that comes while
//       somebody is writing is stored, and told to have become no run.
//   A2. A workflow that was imported starts nothing before a person has seen its commands (spec 4.2).
//   A3. A hook's path belongs to the first document of the folder that says it.
// Deliberately absent: when documents change (part.ts), what triggers do.

import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Workflow } from "../../workflow/model.ts";
import { type DocumentTrigger, triggersOf } from "../../workflow/triggers.ts";
import type { Checked } from "../document/check-file.ts";
import type { Documents } from "../document/documents.ts";

export interface Armed<Of extends DocumentTrigger = DocumentTrigger> {
  /** The same as long as the document says the same: what is kept of it is found by this. */
  id: string;
  /** Relative to the served folder. */
  path: string;
  /** Absolute. */
  file: string;
  trigger: Of;
  /** It stands still, and what helps. */
  problem?: string;
  /** The problem is an error in the document. */
  broken?: true;
}

export interface ReadDocument {
  text: string;
  checked: Checked;
  /** Given when it may run. */
  workflow?: Workflow;
  /** Why it may not. */
  problem?: string;
}

/** Reads and checks one document. Undefined: it is not there. */
export async function readDocument(path: string, documents: Documents): Promise<ReadDocument | undefined> {
  const read = documents.folder.read(path);
  if (!read.ok) return undefined;
  const { text } = read.value;
  const checked = await documents.check(path, text);
  const { workflow } = checked;
  if (workflow === undefined)
    return { text, checked, problem: `${path} has errors; "curlew validate ${path}" tells them.` };
  if (checked.diagnostics.some(({ code }) => code === "unseen-command"))
    return { text, checked, problem: `${path} was imported; its commands must be seen first: curlew trust ${path}` };
  return { text, checked, workflow };
}

/** Reads again only what has changed. One folder, one object. */
export class ArmedDocuments {
  private readonly documents: Documents;
  private readonly known = new Map<string, { stamp: string; triggers: Armed[]; settled: boolean }>();

  constructor(documents: Documents) {
    this.documents = documents;
  }

  /** All triggers of the folder, in the order of paths and of `on:`. */
  async look(): Promise<Armed[]> {
    const { files } = this.documents.folder.list();
    const paths = new Set(files.map(({ path }) => path));
    for (const path of this.known.keys()) if (!paths.has(path)) this.known.delete(path);
    for (const { path, stamp } of files) {
      const before = this.known.get(path);
      if (before?.stamp === stamp && before.settled) continue;
      const { triggers, settled } = await this.triggersIn(path);
      this.known.set(path, { stamp, triggers, settled });
    }
    return withoutClashes(files.flatMap(({ path }) => this.known.get(path)?.triggers ?? []));
  }

  /** `settled`: it says the same until the file changes; what was imported may be seen meanwhile. */
  private async triggersIn(path: string): Promise<{ triggers: Armed[]; settled: boolean }> {
    const read = this.documents.folder.read(path);
    // Most documents say nothing of triggers: they are not parsed.
    if (!read.ok || !/^\s*["']?on["']?\s*:/m.test(read.value.text)) return { triggers: [], settled: true };
    const document = await readDocument(path, this.documents);
    const workflow = document?.workflow ?? document?.checked.workflow;
    if (workflow === undefined) return { triggers: this.ofBefore(path, document?.problem), settled: true };
    const file = join(this.documents.folder.root, path);
    const problem = document?.problem;
    const triggers = triggersOf(workflow).map((trigger) => ({
      ...{ id: triggerId(file, trigger), path, file, trigger },
      ...(problem === undefined ? {} : { problem }),
    }));
    return { triggers, settled: problem === undefined };
  }

  /** A1. */
  private ofBefore(path: string, problem = "It cannot be read."): Armed[] {
    return (this.known.get(path)?.triggers ?? []).map((armed) => ({ ...armed, problem, broken: true }));
  }
}

function triggerId(file: string, trigger: DocumentTrigger): string {
  const says =
    trigger.kind === "schedule"
      ? [trigger.cron.trim().split(/\s+/), trigger.timezone]
      : trigger.kind === "webhook"
        ? [trigger.path]
        : [trigger.paths, trigger.on];
  const digest = createHash("sha256")
    .update(JSON.stringify([file, trigger.kind, says]))
    .digest("hex");
  return `${trigger.kind}-${digest.slice(0, 12)}`;
}

/** A3. The same watch twice in one document is one. */
function withoutClashes(all: readonly Armed[]): Armed[] {
  const hooks = new Map<string, string>();
  const ids = new Set<string>();
  return all.flatMap((armed) => {
    if (ids.has(armed.id)) return [];
    ids.add(armed.id);
    const { trigger } = armed;
    if (trigger.kind !== "webhook") return [armed];
    const owner = hooks.get(trigger.path);
    if (owner === undefined) {
      hooks.set(trigger.path, armed.path);
      return [armed];
    }
    return [
      { ...armed, problem: `The hook path "${trigger.path}" belongs to ${owner}; give this hook a path of its own.` },
    ];
  });
}
