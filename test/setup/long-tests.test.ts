// Which tests the full check runs again after the ordinary ones: those that grow with it, and no other.

import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { longTests } from "../../scripts/long-tests.ts";

const WORD = ["CHECK", "FULL"].join("_");

it("finds the files of tests that ask for the long way, in every room", () => {
  const root = project({
    "src/a/one.test.ts": `const n = process.env.${WORD} ? 2 : 1;`,
    "src/a/one.ts": "",
    "test/b/two.test.ts": "",
    "test/b/c/three.test.ts": `// ${WORD}=1 runs more`,
  });
  expect(longTests(root)).toEqual(["src/a/one.test.ts", "test/b/c/three.test.ts"]);
});

it("refuses a helper that asks for it, since nobody would know whose tests grow", () => {
  const root = project({ "test/b/helper.ts": `export const n = process.env.${WORD} ? 2 : 1;` });
  expect(() => longTests(root)).toThrow("test/b/helper.ts");
});

it("finds those of this project", () => {
  const found = longTests(join(import.meta.dirname, "../.."));
  expect(found).toContain("test/runner/kills.test.ts");
  expect(found).toContain("test/simulation/mutants.test.ts");
  expect(found).not.toContain("test/setup/long-tests.test.ts");
});

function project(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), "curlew-long-tests-"));
  for (const room of ["src", "test", "examples", "bench"]) mkdirSync(join(root, room));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}
