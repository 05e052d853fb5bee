// build: src/ becomes dist/, what the published package holds and what bin/curlew runs.
//   node scripts/build.ts [--if-stale] [--types]
//   B1. Every dependency is bundled (docs/adr/0004) but one: the desktop keyring's library is native, so it is installed beside the
//       package where it can be, and done without where not (docs/adr/0022).
//   B2. All modules lie flat in dist/, so that `new URL("./evaluator.js", import.meta.url)` holds from any of them.
//   B4. The command is one CommonJS file, app.cjs, behind a small cli.cjs: Node.js takes a third longer to begin a run from some forty
//       ES modules (docs/adr/0042). Packages that are loaded on demand are files of their own (pkg-*.cjs).
//   B3. dist/.stamp names the sources that were built, of the program and of the web; --if-stale believes it, builds only the half that
//       is stale, and takes some 60 ms when none is.
//   B5. src/web becomes dist/web by Vite (src/web/vite.config.ts), while esbuild does the rest.
// Only Node's own modules are imported at the top: a build that is not needed must not pay for esbuild.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import type { BuildOptions, Plugin } from "esbuild";

const root = dirname(import.meta.dirname);
const dist = join(root, "dist");

/** Name in dist/ → source. */
const commands: Record<string, string> = {
  cli: "src/cli/main.ts",
  app: "src/cli/cli.ts",
  http: "src/cli/http/main.ts",
  "http-auth": "src/cli/http/auth-config.ts",
  runner: "src/nodes/runner/entry.ts",
  keeping: "src/nodes/runner/main.ts",
  sdk: "src/nodes/llm/sdk.ts",
  tokens: "src/secrets/tokens/desk.ts",
  doctor: "src/cli/commands/doctor.ts",
  import: "src/cli/commands/import.ts",
  auth: "src/cli/commands/auth.ts",
  importing: "src/cli/import-file.ts",
  svg: "src/cli/graph/svg.ts",
  serve: "src/cli/commands/serve.ts",
  secrets: "src/cli/commands/secrets.ts",
  trust: "src/cli/commands/trust.ts",
  triggers: "src/cli/commands/triggers.ts",
  schema: "src/cli/commands/schema.ts",
  new: "src/cli/commands/new.ts",
  changes: "src/cli/changes.ts",
  difference: "src/engine/difference.ts",
};
/** Of ours, what is a file of its own though it is imported: the program behind its entry, models, tokens, what is called seldom. */
const APART: Readonly<Record<string, string>> = {
  "./main.ts": "./keeping.cjs",
  "./cli.ts": "./app.cjs",
  "./http/main.ts": "./http.cjs",
  "./auth-config.ts": "./http-auth.cjs",
  "./sdk.ts": "./sdk.cjs",
  "./import-file.ts": "./importing.cjs",
  "./commands/doctor.ts": "./doctor.cjs",
  "./commands/import.ts": "./import.cjs",
  "./commands/auth.ts": "./auth.cjs",
  "./auth.ts": "./auth.cjs",
  "../graph/svg.ts": "./svg.cjs",
  "./commands/serve.ts": "./serve.cjs",
  "./commands/secrets.ts": "./secrets.cjs",
  "./commands/trust.ts": "./trust.cjs",
  "./commands/triggers.ts": "./triggers.cjs",
  "./commands/schema.ts": "./schema.cjs",
  "./commands/new.ts": "./new.cjs",
  "./changes.ts": "./changes.cjs",
  "../engine/difference.ts": "./difference.cjs",
  "../../engine/difference.ts": "./difference.cjs",
  "../secrets/tokens/desk.ts": "./tokens.cjs",
  "../../secrets/tokens/desk.ts": "./tokens.cjs",
};
/** Programs that begin other files of the bundle. */
const ENTRIES: readonly string[] = ["cli", "runner"];
const entries: Record<string, string> = {
  index: "src/index.ts",
  evaluator: "src/nodes/expression/evaluator.ts",
  "sample-api": "examples/sample-api/main.ts",
};
/** Packages that only seldom commands need, and that no part imports on demand: their parts are. A run in its plain forms loads none. */
const OUTSIDE: ReadonlySet<string> = new Set(["commander"]);
/** Packages that the command needs at once, though some of its parts import them on demand. Those of the AI SDK share so much that they
 * stay with it in one file, and are run on demand all the same. */
const INSIDE: ReadonlySet<string> = new Set(["yaml"]);
const inputs = ["package.json", "package-lock.json", "scripts/build.ts", "src", "examples/sample-api"];
const WEB = "src/web";
/** What a browser gets: the web, the rooms that it may import (test/rooms.ts), and the examples that it offers as ready calls. */
const webInputs = [
  ...["package.json", "package-lock.json", "scripts/build.ts", WEB],
  ...["src/api", "src/scheduler", "src/workflow", "src/base", "examples"],
];
const schemaSource = "src/workflow/json-schema.ts";

const say = (text: string) => process.stderr.write(`${text}\n`);

if (import.meta.main) await main(process.argv.slice(2));

async function main(args: string[]): Promise<void> {
  const now = [fingerprint(inputs, WEB), fingerprint(webInputs)];
  const before = args.includes("--if-stale") ? (readIfThere(join(dist, ".stamp")) ?? "").split("\n") : [];
  const stale = now.map((print, half) => print !== before[half]);
  if (stale.includes(true)) {
    const from = performance.now();
    const built = await Promise.all([!stale[0] || program(), !stale[1] || web()]);
    if (built.includes(false)) {
      say("The sources do not build: what is wrong stands above.");
      process.exitCode = 1;
      return;
    }
    writeFileSync(join(dist, ".stamp"), now.join("\n"));
    say(`Building dist/: done in ${((performance.now() - from) / 1000).toFixed(1)} s`);
  }
  if (args.includes("--types")) writeTypes();
}

