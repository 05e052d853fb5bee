// Every failure code of the program stands in docs/reference/failures.md, and every code there is one of the program's.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const PLACES = [
  "src/kinds",
  "src/secrets",
  "src/process",
  "src/engine",
  "src/scheduler",
  "src/shell/rewrite/guards.ts",
];
/** What an evaluator process says to its parent; people see expression-failed and its kin. */
const INNER = new Set(["no-eval", "function", "too-large"]);
/** Why a person is asked (docs/explanation/approvals.md). */
const REASONS = new Set(["imported", "lost", "needs-approval", "whole-program"]);
/** Said to a person beside a run that goes on. */
const WARNINGS = new Set([
  "http-error-unnoticed",
  "command-not-found-unnoticed",
  "curl-unseen",
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
    const pattern = file.endsWith("guards.ts") ? /"(value-[a-z-]+)"/g : /(?:\bcode: |\brow\(\s*)"([a-z0-9-]+)"/g;
    for (const [, code] of readFileSync(join(root, file), "utf8").matchAll(pattern)) {
      if (code !== undefined && !INNER.has(code) && !REASONS.has(code) && !WARNINGS.has(code)) codes.add(code);
    }
  }
  return codes;
}

/** What a door answers, and no node fails with: it stands in the tables of the command line, the API and the store. */
const ANSWERS = new Set(
  ["command-line", "http-api", "server", "data-directory", "triggers"]
    .filter((page) => existsSync(join(root, `docs/reference/${page}.md`)))
    .flatMap((page) => readFileSync(join(root, `docs/reference/${page}.md`), "utf8").match(/^\| `.*$/gm) ?? [])
    .flatMap((row) => [...(row.split(" | ")[0] ?? "").matchAll(/`([a-z0-9-]+)`/g)].map(([, code]) => code)),
);

/** The table of reasons stands in a part of its own. */
const [FAILURES = "", REASONS_PART = ""] = readFileSync(join(root, "docs/reference/failures.md"), "utf8").split(
  "## Reasons",
);
const rows = (part: string) => new Set([...part.matchAll(/^\| `([a-z0-9-]+)` \|/gm)].map(([, code]) => code!));

test("docs/reference/failures.md lists the reasons that there are", () => {
  const source = readFileSync(join(root, "src/process/stderr-patterns.ts"), "utf8");
  const [type = ""] = /export type ReasonCode =[^;]*;/.exec(source) ?? [];
  const reasons = [...type.matchAll(/"([a-z-]+)"/g)].map(([, code]) => code!);
  const fields = new Set(["reason", "message", "evidence", "hints"]);
  expect([...rows(REASONS_PART)].filter((code) => !fields.has(code)).toSorted()).toEqual(reasons.toSorted());
});

test("docs/reference/failures.md lists the codes that there are", () => {
  const listed = rows(FAILURES);
  const passedOn = new Set(["output-not-json", "output-not-lines", "expression-failed"]);
  const inSource = codesInSource();
  expect([...inSource].filter((code) => !listed.has(code) && !ANSWERS.has(code))).toEqual([]);
  expect([...listed].filter((code) => code !== undefined && !inSource.has(code) && !passedOn.has(code))).toEqual([]);
});
