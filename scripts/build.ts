// build: src/ becomes dist/, what the published package holds and what bin/curlew runs. `node scripts/build.ts
// [--if-stale] [--types]`
//   B1. Every dependency is bundled (docs/adr/0004) except one: the desktop keyring's library is native. It is
//       installed beside the package where that is possible, and Curlew works without it (docs/adr/0021).
//   B2. All modules are in dist/ itself, so that `new URL("./evaluator.js", import.meta.url)` works from any of them.
//   B3. dist/.stamp names the sources that were built, of the program and of the web UI. --if-stale trusts it and builds
//       only the stale half. If nothing is stale, that takes some 60 ms.
//   B4. The command is one CommonJS file, app.cjs, behind a small cli.cjs. Node.js takes a third longer to load the
//       same code from some forty ES modules. The server, the model library, `curlew http` and the runner are one file
//       each.
//   B5. Vite turns src/web into dist/web (src/web/vite.config.ts), while esbuild does the rest. Assets get a brotli copy,
//       which the server sends. The best compression takes seconds, so it is only for --types, which packing uses.
// Only Node's own modules are imported at the top: a build that is not needed must not load esbuild.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import type { BuildOptions, Plugin } from "esbuild";

const root = dirname(import.meta.dirname);
const dist = join(root, "dist");

/** Name in dist/ → source. The server, the model library and the HTTP clients are loaded only by the calls that need them. */
const commands: Record<string, string> = {
  cli: "src/cli/main.ts",
  app: "src/cli/cli.ts",
  serve: "src/cli/commands/serve.ts",
  http: "src/cli/http/main.ts",
  cluster: "src/engine/cluster/index.ts",
  runner: "src/process/runner/main.ts",
  sdk: "src/kinds/llm/sdk.ts",
  undici: "undici",
};
/** Imports between these files. */
const BUNDLES: Readonly<Record<string, string>> = {
  "./cli.ts": "./app.cjs",
  "./commands/serve.ts": "./serve.cjs",
  "../engine/cluster/index.ts": "./cluster.cjs",
  "./http/main.ts": "./http.cjs",
  "./sdk.ts": "./sdk.cjs",
  undici: "./undici.cjs",
};
const entries: Record<string, string> = {
  index: "src/index.ts",
  evaluator: "src/kinds/expression/evaluator.ts",
  "sample-api": "examples/sample-api/main.ts",
};
const inputs = ["package.json", "package-lock.json", "scripts/build.ts", "src", "examples/sample-api"];
const WEB = "src/web";
/**
 * The browser's part: the web UI, the rooms that it may import (test/rooms.ts), and the examples that it offers as
 * ready calls.
 */
const webInputs = [
  ...["package.json", "package-lock.json", "scripts/build.ts", WEB],
  ...["src/api", "src/scheduler", "src/workflow", "src/base", "examples"],
];
const schemaSource = "src/workflow/json-schema.ts";

/** B4. */
const ownFiles: Plugin = {
  name: "own-files",
  setup(build) {
    build.onResolve({ filter: /./ }, ({ path, kind }) =>
      kind === "dynamic-import" && BUNDLES[path] !== undefined ? { path: BUNDLES[path], external: true } : undefined,
    );
  },
};

const say = (text: string) => process.stderr.write(`${text}\n`);

if (import.meta.main) await main(process.argv.slice(2));

async function main(args: string[]): Promise<void> {
  const now = [fingerprint(inputs, WEB), fingerprint(webInputs)];
  const before = args.includes("--if-stale") ? (readIfThere(join(dist, ".stamp")) ?? "").split("\n") : [];
  const stale = now.map((print, half) => print !== before[half]);
  const brotliQuality = args.includes("--types") ? 11 : 5;
  if (stale.includes(true)) {
    const from = performance.now();
    const built = await Promise.all([!stale[0] || program(), !stale[1] || web(brotliQuality)]);
    if (built.includes(false)) {
      say("The sources do not build: what is wrong stands above.");
      process.exitCode = 1;
      return;
    }
    writeFileSync(join(dist, ".stamp"), now.join("\n"));
    say(`Building dist/: done in ${((performance.now() - from) / 1000).toFixed(1)} s`);
  }
  if (args.includes("--types")) await writeTypes();
}

