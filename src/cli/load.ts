// load: reads and checks a workflow file and its subflows, or prints diagnostics on stderr.
//   L1. YAML and JSON files are only read. A `.flow.ts` file is a program, so only commands that run workflows execute
//       it.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { registerHooks } from "node:module";
import { basename, dirname, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Checked, checkFile } from "../app/documents/check-file.ts";
import { readTextFile } from "../app/documents/read-file.ts";
import { limits } from "../base/limits.ts";
import { count, harmless, oneLine } from "../base/text.ts";
import type { Diagnostic } from "../workflow/diagnostic.ts";
import type { Workflow } from "../workflow/model.ts";
import { didYouMean, listed } from "../workflow/nearest.ts";
import { type Paint, renderDiagnostic } from "../workflow/render.ts";
import type { SeenDeps } from "../workflow/unseen-findings.ts";
import { type Problem, problem } from "./problem.ts";
import type { Style } from "./style.ts";
import type { Terminal } from "./terminal.ts";

export interface Loaded {
  /** Absolute path. */
  file: string;
  text: string;
  workflow: Workflow;
  /** Texts of all reachable subflow files, by absolute path. */
  subflows: Record<string, string>;
}

/**
 * Undefined after diagnostics on stderr if the workflow cannot run. Warnings are printed and do not stop it. Templates
 * can use `variables` in addition to the environment.
 */
export async function loadWorkflow(
  file: string,
  terminal: Terminal,
  variables: Readonly<Record<string, string>> = {},
  trust?: SeenDeps,
  quiet = false,
): Promise<Loaded | undefined> {
  const path = resolve(terminal.cwd, file);
  const read = isProgram(file) ? await buildText(path, file) : readText(file, terminal);
  if (typeof read === "object") return terminal.problem(read);
  const checked = await checkFile(read, file, terminal.cwd, Object.keys({ ...terminal.env, ...variables }), trust);
  if (checked.workflow === undefined) {
    tellDiagnostics(checked.diagnostics, checked.textOf, terminal);
    terminal.err(`${oneLine(file)}: not valid (${verdict(checked.diagnostics)}); nothing ran.\n`);
    return undefined;
  }
  if (!quiet) tellBriefly(checked, checked.workflow, file, terminal);
  return { file: path, text: read, workflow: checked.workflow, subflows: checked.subflows };
}

/** One line per code, with the nodes that have it. `curlew validate` shows them in full. */
function tellBriefly({ diagnostics, tree }: Checked, { nodes }: Workflow, file: string, terminal: Terminal): void {
  const source = tree.sources.get(file);
  const placeOf = (diagnostic: Diagnostic): string => {
    const { line, column } = diagnostic.range.start;
    if (source === undefined || diagnostic.file !== file) return diagnostic.file;
    const node = nodes.find((_, index) => {
      const { start, end } = source.range(["nodes", index]);
      const isAfter = start.line < line || (start.line === line && start.column <= column);
      return isAfter && (line < end.line || (line === end.line && column <= end.column));
    });
    return node?.id ?? `line ${line}`;
  };
  for (const [code, all] of Map.groupBy(diagnostics, (one) => one.code)) {
    const [{ severity, message }] = all as [Diagnostic];
    const places = [...new Set(all.map(placeOf))];
    const shown = listed(places.map(harmless), 5);
    const label = terminal.errStyle(severity === "info" ? "faint" : "warning", `${severity}[${code}]`);
    terminal.err(`${label} ${shown}: ${oneLine(message)}\n`);
  }
}

/** The text of a workflow file, or undefined after a message on stderr. */
export function readWorkflowText(file: string, terminal: Terminal): string | undefined {
  const read = isProgram(file) ? noProgram(file) : readText(file, terminal);
  if (typeof read === "string") return read;
  return terminal.problem(read);
}

/** The text, or the reason it cannot be read. */
export function readText(file: string, terminal: Terminal): string | Problem {
  const path = resolve(terminal.cwd, file);
  if (file === "") return noName(path);
  const read = readTextFile(path, limits.documentBytesMax, { pipes: false });
  if (read.ok) return read.value;
  switch (read.error.kind) {
    case "missing":
      return noFile(file, path);
    case "folder":
      return aFolder(file, path);
    case "too-large":
      return problem("document-too-large", `${file} is too large for a workflow: ${read.error.why}.`);
    default:
      return problem("cannot-read", `${file} cannot be read: ${read.error.why}.`);
  }
}

