// docs/reference/server.md says what is true: the codes of the API and of starting are those of the source.

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PROBLEMS } from "../../src/api/problems.ts";

const ROOT = join(import.meta.dirname, "../..");
const page = readFileSync(join(ROOT, "docs/reference/server.md"), "utf8");

test("docs/reference/server.md lists every code of the API, with its status and title", () => {
  const table = page.split("## Problems")[1] ?? "";
  const rows = [...table.matchAll(/^\| `([a-z-]+)` \| (\d+) \| (.+) \|$/gm)].map(([, ...cells]) => cells);
  const known = Object.entries(PROBLEMS).map(([code, { status, title, ...more }]) => [
    code,
    String(status),
    "hint" in more ? `${title} ${more.hint}` : title,
  ]);
  expect(new Set(rows.map((row) => row.join(" | ")))).toEqual(new Set(known.map((row) => row.join(" | "))));
});

test("docs/reference/server.md lists every code with which a server does not start, or warns", () => {
  const files = ["serve.ts", "listen.ts", "security/access.ts"].map((name) => `src/server/${name}`);
  const source = [...files, "src/cli/commands/serve.ts", "src/cli/browser.ts"]
    .map((file) => readFileSync(join(ROOT, file), "utf8"))
    .join("\n");
  const used = new Set([...source.matchAll(/\bcode: "([a-z-]+)"/g)].map(([, code]) => code!));
  const table = page.split("## What it says when")[1]?.split("## ")[0] ?? "";
  const rows = [...table.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`([a-z-]+)`/g)].map(([, code]) => code!),
  );
  expect(new Set(rows)).toEqual(used);
});

test("every code that the server answers with is in the table: none is made up in a handler", () => {
  const used = new Set<string>();
  for (const file of globSync("src/server/{routes,security}/**/*.ts", { cwd: ROOT }))
    for (const [, code] of readFileSync(join(ROOT, file), "utf8").matchAll(/\b(?:problem|Refused)\("([a-z-]+)"/g))
      used.add(code!);
  expect(used.size).toBeGreaterThan(10);
  expect([...used].filter((code) => !(code in PROBLEMS))).toEqual([]);
});
