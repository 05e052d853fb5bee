// build: src/ becomes dist/, what the published package holds and what bin/curlew runs.
//   node scripts/build.ts [--if-stale] [--types]
//   B1. Every dependency is bundled (docs/adr/0004) but one: the desktop keyring's library is native, so it is installed beside the
//       package where it can be, and done without where not (docs/adr/0022).
//   B2. All modules lie flat in dist/, so that `new URL("./evaluator.js", import.meta.url)` holds from any of them.
//   B3. dist/.stamp names the sources that were built; --if-stale believes it, and then takes some 60 ms.
// Only Node's own modules are imported at the top: a build that is not needed must not pay for esbuild.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";

const root = dirname(import.meta.dirname);
const dist = join(root, "dist");

/** Name in dist/ → source. */
const entries: Record<string, string> = {
  cli: "src/cli/main.ts",
  index: "src/index.ts",
  evaluator: "src/nodes/expression/evaluator.ts",
  "sample-api": "examples/sample-api/main.ts",
};
const inputs = ["package.json", "package-lock.json", "scripts/build.ts", "src", "examples/sample-api"];
const schemaSource = "src/workflow/json-schema.ts";

const say = (text: string) => process.stderr.write(`${text}\n`);

if (import.meta.main) await main(process.argv.slice(2));

async function main(args: string[]): Promise<void> {
  const stamp = fingerprint();
  const fresh = readIfThere(join(dist, ".stamp")) === stamp;
  if (!(args.includes("--if-stale") && fresh)) {
    const from = performance.now();
    if (!(await bundle())) {
      say("The sources do not build: what is wrong stands above.");
      process.exitCode = 1;
      return;
    }
    await writeSchema();
    writeFileSync(join(dist, ".stamp"), stamp);
    say(`Building dist/: done in ${((performance.now() - from) / 1000).toFixed(1)} s`);
  }
  if (args.includes("--types")) writeTypes();
}

/** A hash over the path and text of everything that a build reads. */
function fingerprint(): string {
  const hash = createHash("sha256");
  for (const file of inputs.flatMap((input) => filesOf(join(root, input))).sort())
    hash.update(relative(root, file)).update("\0").update(readFileSync(file)).update("\0");
  return hash.digest("hex");
}

function filesOf(path: string): string[] {
  if (/\.test\.ts$/.test(path) || !existsSync(path)) return [];
  if (/\.[a-z]+$/.test(path)) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** False when the sources are wrong; esbuild has then said where. */
async function bundle(): Promise<boolean> {
  const { build } = await import("esbuild");
  const present = Object.entries(entries).filter(([, source]) => existsSync(join(root, source)));
  for (const [name, source] of Object.entries(entries))
    if (!existsSync(join(root, source))) say(`Building dist/: ${source} is not there, so no dist/${name}.js`);
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const result = await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(present),
    outdir: "dist",
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    minifySyntax: true,
    minifyWhitespace: true,
    keepNames: true,
    legalComments: "external",
    metafile: true,
    external: ["@napi-rs/keyring"],
    logLevel: "warning",
    define: { CURLEW_VERSION: JSON.stringify(version) },
    // Some bundled packages are CommonJS and call require for Node's own modules.
    banner: {
      js: 'import { createRequire as __curlewRequire } from "node:module"; const require = __curlewRequire(import.meta.url);',
    },
  }).catch(() => undefined);
  if (result === undefined) return false;
  removeStale(Object.keys(result.metafile.outputs).map((path) => path.replace(/^dist\//, "")));
  return true;
}

/** Chunks of earlier builds carry other hashes in their names. */
function removeStale(written: string[]): void {
  const keep = new Set([...written, ".stamp", ".cache", "types", "curlew.schema.json"]);
  for (const name of readdirSync(dist)) if (!keep.has(name)) rmSync(join(dist, name), { recursive: true });
}

async function writeSchema(): Promise<void> {
  if (!existsSync(join(root, schemaSource))) return;
  const { workflowJsonSchema } = await import(pathToFileURL(join(root, schemaSource)).href);
  writeFileSync(join(dist, "curlew.schema.json"), `${JSON.stringify(workflowJsonSchema(), null, 2)}\n`);
}

/** Declarations of what src/index.ts exports, and of nothing else. */
function writeTypes(): void {
  const from = performance.now();
  rmSync(join(dist, "types"), { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", "tsconfig.types.json"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
  });
  keepPublicTypes(join(dist, "types"));
  say(`Writing dist/types: done in ${((performance.now() - from) / 1000).toFixed(1)} s`);
}

/**
 * Declarations that index.d.ts does not reach are removed. Types of bundled packages, which are not installed with ours and
 * never part of what is promised, become unknown.
 */
function keepPublicTypes(folder: string): void {
  const reached = new Set<string>();
  const visit = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    const text = readFileSync(file, "utf8").replace(
      /^import (?:type )?\{([^}]*)\} from "(?![.]|node:)[^"]+";$/gm,
      (_, names) => names.replace(/\s*(?:type )?(\w+)\s*,?/g, "type $1 = unknown;\n"),
    );
    writeFileSync(file, text);
    for (const [, target] of text.matchAll(/from "(\.[^"]+)\.ts"/g)) visit(join(dirname(file), `${target}.d.ts`));
  };
  visit(join(folder, "index.d.ts"));
  for (const file of filesOf(folder)) if (!reached.has(file)) rmSync(file);
}

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}
