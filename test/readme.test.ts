// The README and the pages are true: the README's commands do what it shows, and every npm script and link that a page
// names exists. The README links only to files of the package.

import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "./setup/folders.ts";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
];

const folder = tempFolder();

/** The lines that the README shows below `$ COMMAND`, up to the end of the block. */
function shown(command: string): string {
  const text = read("README.md");
  const from = text.indexOf(`$ ${command}`);
  expect(from, command).toBeGreaterThan(0);
  return text.slice(text.indexOf("\n", from) + 1, text.indexOf("```", from));
}

/**
 * Runs a command line of the README. A script replaces curl, so that no server is called: it prints the titles that the
 * README shows.
 */
function sh(command: string): { code: number | null; stdout: string; stderr: string } {
  const titles = shown("curlew run issues.flow.yaml --quiet | head -2").trimEnd().split("\n");
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(
    join(bin, "curl"),
    `#!/bin/sh\ncat <<'END'\n${JSON.stringify(titles.map((title) => ({ title })))}\nEND\n`,
  );
  writeFileSync(join(bin, "curlew"), `#!/bin/sh\nexec '${join(root, "bin/curlew")}' "$@"\n`);
  for (const name of ["curl", "curlew"]) chmodSync(join(bin, name), 0o755);
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, CURLEW_HOME: join(folder, "home") };
  const { status, stdout, stderr } = spawnSync("bash", ["-c", command], { cwd: folder, env, encoding: "utf8" });
  return { code: status, stdout, stderr };
}

test("the README's first workflow does what the README shows", () => {
  const [, workflow = ""] =
    /Save this as `issues\.flow\.yaml`[\s\S]*?```yaml\n([\s\S]*?)```/.exec(read("README.md")) ?? [];
  writeFileSync(join(folder, "issues.flow.yaml"), workflow);

  const validate = "curlew validate issues.flow.yaml";
  expect(sh(validate)).toEqual({ code: 0, stdout: shown(validate), stderr: "" });

  const dryRun = "curlew run issues.flow.yaml --dry-run";
  const plan = sh(dryRun).stdout;
  for (const line of shown(dryRun).split("\n")) if (!line.includes("…")) expect(plan).toContain(line);

  const run = "curlew run issues.flow.yaml --quiet | head -2";
  expect(sh(run).stdout).toBe(shown(run));

  const attack = `curlew run issues.flow.yaml --quiet --input 'repo=x"; touch pwned; echo "'`;
  const refused = sh(attack);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  for (const line of shown(attack).split("\n")) if (!line.includes("…")) expect(refused.stderr).toContain(line);
  expect(existsSync(join(folder, "pwned"))).toBe(false);

  for (const command of ["curlew runs", "curlew runs show latest", "curlew runs logs latest fetch", "curlew new hello"])
    expect(sh(command), command).toMatchObject({ code: 0 });
}, 60_000);

test("every npm script that a page names exists", () => {
  const { scripts } = JSON.parse(read("package.json"));
  const named = pages.flatMap((page) => [...read(page).matchAll(/npm run ([a-z:-]+)/g)].map((match) => match[1]!));
  expect(named.length).toBeGreaterThan(5);
  expect([...new Set(named)].filter((name) => !(name in scripts))).toEqual([]);
});

/** Files and folders that a page links to, from the root of the repository, with the anchor if there is one. */
function links(page: string): { link: string; file: string; anchor: string | undefined }[] {
  return [...read(page).matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].map(([link, file = "", anchor]) => ({
    link: `${page}: ${link}`,
    file: file === "" ? page : relative(root, resolve(root, dirname(page), file)),
    anchor,
  }));
}

/** Anchors as GitHub and VitePress generate them, for headings of letters, digits, code and plain punctuation. */
function anchors(page: string): string[] {
  const headings = [
    ...read(page)
      .replaceAll(/^```[\s\S]*?^```/gm, "")
      .matchAll(/^#+ (.*)$/gm),
  ].map(([, heading]) => heading!);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, "")
      .replaceAll(" ", "-"),
  );
}

test("every link between pages leads to a file and a heading that exist", () => {
  const dead = pages
    .flatMap(links)
    .filter(
      ({ file, anchor }) => !existsSync(join(root, file)) || (anchor !== undefined && !anchors(file).includes(anchor)),
    );
  expect(dead.map(({ link }) => link)).toEqual([]);
});

test("the README links only to files that are in the package", () => {
  const { files } = JSON.parse(read("package.json")) as { files: string[] };
  const packaged = (path: string) =>
    files.some((name) => path === name || path.startsWith(`${name}/`)) && !files.includes(`!${path}`);
  const pictures = [...read("README.md").matchAll(/(?:src|srcset)="([^"]*)"/g)].map(([, path]) => path!);
  const linked = links("README.md").map(({ file }) => file);
  expect([...linked, ...pictures].filter((path) => !packaged(path))).toEqual([]);
  expect(pictures.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test("the index names every page, and the how-to guides and the decisions have their own indexes", () => {
  const index = links("docs/README.md").map(({ file }) => file);
  const own = pages.filter((page) => page.startsWith("docs/") && !/^docs\/(?:adr|how-to|README)/.test(page));
  expect(own.filter((page) => !index.includes(page))).toEqual([]);
  const decisions = links("docs/adr/README.md").map(({ file }) => file);
  expect(pages.filter((page) => /^docs\/adr\/\d/.test(page) && !decisions.includes(page))).toEqual([]);
});
