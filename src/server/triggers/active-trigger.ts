// The triggers that the served folder's documents declare, and why some are inactive (spec 2.5).
//   A1. An invalid document starts nothing. Its earlier triggers stay known, even to the next server (ADR 49): a
//       delivery that arrives while someone edits the file is stored and reported as not run.
//   A2. An imported workflow starts nothing until a person has approved its commands (spec 4.2).
//   A3. A webhook path belongs to the first document of the folder that declares it.

import { createHash } from "node:crypto";
import type { Checked } from "../../app/documents/check-file.ts";
import type { Documents } from "../../app/documents/documents.ts";
import { pathIn } from "../../app/documents/relative-path.ts";
import { limits } from "../../base/limits.ts";
import type { Triggers } from "../../store/index.ts";
import type { Workflow } from "../../workflow/model.ts";
import { type DocumentTrigger, triggerKind, triggersOf } from "../../workflow/triggers/index.ts";

export interface ActiveTrigger<Of extends DocumentTrigger = DocumentTrigger> {
  /** Stays the same while the document declares the same. State of the trigger is stored under it. */
  id: string;
  /** Relative to the served folder. */
  path: string;
  /** Absolute. */
  file: string;
  trigger: Of;
  /** Why the trigger is inactive, and what to do. */
  problem?: string;
  /** The problem is an error in the document. */
  broken?: true;
}

export interface ReadDocument {
  text: string;
  checked: Checked;
  /** Set if the document may run. */
  workflow?: Workflow;
  /** Why it may not run. */
  problem?: string;
}

/** Reads and checks a document. Undefined if it does not exist. */
export async function readDocument(path: string, documents: Documents): Promise<ReadDocument | undefined> {
  const read = documents.folder.read(path);
  if (!read.ok) return undefined;
  const { text } = read.value;
  const checked = await documents.check(path, text);
  const { workflow } = checked;
  if (workflow === undefined)
    return { text, checked, problem: `${path} has errors. To see them, run: curlew validate ${path}` };
  if (checked.diagnostics.some(({ code }) => code === "unseen-command")) {
    const unseen = `${path} was imported. To see and approve its commands, run: curlew trust ${path}`;
    return { text, checked, problem: (await documents.seenProblem()) ?? unseen };
  }
  return { text, checked, workflow };
}

/** Reads only documents that have changed. Use one object per folder. */
export class ActiveDocuments {
  private readonly documents: Documents;
  private readonly kept: Pick<Triggers, "documents" | "say">;
  private readonly nowMs: () => number;
  private readonly known = new Map<string, { stamp: string; triggers: ActiveTrigger[]; settled: boolean }>();
  private readonly said = new Map<string, { says: string; atMs: number }>();
  /** Declared triggers that are not stored yet. */
  private readonly unsaid = new Map<string, readonly DocumentTrigger[]>();
  private isNew = true;

  constructor(documents: Documents, kept: Pick<Triggers, "documents" | "say">, nowMs: () => number) {
    this.documents = documents;
    this.kept = kept;
    this.nowMs = nowMs;
  }

  /** All triggers of the folder, ordered by path and position in `on:`. */
  async look(): Promise<ActiveTrigger[]> {
    const { files } = this.documents.folder.list();
    if (this.isNew) await this.remember();
    const paths = new Set(files.map(({ path }) => path));
    for (const [path, { triggers }] of this.known) {
      if (paths.has(path)) continue;
      this.known.delete(path);
      if (triggers.length > 0) this.unsaid.set(path, []);
    }
    for (const { path, stamp } of files) {
      const before = this.known.get(path);
      if (before?.stamp === stamp && before.settled) continue;
      const { triggers, settled } = await this.triggersIn(path);
      this.known.set(path, { stamp, triggers, settled });
    }
    await this.say();
    return withoutClashes(files.flatMap(({ path }) => this.known.get(path)?.triggers ?? []));
  }

  /** `settled`: the result stays the same until the file changes. Otherwise approval of an import may change it. */
  private async triggersIn(path: string): Promise<{ triggers: ActiveTrigger[]; settled: boolean }> {
    const read = this.documents.folder.read(path);
    if (!read.ok) return { triggers: this.ofBefore(path), settled: false };
    // Most documents have no triggers and never had any, so they are not parsed.
    const says = /(?:^|[{,])\s*["']?on["']?\s*:/m.test(read.value.text) || this.known.get(path)?.triggers.length;
    if (!says) return { triggers: [], settled: true };
    const document = await readDocument(path, this.documents);
    const workflow = document?.workflow ?? document?.checked.workflow;
    if (workflow === undefined) return { triggers: this.ofBefore(path, document?.problem), settled: true };
    const problem = document?.problem;
    const found = triggersOf(workflow);
    this.unsaid.set(path, found);
    return { triggers: this.armed(path, found, problem), settled: problem === undefined };
  }

  private armed(path: string, triggers: readonly DocumentTrigger[], problem?: string): ActiveTrigger[] {
    const file = this.documents.fileOf(path);
    return triggers.map((trigger) => ({
      ...{ id: triggerId(file, trigger), path, file, trigger },
      problem,
    }));
  }

  /** Loads what an earlier server stored about this folder. If that fails, valid documents are armed anyway. */
  private async remember(): Promise<void> {
    const kept = await this.kept.documents();
    if (!kept.ok) return;
    this.isNew = false;
    for (const [file, says] of kept.value) {
      const path = pathIn(this.documents.folder.root, file);
      if (path !== undefined && !this.known.has(path))
        this.known.set(path, { stamp: "", triggers: this.armed(path, says), settled: false });
    }
  }

  /** Stores all triggers again, so that unchanged ones do not expire. */
  async sayAgain(): Promise<void> {
    for (const [path, { triggers }] of this.known)
      if (triggers.length > 0)
        this.unsaid.set(
          path,
          triggers.map(({ trigger }) => trigger),
        );
    await this.say();
  }

  /** A1, for the next server. Unchanged triggers are stored once a day. If storing fails, the next look tries again. */
  private async say(): Promise<void> {
    const atMs = this.nowMs();
    const unsaid = [...this.unsaid];
    const news = unsaid.filter(([path, triggers]) => {
      const before = this.said.get(path);
      return before?.says !== JSON.stringify(triggers) || atMs - before.atMs >= limits.triggersSaidMs;
    });
    const all = news.map(([path, triggers]) => [this.documents.fileOf(path), triggers] as const);
    if (news.length > 0 && !(await this.kept.say(all, atMs)).ok) return;
    // Triggers that a document has declared since then are stored next time.
    for (const [path, triggers] of unsaid) if (this.unsaid.get(path) === triggers) this.unsaid.delete(path);
    for (const [path, triggers] of news) this.said.set(path, { says: JSON.stringify(triggers), atMs });
  }

  /** A1. */
  private ofBefore(path: string, problem = "Curlew can't read it."): ActiveTrigger[] {
    return (this.known.get(path)?.triggers ?? []).map((armed) => ({ ...armed, problem, broken: true }));
  }
}

export function triggerId(file: string, { kind, ...data }: DocumentTrigger): string {
  const says = JSON.stringify([file, kind, triggerKind(kind).identity(data)]);
  return `${kind}-${createHash("sha256").update(says).digest("hex").slice(0, 12)}`;
}

/** A3. Also drops a repeated watch in the same document. */
function withoutClashes(all: readonly ActiveTrigger[]): ActiveTrigger[] {
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
    return [{ ...armed, problem: `The webhook path "${trigger.path}" is already used by ${owner}. Use another path.` }];
  });
}
