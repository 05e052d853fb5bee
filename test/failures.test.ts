// docs/reference/failures.md has every failure code of the program, and no other.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const PLACES = [
  "src/shell/template.ts",
  "src/kinds",
  "src/secrets",
  "src/process",
  "src/engine",
  "src/scheduler",
  "src/shell/rewrite/guards.ts",
];
/** An evaluator process reports these to its parent; users see expression-failed and similar codes. */
const INNER = new Set(["no-eval", "function", "too-large"]);
/** Reasons for an approval (docs/explanation/approvals.md). */
const REASONS = new Set(["imported", "lost", "needs-approval", "whole-program"]);
/** These are about calls that are not https, and also diagnostics of the document (workflow/diagnostics/safety.ts). */
const OF_CALLS = ["curl-config-bypassed", "curl-next-forgets"];
/** Shown beside a run that continues. */
const WARNINGS = new Set([
  "http-error-unnoticed",
  "command-not-found-unnoticed",
  "curl-unseen",
  "auth-held-back",
  "failure-body-cut",
  "template-null",
  "expression-member",
  "graphql-errors",
  "secret-file-open",
  "dotenv-open",
  "dotenv-not-read",
  "kept-changed",
  "kept-less",
]);

function sources(place: string): string[] {
  if (place.endsWith(".ts")) return [place];
  return readdirSync(join(root, place), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => join(place, name));
}

function codesInSource(): Set<string> {
  const codes = new Set<string>();
  for (const file of PLACES.flatMap(sources)) {
    const pattern = file.endsWith("guards.ts")
      ? /"(value-[a-z-]+)"/g
      : /(?:\bcode: |\b(?:row|because|failureOf)\(\s*)"([a-z0-9-]+)"/g;
    for (const [, code] of readFileSync(join(root, file), "utf8").matchAll(pattern)) {
      if (code !== undefined && !INNER.has(code) && !REASONS.has(code) && !WARNINGS.has(code)) codes.add(code);
    }
  }
  return codes;
}

/**
 * Errors of a command or a route, with which no node fails: the tables of the command line, the API and the store list
 * them.
 */
const ANSWERS = new Set(
  ["command-line", "http-api", "server", "data-directory", "triggers"]
    .filter((page) => existsSync(join(root, `docs/reference/${page}.md`)))
    .flatMap((page) => readFileSync(join(root, `docs/reference/${page}.md`), "utf8").match(/^\| `.*$/gm) ?? [])
    .flatMap((row) => [...(row.split(" | ")[0] ?? "").matchAll(/`([a-z0-9-]+)`/g)].map(([, code]) => code)),
);

/** The table of reasons is in a separate part. */
const [FAILURES = "", REASONS_PART = ""] = readFileSync(join(root, "docs/reference/failures.md"), "utf8").split(
  "## Reasons",
);
const rows = (part: string) => new Set([...part.matchAll(/^\| `([a-z0-9-]+)` \|/gm)].map(([, code]) => code!));

test("docs/reference/failures.md lists all reasons", () => {
  const source = ["base/network-errors.ts", "process/stderr-patterns.ts"]
    .map((file) => readFileSync(join(root, "src", file), "utf8"))
    .join("\n");
  const types = source.match(/export type (?:Network|)Reason(?:Code|) =[^;]*;/g) ?? [];
  const reasons = [...types.join("\n").matchAll(/"([a-z-]+)"/g)].map(([, code]) => code!);
  const fields = new Set(["reason", "message", "evidence", "hints"]);
  expect([...rows(REASONS_PART)].filter((code) => !fields.has(code)).toSorted()).toEqual(reasons.toSorted());
});

test("docs/reference/failures.md lists all codes", () => {
  const listed = rows(FAILURES);
  const passedOn = new Set(["output-not-json", "output-not-lines", "expression-failed", ...OF_CALLS]);
  const inSource = codesInSource();
  expect([...inSource].filter((code) => !listed.has(code) && !ANSWERS.has(code))).toEqual([]);
  expect([...listed].filter((code) => code !== undefined && !inSource.has(code) && !passedOn.has(code))).toEqual([]);
});
