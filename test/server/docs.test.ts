// The pages about the server list the codes of the source. `UPDATE=1 npx vitest run test/server/docs.test.ts` writes the table of problems.

import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PROBLEMS } from "../../src/api/problems.ts";

const ROOT = join(import.meta.dirname, "../..");
const API = join(ROOT, "docs/reference/http-api.md");
const page = readFileSync(join(ROOT, "docs/reference/server.md"), "utf8");

test("the page about the HTTP API lists every problem, with its status and title", () => {
  const rows = Object.entries(PROBLEMS).map(
    ([code, { status, title, ...more }]) =>
      `| \`${code}\` | ${status} | ${"hint" in more ? `${title} ${more.hint}` : title} |`,
  );
  const table = `<!-- problems -->\n\n| Code | Status | Meaning |\n| --- | --- | --- |\n${rows.join("\n")}\n\n<!-- end -->`;
  const fresh = readFileSync(API, "utf8").replace(/<!-- problems -->[\s\S]*?<!-- end -->/, () => table);
  if (process.env.UPDATE === "1") writeFileSync(API, fresh);
  expect(readFileSync(API, "utf8")).toBe(fresh);
});

test("docs/reference/server.md lists every code with which a server does not start, or warns", () => {
  const files = ["serve.ts", "listen.ts", "security/access.ts"].map((name) => `src/server/${name}`);
  const source = [...files, "src/cli/commands/serve.ts"]
    .map((file) => readFileSync(join(ROOT, file), "utf8"))
    .join("\n");
  const used = new Set([...source.matchAll(/\b(?:code: |failureOf\()"([a-z-]+)"/g)].map(([, code]) => code!));
  const table = page.split("## Start-up errors")[1]?.split("## ")[0] ?? "";
  const rows = [...table.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`([a-z-]+)`/g)].map(([, code]) => code!),
  );
  expect(new Set(rows)).toEqual(used);
});

test("every code that the server answers with is in the table, and no handler invents one", () => {
  const used = new Set<string>();
  for (const file of globSync("src/server/{routes,security}/**/*.ts", { cwd: ROOT }))
    for (const [, code] of readFileSync(join(ROOT, file), "utf8").matchAll(/\b(?:problem|Refused)\("([a-z-]+)"/g))
      used.add(code!);
  expect(used.size).toBeGreaterThan(10);
  expect([...used].filter((code) => !(code in PROBLEMS))).toEqual([]);
});
