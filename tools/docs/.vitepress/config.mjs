// The documentation site: the pages of docs/ as they are, with search that works offline. The sidebar is read from the folders and each page's heading.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const docs = join(import.meta.dirname, "../pages");
const SECTIONS = [
  ["tutorials", "Tutorials"],
  ["how-to", "How-to guides"],
  ["guide", "Guide"],
  ["reference", "Reference"],
  ["explanation", "Explanation"],
];

const titleOf = (file) => /^#\s+(.+)$/m.exec(readFileSync(join(docs, file), "utf8"))?.[1].replaceAll("`", "") ?? file;
const pagesIn = (folder) =>
  readdirSync(join(docs, folder))
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .map((name) => join(folder, name))
    .map((file) => ({ text: titleOf(file), link: `/${file.replace(/\.md$/, "")}` }));

export default {
  title: "Curlew",
  description: "Workflows made of commands you can read.",
  lang: "en-GB",
  base: "/docs/",
  srcDir: "pages",
  outDir: "../../dist/docs",
  cacheDir: "node_modules/.cache",
  srcExclude: ["adr/**", "design/**"],
  rewrites: { "README.md": "index.md", ":folder/README.md": ":folder/index.md" },
  // Links to files outside docs/ (examples, source, decisions) are for readers of the repository.
  ignoreDeadLinks: true,
  head: [["meta", { name: "referrer", content: "no-referrer" }]],
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    sidebar: [
      { text: "Start", items: pagesIn(".") },
      ...SECTIONS.filter(([folder]) => readdirSync(docs).includes(folder)).map(([folder, text]) => ({
        text,
        items: pagesIn(folder),
      })),
    ],
  },
};
