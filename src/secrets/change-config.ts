// Changes config.yaml in the data directory and keeps its comments, order, and other settings (spec 2.7).
//   E1. An invalid file is not changed, and the failure says so. Only a person can fix it.
//   E2. A change that would make the file invalid is not written. The file is replaced as a whole (files.ts F1).
//   E3. Concurrent changes, even by other processes, are made one at a time under a lock, so none is lost (lock.ts).

import { join } from "node:path";
import type { Document } from "yaml";
import { type Failure, failureOf } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import { configProblemsIn, configText } from "./config.ts";
import { openHome, writeOwn } from "./files.ts";
import { withLock } from "./lock.ts";

/** A path in the file and its new value. Undefined removes it. */
export type ConfigChange = readonly [path: readonly string[], value: unknown];

/** Failures: `config-*`, `secret-store-not-private`. */
export async function changeConfig(home: string, changes: readonly ConfigChange[]): Promise<Result<void, Failure>> {
  const trouble = openHome(home);
  if (trouble !== undefined) return err(trouble);
  const lock = { waitMs: limits.storeBusyMs, busy };
  return withLock(join(home, "config.lock"), lock, () => changed(home, changes));
}

async function changed(home: string, changes: readonly ConfigChange[]): Promise<Result<void, Failure>> {
  const file = join(home, "config.yaml");
  // Also checks the file's mode and size.
  const read = configText(home);
  if (!read.ok) return read;
  const before = read.value ?? "";
  const [wrong] = await configProblemsIn(before, file);
  if (wrong !== undefined) return err(wrong);
  const { parseDocument } = await import("yaml");
  const document = parseDocument(before);
  for (const [path, value] of changes) put(document, path, value);
  for (const [path] of changes) tidy(document, path);
  const text = document.contents === null ? before : document.toString({ lineWidth: 0 });
  const [refused] = await configProblemsIn(text, file);
  if (refused !== undefined) return err(refused);
  if (text !== before) writeOwn(file, Buffer.from(text));
  return ok(undefined);
}

function put(document: Document, path: readonly string[], value: unknown): void {
  if (value !== undefined) {
    if (document.contents === null) document.contents = document.createNode({});
    // An empty section (`llm:`) is null and not a map yet.
    for (let depth = 1; depth < path.length; depth++)
      if (document.getIn(path.slice(0, depth)) === null) document.setIn(path.slice(0, depth), document.createNode({}));
    document.setIn(path, typeof value === "object" ? document.createNode(value) : value);
    return;
  }
  if (document.contents !== null) document.deleteIn(path);
}

/** Removes maps that became empty. Runs after all changes, so that a section that is filled again keeps its place. */
function tidy(document: Document, path: readonly string[]): void {
  for (let depth = path.length - 1; depth > 0 && document.contents !== null; depth--) {
    const part = document.getIn(path.slice(0, depth)) as { items?: unknown[] } | null | undefined;
    if (part?.items?.length === 0) document.deleteIn(path.slice(0, depth));
  }
}

const busy = failureOf("config-busy", () => [
  "Another process has been changing config.yaml for a long time.",
  "Try again.",
]);
