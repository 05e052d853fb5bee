import { existsSync, globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { NODE_VIEWS } from "../kinds.ts";

test("every page of the docs that the web UI links to exists, and has a section for each kind of node", () => {
  const pages = globSync("src/web/**/*.tsx").flatMap((file) => [
    ...readFileSync(file, "utf8").matchAll(/"((?:how-to|reference)\/[a-z-]+)"/g),
  ]);
  expect(pages.length).toBeGreaterThan(4);
  expect(pages.map(([, page]) => page).filter((page) => !existsSync(`docs/${page}.md`))).toEqual([]);
  const page = readFileSync("docs/reference/workflow-file.md", "utf8");
  const anchors = [...page.matchAll(/^#+ (.*)/gm)].map(([, title = ""]) =>
    title.toLowerCase().replaceAll(/[`:]/g, "").replaceAll(" ", "-"),
  );
  expect(anchors).toEqual(
    expect.arrayContaining(["the-document", ...Object.values(NODE_VIEWS).map(({ docs }) => docs)]),
  );
});
