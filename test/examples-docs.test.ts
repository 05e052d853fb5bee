// The how-to guides show the examples exactly as they are, and their commands print what the pages show.
// `UPDATE_GUIDE=1 npx vitest run test/examples-docs.test.ts` copies the examples into the pages.

import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { PATHS, startSampleApi } from "../examples/sample-api/server.ts";
import { cli } from "./cli/curlew.ts";

const ROOT = join(import.meta.dirname, "..");
const HOW_TO = join(ROOT, "docs/how-to");
const PAGES = readdirSync(HOW_TO).filter((name) => name.endsWith(".md"));
const COPY = /<!-- (?<kind>example|file): (?<name>\S+) -->\n```(?<language>\w*)\n(?<text>[\s\S]*?)```\n/g;

const read = (path: string) => readFileSync(path, "utf8");
const pathOf = (kind: string, name: string) => (kind === "example" ? `examples/${name}.flow.yaml` : name);

function withCopies(page: string): string {
  return page.replaceAll(COPY, (_, kind: string, name: string, language: string) => {
    const text = read(join(ROOT, pathOf(kind, name)));
    return `<!-- ${kind}: ${name} -->\n\`\`\`${language}\n${text}\`\`\`\n`;
  });
}

test.each(PAGES)("how-to/%s shows its examples as they are", (name) => {
  const path = join(HOW_TO, name);
  if (process.env.UPDATE_GUIDE) writeFileSync(path, withCopies(read(path)));
  expect(read(path)).toBe(withCopies(read(path)));
});

test("every example is shown on a page, or linked from one", () => {
  const text = PAGES.map((name) => read(join(HOW_TO, name))).join("\n");
  const examples = readdirSync(join(ROOT, "examples")).filter((name) => name.endsWith(".flow.yaml"));
  const unnamed = examples.filter(
    (name) =>
      !text.includes(`<!-- example: ${name.replace(".flow.yaml", "")} -->`) &&
      !text.includes(`../../examples/${name})`),
  );
  expect(unnamed).toEqual([]);
});

test("every how-to guide is in the list", () => {
  const index = read(join(HOW_TO, "README.md"));
  expect(PAGES.filter((name) => name !== "README.md" && !index.includes(`(${name})`))).toEqual([]);
});

test("docs/reference/sample-api.md names every path that the sample API lists", () => {
  const page = read(join(ROOT, "docs/reference/sample-api.md"));
  const unnamed = PATHS.map((line) => line.split(" ").at(-1)!.replace(/\?.*/, ""))
    .map((path) =>
      path.replace("{collection}/{id}", "items/1").replace("{collection}", "items").replace("{code}", "404"),
    )
    .filter((path) => !page.includes(path));
  expect(unnamed).toEqual([]);
});

/** Blocks of one command and its output: `$ curlew run …`, then the output. */
const TERMINAL = /```\n\$ (?<command>curlew run [^\n]*[^&\n])\n(?<output>(?:(?!\$ )[^\n]*\n)*?)```/g;
const SHOWN = PAGES.flatMap((page) =>
  [...read(join(HOW_TO, page)).matchAll(TERMINAL)].map(
    ({ groups }) => [page, groups!.command!, groups!.output!] as const,
  ),
);
// A `curlew` for the shell that runs the built program against this test's sample API.
const PROLOGUE = `curlew() {
  if grep -qE '^( +|inputs: \\{ )api:' "$2"; then set -- "$@" --input "api=$API"; fi
  "$NODE" dist/cli.cjs "$@" --home "$CURLEW_TEST_HOME" --quiet
}
`;
const tools = ["curl", "jq", "bash"].every((program) => spawnSync(program, ["--version"]).error === undefined);
const why = tools ? "" : " (left out: curl, jq or bash is not on this machine)";

let api: Awaited<ReturnType<typeof startSampleApi>>;
beforeAll(async () => {
  api = await startSampleApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

test.skipIf(!tools).each(SHOWN)(`how-to/%s: $ %s prints what the page says${why}`, async (_, command, output) => {
  const home = mkdtempSync(join(tmpdir(), "curlew-guide-"));
  const SAMPLE_BASE_URL = `${api.url}/v1`;
  const env = { ...process.env, SAMPLE_BASE_URL, API: api.url, NODE: process.execPath, CURLEW_TEST_HOME: home };
  try {
    // A command without shell syntax needs no process.
    const [, words = ""] = /^curlew ([\w./= -]+)$/.exec(command) ?? [];
    const [, file] = words.split(" ");
    const isApi = words !== "" && /^(?: {2}|inputs: \{ )api:/m.test(read(join(ROOT, file!)));
    const more = `--home ${home} --quiet ${isApi ? `--input api=${api.url}` : ""}`.trim();
    const ran =
      words === ""
        ? await promisify(execFile)("bash", ["-c", PROLOGUE + command], { cwd: ROOT, env })
        : await cli(`${words} ${more}`.split(" "), ROOT, { env: env as Record<string, string> });
    expect(ran.stdout).toBe(output);
  } finally {
    rmSync(home, { recursive: true });
  }
});

test("the pages show terminals", () => expect(SHOWN.length).toBeGreaterThanOrEqual(8));
