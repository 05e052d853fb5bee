// long-tests: which files of tests grow with CHECK_FULL=1, so that the full check runs the others once.
// Their own text says so: it names CHECK_FULL. A helper of tests that asked for it would hide that, so none may.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOMS = ["src", "test", "examples", "bench"];
const NAME = "CHECK_FULL";

/** Paths from `root`, with `/`, sorted. Fails when a file that is no test asks for the long way. */
export function longTests(root: string): string[] {
  const knowing = ROOMS.flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => readFileSync(path, "utf8").includes(NAME)),
  ).map((path) => path.slice(root.length + 1).replaceAll("\\", "/"));
  const hidden = knowing.filter((path) => !path.endsWith(".test.ts"));
  if (hidden.length > 0) throw new Error(`${NAME} is asked for outside of a test: ${hidden.join(", ")}`);
  return knowing.filter((path) => path.endsWith(".test.ts")).toSorted();
}