async function program(): Promise<boolean> {
  if (!(await bundle())) return false;
  await writeSchema();
  return true;
}

/** B5. False if the sources are invalid; Vite has then said where. */
async function web(brotliQuality: number): Promise<boolean> {
  if (!existsSync(join(root, WEB))) return true;
  // A test may start the build, but what it builds is the product.
  process.env.NODE_ENV = "production";
  const { build } = await import("vite");
  try {
    await build({ configFile: join(root, WEB, "vite.config.ts") });
    await compress(join(dist, "web/assets"), brotliQuality);
    return true;
  } catch (reason) {
    say(reason instanceof Error ? reason.message : String(reason));
    return false;
  }
}

async function compress(folder: string, quality: number): Promise<void> {
  const brotli = promisify(brotliCompress);
  const texts = readdirSync(folder).filter((name) => /\.(?:js|css|svg)$/.test(name));
  await Promise.all(
    texts.map(async (name) => {
      const text = readFileSync(join(folder, name));
      if (text.byteLength < 1_000) return;
      writeFileSync(
        join(folder, `${name}.br`),
        await brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
      );
    }),
  );
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

/** False if the sources are invalid; esbuild has then said where. */
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
    // The keyring's library is native. The others belong to parts of DBOS and pg that are not used (docs/adr/0103).
    external: ["@napi-rs/keyring", "pg-native", "@opentelemetry/*", "winston", "winston-transport"],
    // Its main file is UMD, which cannot be bundled.
    alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
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
    plugins: [ownFiles],
  };
  try {
    const results = [await build(modules), await build(command)];
    for (const name of Object.keys(commands)) requireOwnFiles(join(dist, `${name}.cjs`));
    const written = results.flatMap((result) => Object.keys(result.metafile?.outputs ?? {}));
    removeStale(written.map((path) => path.replace(/^dist\//, "")));
    return true;
  } catch (reason) {
    if (!(reason instanceof Error && "errors" in reason)) throw reason;
    return false;
  }
}

/**
 * esbuild leaves `import()` of other files unchanged, which would start the loader of ES modules. It also leaves
 * non-ASCII letters in regular expressions, and one of them doubles the memory that V8 needs for the file.
 */
function requireOwnFiles(file: string): void {
  const imports = /\bimport\("(\.\/[\w-]+\.cjs|node:[\w/]+|@napi-rs\/keyring)"\)/g;
  const text = readFileSync(file, "utf8")
    .replaceAll(imports, 'Promise.resolve().then(()=>require("$1"))')
    .replaceAll(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
  writeFileSync(file, text);
}

/** Chunks of earlier builds have other hashes in their names. */
function removeStale(written: string[]): void {
  const keep = new Set([...written, ".stamp", ".cache", "types", "web", "docs", "curlew.schema.json"]);
  for (const name of readdirSync(dist)) if (!keep.has(name)) rmSync(join(dist, name), { recursive: true });
}

async function writeSchema(): Promise<void> {
  if (!existsSync(join(root, schemaSource))) return;
  const { workflowJsonSchema } = await import(pathToFileURL(join(root, schemaSource)).href);
  writeFileSync(join(dist, "curlew.schema.json"), `${JSON.stringify(workflowJsonSchema(), null, 2)}\n`);
}

/** Declarations of what src/index.ts exports, and of nothing else. */
async function writeTypes(): Promise<void> {
  const from = performance.now();
  rmSync(join(dist, "types"), { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", "tsconfig.types.json"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
  });
  const shapes = join(dist, "types/api/shapes.d.ts");
  const { nodeDataTypes, withoutZod } = await import("./print-types.ts");
  writeFileSync(shapes, withoutZod(readFileSync(shapes, "utf8")));
  writeFileSync(join(dist, "types/workflow/node-data.d.ts"), nodeDataTypes());
  keepPublicTypes(join(dist, "types"));
  say(`Writing dist/types: done in ${((performance.now() - from) / 1000).toFixed(1)} s`);
}

/**
 * Declarations that index.d.ts does not reach are removed. Types of bundled packages become unknown: those packages are
 * not installed with Curlew and no part of its API.
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
