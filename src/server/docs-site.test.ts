// The documentation site serves only its own files, and its pages run only their own scripts.

import { createHash } from "node:crypto";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/setup/folders.ts";
import { openDocs } from "./docs-site.ts";

const SCRIPT = "document.documentElement.classList.add('dark')";

function site(): { path: string; get(path: string, method?: string): Response } {
  const path = tempFolder();
  mkdirSync(join(path, "reference"));
  writeFileSync(join(path, "index.html"), `<script>${SCRIPT}</script><script src="/docs/app.js"></script>`);
  writeFileSync(join(path, "404.html"), "not here");
  writeFileSync(join(path, "app.js"), "1");
  writeFileSync(join(path, "reference/templates.html"), "templates");
  symlinkSync("/etc/hostname", join(path, "link.txt"));
  const docs = openDocs(path);
  return { path, get: (at, method = "GET") => docs.answer(new Request(`http://127.0.0.1${at}`, { method })) };
}

test("pages are found with and without their extension, and nothing else is", async () => {
  const { get } = site();
  expect(get("/docs").headers.get("location")).toBe("/docs/");
  for (const path of ["/docs/reference/templates", "/docs/reference/templates.html"])
    expect(await get(path).text()).toBe("templates");
  expect(get("/docs/app.js").headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  for (const path of ["/docs/nothing", "/docs/link.txt", "/docs/..%2f..%2fpackage.json", "/docs/constructor"])
    expect([path, get(path).status]).toEqual([path, 404]);
  expect(get("/docs/", "POST").status).toBe(405);
});

test("a page's policy allows its own inline script by hash, and no other host", () => {
  const policy = site().get("/docs/").headers.get("content-security-policy") ?? "";
  const hash = createHash("sha256").update(SCRIPT).digest("base64");
  expect(policy).toContain(`script-src 'self' 'sha256-${hash}'`);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/https?:/);
});

test("without a built site the page says how to build it", async () => {
  expect(await openDocs("/nonexistent").answer(new Request("http://127.0.0.1/docs/")).text()).toContain("npm run docs");
});
