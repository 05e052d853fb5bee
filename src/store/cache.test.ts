import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { limits } from "../base/limits.ts";
import type { CacheEntry } from "./cache.ts";
import { openStore } from "./store.ts";

function home() {
  const path = mkdtempSync(join(tmpdir(), "curlew-cache-"));
  const opened = openStore(path);
  if (!opened.ok) throw new Error(opened.error.message);
  const { cache } = opened.value;
  const get = (digest: string, ttlMs: number, nowMs: number): string | undefined => {
    const found = cache.get(digest, ttlMs, nowMs);
    if (!found.ok) return found.error.message;
    return found.value && (found.value.text ?? readFileSync(cache.fileOf(digest), "utf8"));
  };
  return { path, cache, get };
}

const entry = (digest: string, more: Partial<CacheEntry> = {}): CacheEntry => ({
  digest,
  key: `key of ${digest}`,
  workflow: "/w.flow.yaml",
  node: "n",
  run: "r",
  path: "n",
  storedMs: 1_000,
  expiresMs: 11_000,
  bytes: 5,
  ...more,
});

test("a value is used for as long as whoever asks says, and not when it seems to come from the future", () => {
  const { cache, get } = home();
  cache.put(entry("a", { text: "hello" }));
  expect([get("a", 10_000, 1_000), get("a", 10_000, 10_999), get("a", 10_000, 11_000)]).toEqual([
    "hello",
    "hello",
    undefined,
  ]);
  expect([get("a", 100, 1_100), get("a", 10_000, 999), get("b", 10_000, 1_000)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("a large value is a file of its own: its first bytes, for its owner only; a new one takes its place", () => {
  const { path, cache, get } = home();
  writeFileSync(join(path, "1.out"), "hello\n");
  cache.put(entry("a"), join(path, "1.out"));
  writeFileSync(join(path, "1.out"), "changed\n");
  expect(get("a", 10_000, 1_000)).toBe("hello");
  expect(statSync(cache.fileOf("a")).mode & 0o777).toBe(0o600);
  cache.put(entry("a", { text: "small", bytes: 5 }));
  expect([get("a", 10_000, 1_000), existsSync(cache.fileOf("a"))]).toEqual(["small", false]);
});

test("a file that is gone is a value that is gone", () => {
  const { path, cache, get } = home();
  writeFileSync(join(path, "1.out"), "hello");
  cache.put(entry("a"), join(path, "1.out"));
  cache.clear({});
  expect(get("a", 10_000, 1_000)).toBeUndefined();
  expect(existsSync(cache.fileOf("a"))).toBe(false);
});

test("the oldest make room, what has expired goes, and what is too large is not kept", () => {
  const { cache } = home();
  const digests = () => {
    const all = cache.list();
    return all.ok ? all.value.map(({ digest }) => digest) : [];
  };
  const share = limits.cacheValueBytesMax;
  const fit = Math.floor(limits.cacheBytesMax / share);
  for (let n = 0; n <= fit; n++)
    cache.put(entry(`d${n}`, { text: "x", bytes: share, storedMs: 1_000 + n, expiresMs: 1_000_000 }));
  expect(digests()).toHaveLength(fit);
  expect(digests()).not.toContain("d0");
  cache.put(entry("big", { text: "x", bytes: share + 1 }));
  expect(digests()).not.toContain("big");
  cache.put(entry("late", { text: "x", storedMs: 1_000_000 }));
  expect(digests()).toEqual(["late"]);
});

test("what is cleared is chosen by key or by workflow, and counted", () => {
  const { cache } = home();
  cache.put(entry("a", { text: "x" }));
  cache.put(entry("b", { text: "x", workflow: "/other.flow.yaml" }));
  expect(cache.clear({ key: "key of b", workflow: "/w.flow.yaml" })).toEqual({
    ok: true,
    value: { entries: 0, bytes: 0 },
  });
  expect(cache.clear({ workflow: "/other.flow.yaml" })).toEqual({ ok: true, value: { entries: 1, bytes: 5 } });
  expect(cache.clear({ key: "key of a" })).toEqual({ ok: true, value: { entries: 1, bytes: 5 } });
});
