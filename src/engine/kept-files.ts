// kept-files: copies the files of kept results into the folder of the new run (spec 2.2 `runs retry`).
//   F1. A file belongs to the event that names it, and its name comes from that event. Changes to the other run have no
//       effect here.
//   F2. Files are on disk under their new names before an event names them.
//   F3. A value that differs from what was recorded is not kept.

import { constants, copyFileSync, linkSync } from "node:fs";
import { extname, join } from "node:path";
import type { Failure } from "../base/failure.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { EventBody } from "../scheduler/event.ts";
import { syncFolder } from "../secrets/files.ts";
import type { Store } from "../store/index.ts";
import { bringNamed } from "./bring.ts";
import { asFailure, unfitValue } from "./run-start.ts";

/**
 * The same events, with files of run `to` in place of those of run `from`. The first event is number 2. Failures:
 * `kept-output-missing`,
 * `kept-not-linked`, `output-truncated`, `output-changed`. After a failure none of the files is left.
 */
export async function linkReusedFiles(
  bodies: readonly EventBody[],
  from: string,
  to: string,
  store: Store,
): Promise<Result<EventBody[], Failure>> {
  const [source, target] = [store.outputs.folder(from), store.outputs.folder(to)];
  if (!source.ok) return err(asFailure(source.error));
  if (!target.ok) return err(asFailure(target.error));
  await bringNamed(from, bodies, store, "outputs");
  const linked = linkKept(bodies, 2, source.value, target.value);
  const unfit = linked.ok ? await unfitKept(bodies, from, store) : undefined;
  const taken = unfit === undefined ? linked : err(unfit);
  if (!taken.ok) store.outputs.remove(to);
  return taken;
}

/** F3. */
async function unfitKept(bodies: readonly EventBody[], from: string, store: Store): Promise<Failure | undefined> {
  const names = filesKept(bodies);
  const events = names.size === 0 ? undefined : await store.journal.read(from);
  return events?.ok === true ? unfitValue(from, events.value, store, (file) => names.has(file)) : undefined;
}

function linkKept(
  bodies: readonly EventBody[],
  firstSeq: number,
  from: string,
  to: string,
): Result<EventBody[], Failure> {
  let any = false;
  try {
    const linked = bodies.map((body, index) => {
      if (!HOLDERS.has(body.type)) return body;
      const names = new Map<string, string>();
      const counts = new Map<string, number>();
      const stem = firstSeq + index;
      const rename = (file: string, key: string): string => {
        const known = names.get(file);
        if (known !== undefined) return known;
        const kind = extname(file);
        const count = counts.get(kind) ?? 0;
        const name = count === 0 ? `${stem}${kind}` : `${stem}-${count}${kind}`;
        // A command's printed output may be missing, the value itself may not.
        const isThere = link(join(from, file), join(to, name), key === "file");
        if (key === "stdoutFile") link(join(from, order(file)), join(to, order(name)), false);
        any ||= isThere;
        names.set(file, name);
        counts.set(kind, count + 1);
        return name;
      };
      return renamed(body, rename);
    });
    if (any) syncFolder(to);
    return ok(linked);
  } catch (reason) {
    return err(notLinked(reason));
  }
}

/** Names of the files that hold kept values. */
function filesKept(bodies: readonly EventBody[]): Set<string> {
  const names = new Set<string>();
  const note = (file: string, key: string): string => {
    if (key === "file") names.add(file);
    return file;
  };
  for (const body of bodies) if (HOLDERS.has(body.type)) renamed(body, note);
  return names;
}

const HOLDERS = new Set<EventBody["type"]>(["node.kept", "loop.started", "pass.started", "pass.succeeded"]);
const FILES = new Set(["file", "stdoutFile", "stderrFile"]);

function renamed<T>(value: T, rename: (file: string, key: string) => string, key = ""): T {
  if (typeof value === "string") return (FILES.has(key) ? rename(value, key) : value) as T;
  if (Array.isArray(value)) return value.map((one) => renamed(one, rename)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, renamed(member, rename, name)])) as T;
}

/** Name of the file with the interleaving of stdout and stderr. */
function order(stdoutFile: string): string {
  return stdoutFile.replace(/\.out$/, ".ord");
}

function link(from: string, to: string, required: boolean): boolean {
  try {
    linkSync(from, to);
  } catch (reason) {
    if ((reason as NodeJS.ErrnoException).code === "ENOENT") {
      if (required) throw reason;
      return false;
    }
    // A file system without hard links, or a file with too many of them.
    copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  }
  return true;
}

function notLinked(reason: unknown): Failure {
  const { code, path, message } = reason as NodeJS.ErrnoException;
  if (code === "ENOENT")
    return {
      code: "kept-output-missing",
      message: `The file of a kept result no longer exists: ${path ?? "unknown"}.`,
      hint: '"--from NODE" runs again from the node that made it.',
    };
  return { code: "kept-not-linked", message: `Curlew could not reuse kept results: ${message}.` };
}
