// cached: decides whether a node's earlier value may be reused, and under which name this attempt's value is kept (spec
// 1.2 `cache`, 3.3).
//   C1. A name is a keyed hash of the workflow file, the node, the command it shows, and its rendered key. Different
//       files, nodes or commands never share an entry. Anything else that changes the value belongs in the key.
//   C2. The cache never bypasses an approval: an attempt that needs one is run, and its value is neither read from nor
//       written to the cache. Approval in advance does not count as needing one.
//   C3. No secret is cached: a node whose value is secret has no cache, and a value that contains a secret is not kept.
//   C4. Only the value of a succeeded attempt is kept, after its event is recorded, by the engine that started or
//       adopted the attempt.

import { createHmac } from "node:crypto";
import { copyFile } from "node:fs/promises";
import { parseDuration } from "../../base/duration.ts";
import type { Failure } from "../../base/failure.ts";
import { after, type Now } from "../../base/now.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Value } from "../../base/value.ts";
import type { Prepared } from "../../kinds/executor.ts";
import { andThen, withHash } from "../../kinds/values.ts";
import type { EventBody, RunEvent } from "../../scheduler/event.ts";
import type { Cache, CacheEntry } from "../../store/index.ts";
import type { WorkflowNode } from "../../workflow/model.ts";
import type { Asked } from "../approvals.ts";
import type { RunWork } from "../driver/driver-work.ts";
import type { RunDeps } from "./run-context.ts";
import { keyOf } from "./shared-limits.ts";

/** The name under which an attempt's value is kept. */
export interface CacheName {
  digest: string;
  /** The key, safe to show. */
  key: string;
  ttlMs: number;
}

/** Fields that control when a node runs and who approves it, but not what it runs. */
const NEUTRAL: ReadonlySet<string> = new Set([
  "title",
  "safetyLevel",
  "needsUserApproval",
  "approval",
  "streamOutput",
  "timeout",
  "idleTimeout",
  "killGrace",
  "retry",
  "continueOnError",
  "onLost",
  "cache",
  "rateLimit",
  "concurrency",
  "runsOn",
  "budget",
]);

/** Undefined for a node that has no cache or may not use it now. Failures: those of templates, `home-key-*`. */
export function cacheNameOf(
  { node, context }: Pick<Asked, "node" | "context">,
  prepared: Prepared,
  deps: RunDeps,
): Now<Result<CacheName | undefined, Failure>> {
  const cache = "cache" in node.data ? node.data.cache : undefined;
  const approval = prepared.shown.approval;
  if (cache === undefined || context.isSecret || isListener(node)) return ok(undefined);
  if (approval !== undefined && approval !== "in-advance") return ok(undefined);
  const ttl = parseDuration(cache.ttl);
  return andThen(keyOf(cache.key, context, deps.approvalKey), (key): Result<CacheName | undefined, Failure> => {
    if (key === undefined || !ttl.ok) return ok(undefined);
    const secret = deps.approvalKey();
    if (!secret.ok) return secret;
    const named = JSON.stringify([1, deps.file, node.id, whatItRuns(node), key.id]);
    const digest = createHmac("sha256", secret.value).update(named).digest("hex");
    return ok({ digest, key: key.shown, ttlMs: ttl.value });
  });
}

/** The event with the cached value, or undefined if nothing is cached. */
export function answerFromCache(
  asked: Pick<Asked, "node" | "path">,
  name: CacheName,
  deps: RunDeps,
): Now<Result<EventBody | undefined, Failure>> {
  // If the store cannot answer, the node simply runs. Recording its start then reports the fault.
  return after(deps.cache.get(name.digest, name.ttlMs, deps.nowMs()), (found) =>
    found.ok && found.value !== undefined ? answerOf(found.value, asked, name, deps) : ok(undefined),
  );
}

function answerOf(
  entry: CacheEntry,
  { node, path }: Pick<Asked, "node" | "path">,
  { digest, key, ttlMs }: CacheName,
  deps: RunDeps,
): Now<Result<EventBody | undefined, Failure>> {
  const event = (value: Value): EventBody => ({
    type: "cache.answered",
    node: node.id,
    path,
    value,
    key,
    from: { run: entry.run, path: entry.path },
    storedAt: new Date(entry.storedMs).toISOString(),
    expiresAt: new Date(entry.storedMs + ttlMs).toISOString(),
  });
  if (entry.text !== undefined) return ok(event({ text: entry.text }));
  const name = deps.files.fresh("val");
  return copyFile(deps.cache.fileOf(digest), deps.files.path(name)).then(
    () => ok(event(withHash({ file: name, bytes: entry.bytes }, deps.files))),
    // The entry was removed in the meantime.
    () => ok(undefined),
  );
}

interface Keeping {
  /** Path of the workflow file. */
  file: string;
  /** Folder of the run. */
  folder: string;
  cache: Cache;
}

/** C4. `open`: attempts from an earlier process that may be adopted, by path. */
export function cachingAnswers(
  work: RunWork,
  of: Keeping,
  open: ReadonlyMap<string, { number: number; cache?: CacheName | undefined }> = new Map(),
): RunWork {
  const names = new Map<string, CacheName>();
  for (const [path, { number, cache }] of open) if (cache !== undefined) names.set(`${path} ${number}`, cache);
  return {
    ...work,
    prepare: (action, state) =>
      andThen(work.prepare(action, state), (ready) => {
        if ("cacheName" in ready && ready.cacheName !== undefined)
          names.set(`${action.path} ${action.number}`, ready.cacheName);
        return ok(ready);
      }),
    onEvent: (event) => {
      work.onEvent(event);
      if (names.size === 0 || !("number" in event) || !("path" in event)) return;
      if (!ENDS.has(event.type)) return;
      const attempt = `${event.path} ${event.number}`;
      const name = names.get(attempt);
      names.delete(attempt);
      if (name !== undefined) void keepAnswer(event, name, of);
    },
  };
}

const ENDS: ReadonlySet<string> = new Set(
  ["succeeded", "failed", "timed-out", "cancelled", "lost"].map((how) => `attempt.${how}`),
);

/** Keeps a value that contains no secret. A failure of the cache does not affect the run. */
async function keepAnswer(event: RunEvent, name: CacheName, of: Keeping): Promise<void> {
  if (event.type !== "attempt.succeeded") return;
  const { value } = event;
  if ("joined" in value || value.sealed !== undefined) return;
  const storedMs = Date.parse(event.at);
  const entry: Omit<CacheEntry, "bytes"> = {
    digest: name.digest,
    key: name.key,
    workflow: of.file,
    node: event.node,
    run: event.run,
    path: event.path,
    storedMs,
    expiresMs: storedMs + name.ttlMs,
  };
  if ("text" in value) await of.cache.put({ ...entry, text: value.text, bytes: Buffer.byteLength(value.text) });
  else await of.cache.put({ ...entry, bytes: value.bytes }, `${of.folder}/${value.file}`);
}

function isListener(node: WorkflowNode): boolean {
  return "emit" in node.data && node.data.emit !== undefined;
}

function whatItRuns({ type, data }: WorkflowNode): unknown {
  const said = Object.entries(data).filter(([name]) => !NEUTRAL.has(name) && !name.startsWith("x-"));
  return [type, said.sort(([one], [other]) => (one < other ? -1 : 1))];
}
