// What the first page loads stays small (spec ui 6.8): 300 KB of JavaScript, compressed.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { inBrowser } from "./browser.ts";
import { HELLO } from "./flows.ts";

const boundBytes = 300_000;
const dist = join(import.meta.dirname, "../../dist/web");

if (has("chromium")) {
  const web = inBrowser({ "hello.flow.yaml": HELLO });

  test("the home screen loads at most 300 KB of JavaScript, and no other screen", async () => {
    const { page, server } = await web.open({ signedOut: true });
    const loaded = new Set<string>();
    page.on("response", (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.endsWith(".js")) loaded.add(pathname);
    });
    await page.goto(await server.link());
    await page.getByRole("link", { name: "Hello" }).waitFor();
    const sizes = [...loaded].map((path) => ({ path, bytes: gzipSync(readFileSync(join(dist, path))).length }));
    const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
    console.log(`initial JavaScript: ${Math.round(total / 1000)} KB compressed, ${sizes.length} files`);
    expect(sizes.length).toBeGreaterThan(1);
    expect(total, JSON.stringify(sizes, undefined, 1)).toBeLessThanOrEqual(boundBytes);
    expect([...loaded].filter((path) => /(?:editor|run|runs|inbox|triggers)-screen/.test(path))).toEqual([]);
  });
}