export function isProgram(file: string): boolean {
  return /\.[mc]?[tj]s$/.test(file);
}

export function noProgram(file: string): Problem {
  return problem(
    "is-a-program",
    `${file} is a program that builds a workflow; looking at it would mean running it, which this command never does.`,
    `"curlew run ${file} --dry-run" runs it to build the workflow, checks that, and runs none of its nodes.`,
  );
}

export function tellDiagnostics(
  diagnostics: readonly Diagnostic[],
  textOf: (file: string) => string,
  terminal: Terminal,
): void {
  const paint = paintOf(terminal.errStyle);
  for (const diagnostic of diagnostics)
    terminal.err(`${renderDiagnostic(diagnostic, textOf(diagnostic.file), paint)}\n\n`);
}

/** `2 errors, 1 warning`; empty if there is nothing to change. */
export function verdict(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === "error").length;
  const warnings = diagnostics.filter((diagnostic) => diagnostic.severity === "warning").length;
  return [errors > 0 ? count(errors, "error") : "", warnings > 0 ? count(warnings, "warning") : ""]
    .filter((part) => part !== "")
    .join(", ");
}

function paintOf(style: Style): Paint {
  return {
    error: (text) => style("error", text),
    warning: (text) => style("warning", text),
    strong: (text) => style("strong", text),
    dim: (text) => style("faint", text),
  };
}

/** A program's default export is a workflow object or a builder of one. Its text is JSON, which is also YAML. */
async function buildText(path: string, file: string): Promise<string | Problem> {
  try {
    if (statSync(path).isDirectory()) return aFolder(file, path);
  } catch {
    return noFile(file, path);
  }
  let built: unknown;
  try {
    built = await importProgram(path);
  } catch (reason) {
    return problem(
      "program-failed",
      `${file} failed while it built the workflow: ${reason instanceof Error ? reason.message : String(reason)}`,
    );
  }
  const document = typeof built === "object" && built !== null && "document" in built ? built.document : built;
  if (built !== document && isEmptyList((document as { nodes?: unknown }).nodes))
    return problem(
      "no-workflow",
      `${file} builds a workflow without nodes.`,
      "Each call returns another builder. Chain the calls, or write: flow = flow.cli(…)",
    );
  if (typeof document === "object" && document !== null) return `${JSON.stringify(document, null, 2)}\n`;
  return problem(
    "no-workflow",
    `${file} has no default export that is a workflow.`,
    "Write: export default workflow(…)",
  );
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

function noName(folder: string): Problem {
  return problem("missing-argument", "The name of the file is empty.", instead(workflowsIn(folder)));
}

function noFile(file: string, path: string): Problem {
  const near = workflowsIn(dirname(path));
  return problem("file-not-found", `There is no file ${file}.${didYouMean(basename(file), near)}`, instead(near));
}

function instead(near: readonly string[]): string {
  return near.length > 0 ? `There is: ${near.slice(0, 8).join(", ")}.` : '"curlew new" writes a first one.';
}

function aFolder(file: string, path: string): Problem {
  const inside = workflowsIn(path).map((name) => relative("", `${file}/${name}`));
  return problem(
    "is-a-folder",
    `${file} is a folder; give a workflow file.`,
    inside.length > 0 ? `For example ${inside.slice(0, 8).join(", ")}.` : undefined,
  );
}

function workflowsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /\.flow\.(ya?ml|json|ts)$/.test(name))
      .sort();
  } catch {
    return [];
  }
}

/**
 * `curlew` is the package of the running program, so a program needs no installed package. Throws whatever the program
 * throws.
 */
async function importProgram(path: string): Promise<unknown> {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "curlew"
        ? { url: new URL("./index.js", import.meta.url).href, format: "module", shortCircuit: true }
        : next(specifier, context),
    load: (url, context, next) => next(url, isModule(url) ? { ...context, format: formatOf(url) } : context),
  });
  try {
    const built = ((await import(pathToFileURL(path).href)) as { default?: unknown }).default;
    return typeof built === "function" ? await built() : built;
  } finally {
    hooks.deregister();
  }
}

/** I2. Packages say what they are. */
function isModule(url: string): boolean {
  if (!/^file:.*\.[jt]s$/.test(url) || url.includes("/node_modules/")) return false;
  return /^\s*(import\s*["'{*\w]|export[\s{*])/m.test(readFileSync(fileURLToPath(url), "utf8"));
}

function formatOf(url: string): string {
  return url.endsWith(".ts") ? "module-typescript" : "module";
}
