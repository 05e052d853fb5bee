// docs: prints the pages of docs/ in the package, and looks up error codes in their tables. Needs no network.
// Invariant: the pages are the only source. A code that no page lists is not explained.

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { nearest } from "../../workflow/nearest.ts";
import { Exit } from "../exit.ts";
import { refuse } from "../open.ts";
import type { Terminal } from "../terminal.ts";
import { packageFolder } from "../version.ts";

interface Page {
  /** The name that `curlew docs` takes, such as `reference/templates`. */
  name: string;
  title: string;
  text: string;
}

/** One row of a page's table whose first cell is a code. */
interface CodeRow {
  code: string;
  cells: string[];
  heading: string;
  page: Page;
}

/** Prints the page called `topic`, the only page that matches it, or a list of pages. */
export async function docs(topic: string | undefined, terminal: Terminal): Promise<Exit> {
  const pages = readPages();
  if (topic === undefined) {
    terminal.out(listOf(pages));
    return Exit.OK;
  }
  const wanted = topic.toLowerCase().replace(/\.md$/, "");
  const exact = pages.find(({ name }) => name === wanted || basename(name) === wanted);
  const found = exact === undefined ? pages.filter((page) => matches(page, wanted)) : [exact];
  if (found.length === 1) {
    terminal.out(found[0]!.text);
    return Exit.OK;
  }
  if (found.length > 1) {
    terminal.out(listOf(found));
    return Exit.OK;
  }
  const near = nearest(
    wanted,
    pages.map(({ name }) => basename(name)),
  );
  const help = near === undefined ? "List the pages with: curlew docs" : `Did you mean: curlew docs ${near}`;
  return refuse(terminal, "unknown-page", `No documentation page matches "${topic}".`, help);
}

/** Prints what the reference says about one error, warning or failure code. */
export async function explain(code: string, terminal: Terminal): Promise<Exit> {
  const rows = readPages().flatMap(codesOf);
  const wanted = code.toLowerCase().replace(/^(?:error|warning)?\[?([^\]]*)\]?$/, "$1");
  const found = rows.filter((row) => row.code === wanted);
  if (found.length === 0) {
    const near = nearest(wanted, new Set(rows.map((row) => row.code)));
    const help =
      near === undefined
        ? "Codes are in the reference: curlew docs diagnostics"
        : `Did you mean: curlew explain ${near}`;
    return refuse(terminal, "unknown-code", `No page explains a code "${code}".`, help);
  }
  for (const { cells, heading, page } of found)
    terminal.out(
      `${terminal.outStyle("strong", wanted)}  ${cells.join("  ")}\n  ${heading}. Read more: curlew docs ${page.name}\n`,
    );
  return Exit.OK;
}

function readPages(): Page[] {
  const folder = join(packageFolder(), "docs");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".md") && !file.startsWith("adr/"))
    .sort()
    .map((file) => {
      const text = readFileSync(join(folder, file), "utf8");
      return { name: file.replace(/\.md$/, ""), title: /^# (.+)$/m.exec(text)?.[1] ?? file, text };
    });
}

function matches({ name, title }: Page, words: string): boolean {
  return `${name} ${title}`.toLowerCase().includes(words);
}

function listOf(pages: readonly Page[]): string {
  const width = Math.max(...pages.map(({ name }) => name.length));
  return pages.map(({ name, title }) => `${name.padEnd(width)}  ${title}\n`).join("");
}

function codesOf(page: Page): CodeRow[] {
  let heading = page.title;
  return page.text.split("\n").flatMap((line) => {
    heading = /^#+ (.+)$/.exec(line)?.[1] ?? heading;
    const [, first, rest] = /^\| (`[a-z][a-z0-9-]+`(?:, `[a-z][a-z0-9-]+`)*) \|(.*)\|\s*$/.exec(line) ?? [];
    if (first === undefined || rest === undefined) return [];
    const cells = rest.split(/(?<!\\)\|/).map(plain);
    return first.split(", ").map((code) => ({ code: code.replaceAll("`", ""), cells, heading, page }));
  });
}

/** A table's cell without Markdown's escapes and links. */
function plain(cell: string): string {
  return cell
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\\([|*_<>`])/g, "$1")
    .replaceAll("&lt;", "<")
    .trim();
}
