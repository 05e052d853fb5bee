// What a stranger meets first is true: the README's workflow runs as it says, its npm scripts are there, no link leads nowhere,
// and the index of the documentation names every page.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
];

test("the README's workflow says what the README says", () => {
  const [, workflow = ""] = /```yaml\n([^`]+)```/.exec(read("README.md")) ?? [];
  const [, answer] = /curlew run first\.flow\.yaml --input name=Ada +# ([^ ]+ [^ ]+) /.exec(read("README.md")) ?? [];
  const folder = mkdtempSync(join(tmpdir(), "curlew-readme-"));
  try {
    writeFileSync(join(folder, "first.flow.yaml"), workflow);
    const args = ["run", "first.flow.yaml", "--input", "name=Ada", "--home", join(folder, "home"), "--quiet"];
    expect(execFileSync(join(root, "bin/curlew"), args, { cwd: folder, encoding: "utf8" })).toBe(`${answer}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("every npm script that a page names is there", () => {
  const { scripts } = JSON.parse(read("package.json"));
  const named = pages.flatMap((page) => [...read(page).matchAll(/npm run ([a-z:-]+)/g)].map((match) => match[1]!));
  expect(named.length).toBeGreaterThan(5);
  expect([...new Set(named)].filter((name) => !(name in scripts))).toEqual([]);
});

test("no link between pages leads nowhere", () => {
  const dead = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\(([^)#]+?)(?:#[^)]*)?\)/g)]
      .map((match) => match[1]!)
      .filter((target) => !target.includes("://") && !existsSync(join(root, dirname(page), target)))
      .map((target) => `${page}: ${target}`),
  );
  expect(dead).toEqual([]);
});

test("the index names every page of docs/", () => {
  const index = read("docs/README.md");
  const own = pages.filter((page) => dirname(page) === "docs" && page !== "docs/README.md");
  expect(own.filter((page) => !index.includes(`(${page.slice("docs/".length)})`))).toEqual([]);
});
