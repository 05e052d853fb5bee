// The guide shows the examples exactly as they are. `UPDATE_GUIDE=1 npx vitest run test/examples-docs.test.ts` copies
// their text into the pages; without it a page that differs is a failure.

import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { PATHS } from "../examples/sample-api/server.ts";

const ROOT = join(import.meta.dirname, "..");
const GUIDE = join(ROOT, "docs/guide");
const PAGES = readdirSync(GUIDE).filter((name) => name.endsWith(".md"));
const COPY = /<!-- (?<kind>example|file): (?<name>\S+) -->\n```(?<language>\w*)\n(?<text>[\s\S]*?)```\n/g;

const read = (path: string) => readFileSync(path, "utf8");
const pathOf = (kind: string, name: string) => (kind === "example" ? `examples/${name}.flow.yaml` : name);

function withCopies(page: string): string {
  return page.replaceAll(COPY, (_, kind: string, name: string, language: string) => {
    const text = read(join(ROOT, pathOf(kind, name)));
    return `<!-- ${kind}: ${name} -->\n\`\`\`${language}\n${text}\`\`\`\n`;
  });
}

test.each(PAGES)("guide/%s shows its examples as they are", (name) => {
  const path = join(GUIDE, name);
  if (process.env.UPDATE_GUIDE) writeFileSync(path, withCopies(read(path)));
  expect(read(path)).toBe(withCopies(read(path)));
});

test("every example is shown on a page", () => {
  const shown = PAGES.flatMap((name) => [...read(join(GUIDE, name)).matchAll(COPY)]).map(({ groups }) =>
    pathOf(groups!.kind!, groups!.name!),
  );
  const examples = readdirSync(join(ROOT, "examples")).filter((name) => name.endsWith(".flow.yaml"));
  expect(examples.filter((name) => !shown.includes(`examples/${name}`))).toEqual([]);
});

test("every page is in the guide's list", () => {
  const index = read(join(GUIDE, "README.md"));
  expect(PAGES.filter((name) => name !== "README.md" && !index.includes(`(${name})`))).toEqual([]);
});

test.each([...PAGES.map((name) => `docs/guide/${name}`), "docs/sample-api.md"])(
  "%s: every link leads somewhere",
  (page) => {
    const broken = [...read(join(ROOT, page)).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].filter(
      ([, file = "", anchor]) => !leadsSomewhere(join(ROOT, file === "" ? page : join(dirname(page), file)), anchor),
    );
    expect(broken.map(([link]) => link)).toEqual([]);
  },
);

function leadsSomewhere(path: string, anchor: string | undefined): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || anchor === undefined) return found !== undefined;
  const headings = [...read(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => heading);
  const anchors = headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, "")
      .replaceAll(" ", "-"),
  );
  return anchors.includes(anchor);
}

test("docs/sample-api.md names every path that the sample API tells", () => {
  const page = read(join(ROOT, "docs/sample-api.md"));
  const unnamed = PATHS.map((line) => line.split(" ").at(-1)!.replace(/\?.*/, ""))
    .map((path) =>
      path.replace("{collection}/{id}", "items/1").replace("{collection}", "items").replace("{code}", "404"),
    )
    .filter((path) => !page.includes(path));
  expect(unnamed).toEqual([]);
});
