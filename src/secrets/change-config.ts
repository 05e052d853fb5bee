// change-config: config.yaml in the home changed by the program, its comments, order and everything else as they were (spec 2.7).
//   E1. A file that is not sound is left alone, and said: what it means is a person's to say.
//   E2. What would not be sound is not written. The file is replaced as a whole (files.ts F1).
//   E3. Of changes at once, also by other processes, none is lost: one at a time, by a lock (lock.ts).

import { join } from "node:path";
import type { Document } from "yaml";
import type { Failure } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import { configText } from "./config.ts";
import { openHome, writeOwn } from "./files.ts";
import { withLock } from "./lock.ts";
import { configProblemsIn } from "./whole-config.ts";

/** A path in the file and what stands there from now on; undefined: nothing. */
export type ConfigChange = readonly [path: readonly string[], value: unknown];

/** Failures: `config-*`, `secret-store-open`. */
export async function changeConfig(home: string, changes: readonly ConfigChange[]): Promise<Result<void, Failure>> {
  const trouble = openHome(home);
  if (trouble !== undefined) return err(trouble);
  const lock = { waitMs: limits.storeBusyMs, busy };
  return withLock(join(home, "config.lock"), lock, () => changed(home, changes));
}

async function changed(home: string, changes: readonly ConfigChange[]): Promise<Result<void, Failure>> {
  const file = join(home, "config.yaml");
  // Its mode and size are looked at, too.
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
    // A part that is there without anything in it (`llm:`) is no map yet.
    for (let depth = 1; depth < path.length; depth++)
      if (document.getIn(path.slice(0, depth)) === null) document.setIn(path.slice(0, depth), document.createNode({}));
    document.setIn(path, typeof value === "object" ? document.createNode(value) : value);
    return;
  }
  if (document.contents !== null) document.deleteIn(path);
}

/** An empty map says nothing, and is one thing more to wonder about. After all changes: a part that is filled again keeps its place. */
function tidy(document: Document, path: readonly string[]): void {
  for (let depth = path.length - 1; depth > 0 && document.contents !== null; depth--) {
    const part = document.getIn(path.slice(0, depth)) as { items?: unknown[] } | null | undefined;
    if (part?.items?.length === 0) document.deleteIn(path.slice(0, depth));
  }
}

function busy(): Failure {
  return {
    code: "config-busy",
    message: "Another process has been changing config.yaml for a long time.",
    hint: "Try again.",
  };
}
