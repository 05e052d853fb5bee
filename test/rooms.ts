// rooms: which room may import which (spec 5.1), as data, and one function that finds imports against it.
//   R1. A room imports itself, base, and what its row names; nothing else of src/.
//   R2. The pure rooms (base, workflow, scheduler, api) import no Node module that reads a clock, a disk or the outside.
//   R5. The web runs in a browser: it imports no Node module at all.
//   R3. src/index.ts, the door of the package, may import every room but web and cli; nothing imports it.
//   R6. No room exports another room's names.
//   R7. A folder with an index.ts is entered through it: from outside its room nothing else of it is imported.
//   R4. Nothing in src/ imports tests, scripts, examples or benchmarks.

import { dirname, join, normalize } from "node:path";

const core = ["shell", "workflow", "scheduler"];
const machine = [...core, "process", "secrets", "store", "kinds", "engine"];

export const ROOMS: Record<string, { may: string[]; pure?: true; browser?: true }> = {
  base: { may: [], pure: true },
  shell: { may: [], pure: true },
  workflow: { may: ["shell"], pure: true },
  scheduler: { may: ["workflow"], pure: true },
  api: { may: core, pure: true },
  secrets: { may: [] },
  process: { may: ["secrets"] },
  store: { may: ["workflow", "scheduler", "secrets"] },
  kinds: { may: ["shell", "workflow", "process", "secrets"] },
  engine: { may: ["shell", "workflow", "scheduler", "process", "secrets", "store", "kinds"] },
  app: { may: [...machine, "api"] },
  server: { may: [...machine, "api", "app"] },
  web: { may: ["api", ...core], browser: true },
  cli: { may: [...machine, "api", "app", "server"] },
  index: { may: [...machine, "api", "app", "server"] },
};

/** Node modules that only compute. */
const PURE_NODE = new Set(["node:path", "node:path/posix", "node:buffer", "node:util", "node:url", "node:assert"]);

const IMPORT =
  /\b(?:import|export)\b(?:[^"';]*?\bfrom)?\s*\(?\s*["']([^"']+)["']|\bnew URL\(\s*["'](\.[^"']+\.ts)["']/g;

/** `export { x } from "../engine/run.ts"`: a room hands out only its own names. */
const RE_EXPORT = /^export\b[^"';]*\bfrom\s*["'](\.\.[^"']+)["']/gm;

export interface SourceFile {
  /** From the root of the checkout: `src/store/journal.ts`. */
  path: string;
  text: string;
}

/** One sentence for every import that breaks a rule. */
export function forbiddenImports(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => importsOf(file).flatMap((target) => complaint(file.path, target) ?? []));
}

/** One sentence for every name of one room that another room exports as its own (R6). */
export function reExports(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(RE_EXPORT)]
      .map(([, target = ""]) => normalize(join(dirname(path), target)))
      .filter((to) => to.startsWith("src/") && roomOf(to) !== roomOf(path) && roomOf(path) !== "index")
      .map((to) => `${path} re-exports ${to}: import it from its own room.`),
  );
}

/** One sentence for every import from outside a room of a file behind the index.ts of its folder (R7). */
export function pastTheDoor(files: readonly SourceFile[]): string[] {
  const doors = new Set(files.filter(({ path }) => path.endsWith("/index.ts")).map(({ path }) => dirname(path)));
  return files
    .filter(({ path }) => !isTest(path))
    .flatMap((file) =>
      importsOf(file)
        .filter((target) => target.startsWith("."))
        .map((target) => normalize(join(dirname(file.path), target)))
        .filter((to) => roomOf(to) !== roomOf(file.path) && dirname(dirname(to)) !== "src")
        .filter((to) => doors.has(dirname(to)) && !to.endsWith("/index.ts"))
        .map((to) => `${file.path} imports ${to}: enter through ${dirname(to)}/index.ts.`),
    );
}

function importsOf(file: SourceFile): string[] {
  const code = file.text.replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, "");
  return [...code.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? "");
}

function complaint(path: string, target: string): string | undefined {
  const room = roomOf(path);
  const rules = ROOMS[room];
  if (rules === undefined) return `${path}: "${room}" is not in the table of test/rooms.ts.`;
  if (rules.browser && target.startsWith("node:") && !isTest(path))
    return `${path} imports ${target}, but ${room} runs in a browser.`;
  if (target.startsWith("node:"))
    return rules.pure && !isTest(path) && !PURE_NODE.has(target)
      ? `${path} imports ${target}, but ${room} is pure.`
      : undefined;
  if (!target.startsWith(".")) return undefined;
  const to = normalize(join(dirname(path), target));
  if (!to.startsWith("src/")) return isTest(path) ? undefined : `${path} imports ${to}, which is not part of src/.`;
  const other = roomOf(to);
  if (other === room || other === "base" || rules.may.includes(other)) return undefined;
  return `${path} imports ${to}: ${room} may import ${["base", ...rules.may].join(", ")}, not ${other}.`;
}

function roomOf(path: string): string {
  return (path.split("/")[1] ?? "").replace(/\.tsx?$/, "");
}

function isTest(path: string): boolean {
  return /\.test\.tsx?$|\/testing\//.test(path);
}
