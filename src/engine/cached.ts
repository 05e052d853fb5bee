// cached: whether a node's value of before may be used again, and under which name this attempt's is kept (spec 1.2 `cache`, 3.3).
//   C1. A name is a keyed digest of the workflow's file, the node, what it says it runs, and its filled-in key. Another command, another
//       node, another file never shares an answer; what else makes answers differ belongs into the key.
//   C2. Nobody is passed by: what a person is asked about is run, and is neither answered from the cache nor kept there. What was approved
//       in advance is.
//   C3. No secret: a node whose value is a secret has no cache, a value with one in it is not kept.
//   C4. Only what succeeded is kept, after it is on record: by the engine that started it, or by one that has adopted it.

import { createHmac } from "node:crypto";
import { copyFile } from "node:fs/promises";
import { parseDuration } from "../base/duration.ts";
import type { Failure } from "../base/failure.ts";
import { ok, type Result } from "../base/result.ts";
import type { Value } from "../base/value.ts";
import type { Prepared } from "../nodes/executor.ts";
import { andThen, type Now, withHash } from "../nodes/values.ts";
import type { EventBody, RunEvent } from "../scheduler/event.ts";
import type { Cache, CacheEntry } from "../store/index.ts";
import type { WorkflowNode } from "../workflow/model.ts";
import type { Asked } from "./approvals.ts";
import type { RunWork } from "./driver-work.ts";
import type { RunGround } from "./run-context.ts";
import { keyOf } from "./shared.ts";

/** What an attempt's value is kept as. */
export interface CacheName {
  digest: string;
  /** The key as it may be shown. */
  key: string;
  ttlMs: number;
}

/** Fields that say when and by whose leave it runs, not what. */
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

/** Nothing for a node without a cache, or that may not use it now. Failures: those of templates, `home-key-*`. */
export function cacheNameOf(
  { node, context }: Asked,
  prepared: Prepared,
  ground: RunGround,
): Now<Result<CacheName | undefined, Failure>> {
  const cache = node.type === "cli" || node.type === "llm" ? node.data.cache : undefined;
  const approval = prepared.shown.approval;
  if (cache === undefined || context.isSecret || isListener(node)) return ok(undefined);
  if (approval !== undefined && approval !== "in-advance") return ok(undefined);
  const ttl = parseDuration(cache.ttl);
  return andThen(keyOf(cache.key, context, ground.approvalKey), (key): Result<CacheName | undefined, Failure> => {
    if (key === undefined || !ttl.ok) return ok(undefined);
    const secret = ground.approvalKey();
    if (!secret.ok) return secret;
    const named = JSON.stringify([1, ground.file, node.id, whatItRuns(node), key.id]);
    const digest = createHmac("sha256", secret.value).update(named).digest("hex");
    return ok({ digest, key: key.shown, ttlMs: ttl.value });
  });
}

/** The event that answers from the cache; nothing when it has no answer. */
export function answerFromCache(
  { node, path }: Asked,
  { digest, key, ttlMs }: CacheName,
  ground: RunGround,
): Now<Result<EventBody | undefined, Failure>> {
  const found = ground.cache.get(digest, ttlMs, ground.nowMs());
  // A store that cannot answer is found out when the start is recorded; until then the node just runs.
  const entry = found.ok ? found.value : undefined;
  if (entry === undefined) return ok(undefined);
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
  const name = ground.files.fresh("val");
  return copyFile(ground.cache.fileOf(digest), ground.files.path(name)).then(
    () => ok(event(withHash({ file: name, bytes: entry.bytes }, ground.files))),
    // It was cleared at this moment.
    () => ok(undefined),
  );
}

interface Keeping {
  /** Of the document. */
  file: string;
  /** Of the run. */
  folder: string;
  cache: Cache;
}

/** C4. `open`: attempts of before that may be adopted, by path. */
export function keepingAnswers(
  work: RunWork,
  of: Keeping,
  open: ReadonlyMap<string, { number: number; cache?: CacheName | undefined }> = new Map(),
): RunWork {
  const names = new Map<string, CacheName>();
  for (const [path, { number, cache }] of open) if (cache !== undefined) names.set(`${path} ${number}`, cache);
  return {
    ...work,
    take: (action, ready) => {
      const instead = work.take(action, ready);
      if (instead === undefined && "cacheName" in ready && ready.cacheName !== undefined)
        names.set(`${action.path} ${action.number}`, ready.cacheName);
      return instead;
    },
    onEvent: (event) => {
      work.onEvent(event);
      if (names.size === 0 || !("number" in event) || !("path" in event)) return;
      if (!ENDS.has(event.type)) return;
      const attempt = `${event.path} ${event.number}`;
      const name = names.get(attempt);
      names.delete(attempt);
      if (name !== undefined) keepAnswer(event, name, of);
    },
  };
}

const ENDS: ReadonlySet<string> = new Set(
  ["succeeded", "failed", "timed-out", "cancelled", "lost"].map((how) => `attempt.${how}`),
);

/** Keeps what this event says, if it is a value without a secret. A cache that cannot keep it is not the run's business. */
function keepAnswer(event: RunEvent, name: CacheName, of: Keeping): void {
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
  if ("text" in value) of.cache.put({ ...entry, text: value.text, bytes: Buffer.byteLength(value.text) });
  else of.cache.put({ ...entry, bytes: value.bytes }, `${of.folder}/${value.file}`);
}

function isListener(node: WorkflowNode): boolean {
  return node.type === "cli" && node.data.emit !== undefined;
}

function whatItRuns({ type, data }: WorkflowNode): unknown {
  const said = Object.entries(data).filter(([name]) => !NEUTRAL.has(name) && !name.startsWith("x-"));
  return [type, said.sort(([one], [other]) => (one < other ? -1 : 1))];
}