async function program(): Promise<boolean> {
  if (!(await bundle())) return false;
  await writeSchema();
  return true;
}

/** B5. False when the sources are wrong; Vite has then said where. */
async function web(): Promise<boolean> {
  if (!existsSync(join(root, WEB))) return true;
  // Whoever builds may be a test; what is built is the product.
  process.env.NODE_ENV = "production";
  const { build } = await import("vite");
  try {
    await build({ configFile: join(root, WEB, "vite.config.ts") });
    return true;
  } catch (reason) {
    say(reason instanceof Error ? reason.message : String(reason));
    return false;
  }
}

/** A hash over the path and text of everything that a build reads. */
function fingerprint(from: readonly string[], but?: string): string {
  const hash = createHash("sha256");
  const without = but === undefined ? undefined : join(root, but, "/");
  const files = from.flatMap((input) => filesOf(join(root, input))).filter((file) => !file.startsWith(without ?? "\0"));
  for (const file of files.sort())
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
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const common: BuildOptions = {
    absWorkingDir: root,
    outdir: "dist",
    bundle: true,
    platform: "node",
    target: "node24",
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "external",
    metafile: true,
    external: ["@napi-rs/keyring"],
    logLevel: "warning",
  };
  const modules: BuildOptions = {
    ...common,
    entryPoints: entries,
    chunkNames: "[name]-[hash]",
    splitting: true,
    format: "esm",
    keepNames: true,
    define: { CURLEW_VERSION: JSON.stringify(version) },
    // Some bundled packages are CommonJS and call require for Node's own modules.
    banner: {
      js: 'import { createRequire as __curlewRequire } from "node:module"; const require = __curlewRequire(import.meta.url);',
    },
  };
  const packages = new Set<string>();
  const command: BuildOptions = {
    ...common,
    entryPoints: commands,
    format: "cjs",
    outExtension: { ".js": ".cjs" },
    define: {
      CURLEW_VERSION: JSON.stringify(version),
      "import.meta.filename": "__filename",
      "import.meta.url": "__url",
    },
    banner: { js: '"use strict";const __url=require("node:url").pathToFileURL(__filename).href;' },
    plugins: [ownFiles(packages)],
  };
  try {
    const results = [await build(modules), await build(command)];
    for (const name of packages) results.push(await build(packageFile(name, common)));
    const written = results.flatMap((result) => Object.keys(result.metafile?.outputs ?? {}));
    for (const name of Object.keys(commands)) requireOwnFiles(join(dist, `${name}.cjs`));
    for (const name of ENTRIES) writeDigests(join(dist, `${name}.cjs`));
    removeStale(written.map((path) => path.replace(/^dist\//, "")));
    return true;
  } catch (reason) {
    if (!(reason instanceof Error && "errors" in reason)) throw reason;
    return false;
  }
}

/** B4. What is imported on demand and is not ours, APART and OUTSIDE. Node's own modules and native ones stay. */
function ownFiles(packages: Set<string>): Plugin {
  return {
    name: "own-files",
    setup(build) {
      build.onResolve({ filter: /./ }, ({ path, kind }) => {
        if (kind !== "dynamic-import" && !OUTSIDE.has(path)) return undefined;
        if (APART[path] !== undefined) return { path: APART[path], external: true };
        if (/^(?:\.|node:|@napi-rs\/|@ai-sdk\/)/.test(path) || INSIDE.has(path)) return undefined;
        packages.add(path);
        return { path: `./${fileOf(path)}.cjs`, external: true };
      });
    },
  };
}

function packageFile(name: string, common: BuildOptions): BuildOptions {
  // A package without a default export has none afterwards either.
  const entry = {
    contents: `export * from ${JSON.stringify(name)}; import * as all from ${JSON.stringify(name)}; export default all["default"];`,
    resolveDir: root,
  };
  const { outdir, ...rest } = common;
  const logOverride = { "import-is-undefined": "silent" } as const;
  return { ...rest, logOverride, stdin: entry, outfile: `${outdir}/${fileOf(name)}.cjs`, format: "cjs" };
}

function fileOf(name: string): string {
  return `pkg-${name.replaceAll(/\W+/g, "-").replace(/^-/, "")}`;
}

/** esbuild leaves `import()` of what is outside as it is: the loader of ES modules would be started for it, and what is begun with kept
 * code has none (src/process/compiled.ts). */
function requireOwnFiles(file: string): void {
  const text = readFileSync(file, "utf8");
  const own = /\bimport\("(\.\/[\w-]+\.cjs|node:[\w/]+|@napi-rs\/keyring)"\)/g;
  const required = text.replaceAll(own, 'Promise.resolve().then(()=>require("$1"))');
  writeFileSync(file, required.replaceAll(/[^\0-\x7f]/g, escaped));
}

/** esbuild leaves other letters in regular expressions, and one of them makes the text twice as large in memory: V8 keeps it all by two bytes. */
function escaped(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** By which what V8 made of a file is known to be of this very file (src/process/compiled.ts). */
function writeDigests(entry: string): void {
  const text = readFileSync(entry, "utf8").replaceAll(/\bdigest of ([\w-]+\.cjs)/g, (_, file) =>
    createHash("sha256")
      .update(readFileSync(join(dist, file)))
      .digest("hex")
      .slice(0, 16),
  );
  writeFileSync(entry, text);
}

/** Chunks of earlier builds carry other hashes in their names. */
function removeStale(written: string[]): void {
  const keep = new Set([...written, ".stamp", ".cache", "types", "web", "curlew.schema.json"]);
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
