import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { eachDatabase } from "../../test/store/each-database.ts";
import { limits } from "../base/limits.ts";
import { type CacheEntry, openCache } from "./cache.ts";

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

describe.each(eachDatabase())("the cache in %s", (_name, open) => {
  async function home() {
    const { sql, folder: path } = await open();
    const cache = openCache(sql, join(path, "cache"));
    const get = async (digest: string, ttlMs: number, nowMs: number): Promise<string | undefined> => {
      const found = await cache.get(digest, ttlMs, nowMs);
      if (!found.ok) return found.error.message;
      return found.value && (found.value.text ?? readFileSync(cache.fileOf(digest), "utf8"));
    };
    return { path, cache, get };
  }

  test("a value is used for as long as the caller says, and not if it seems to come from the future", async () => {
    const { cache, get } = await home();
    await cache.put(entry("a", { text: "hello" }));
    expect([await get("a", 10_000, 1_000), await get("a", 10_000, 10_999), await get("a", 10_000, 11_000)]).toEqual([
      "hello",
      "hello",
      undefined,
    ]);
    expect([await get("a", 100, 1_100), await get("a", 10_000, 999), await get("b", 10_000, 1_000)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("a value and its key may have zero characters", async () => {
    const { cache, get } = await home();
    const [text, key] = ["a\0b \uE000 \uE0000", "k\0"];
    expect(await cache.put(entry("a", { text, key }))).toMatchObject({ ok: true });
    expect(await get("a", 10_000, 1_000)).toBe(text);
    expect(await cache.list()).toMatchObject({ value: [{ key }] });
  });

  test("a large value is a separate file, checked by its first bytes and readable only for its owner; a new one replaces it", async () => {
    const { path, cache, get } = await home();
    writeFileSync(join(path, "1.out"), "hello\n");
    await cache.put(entry("a"), join(path, "1.out"));
    writeFileSync(join(path, "1.out"), "changed\n");
    expect(await get("a", 10_000, 1_000)).toBe("hello");
    expect(statSync(cache.fileOf("a")).mode & 0o777).toBe(0o600);
    await cache.put(entry("a", { text: "small", bytes: 5 }));
    expect([await get("a", 10_000, 1_000), existsSync(cache.fileOf("a"))]).toEqual(["small", false]);
  });

  test("without its file a value is gone", async () => {
    const { path, cache, get } = await home();
    writeFileSync(join(path, "1.out"), "hello");
    await cache.put(entry("a"), join(path, "1.out"));
    await cache.clear({});
    expect(await get("a", 10_000, 1_000)).toBeUndefined();
    expect(existsSync(cache.fileOf("a"))).toBe(false);
  });

  test("the oldest entries make room, expired ones are removed, and too large ones are not stored", async () => {
    const { cache } = await home();
    const digests = async () => {
      const all = await cache.list();
      return all.ok ? all.value.map(({ digest }) => digest) : [];
    };
    const share = limits.cacheValueBytesMax;
    const fit = Math.floor(limits.cacheBytesMax / share);
    for (let n = 0; n <= fit; n++)
      await cache.put(entry(`d${n}`, { text: "x", bytes: share, storedMs: 1_000 + n, expiresMs: 1_000_000 }));
    expect(await digests()).toHaveLength(fit);
    expect(await digests()).not.toContain("d0");
    await cache.put(entry("big", { text: "x", bytes: share + 1 }));
    expect(await digests()).not.toContain("big");
    await cache.put(entry("late", { text: "x", storedMs: 1_000_000 }));
    expect(await digests()).toEqual(["late"]);
  });

  test("entries are cleared by key or by workflow, and counted", async () => {
    const { cache } = await home();
    await cache.put(entry("a", { text: "x" }));
    await cache.put(entry("b", { text: "x", workflow: "/other.flow.yaml" }));
    expect(await cache.clear({ key: "key of b", workflow: "/w.flow.yaml" })).toEqual({
      ok: true,
      value: { entries: 0, bytes: 0 },
    });
    expect(await cache.clear({ workflow: "/other.flow.yaml" })).toEqual({ ok: true, value: { entries: 1, bytes: 5 } });
    expect(await cache.clear({ key: "key of a" })).toEqual({ ok: true, value: { entries: 1, bytes: 5 } });
  });
});
