// Every lockfile names each package that `npm ci` looks for, for every platform: npm writes a shorter one when its registry lacks a package.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const lockfiles = execFileSync("git", ["ls-files", "*package-lock.json"], { cwd: root, encoding: "utf8" })
  .trim()
  .split("\n");

test.each(lockfiles)("%s names every optional package", (file) => {
  const { packages } = JSON.parse(readFileSync(join(root, file), "utf8")) as { packages: Record<string, Locked> };
  const names = new Set(
    Object.keys(packages).map((path) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)),
  );
  const wanted = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !names.has(name))
      .map((name) => `${path || "."} wants ${name}`),
  );
  expect(wanted).toEqual([]);
});

interface Locked {
  optionalDependencies?: Record<string, string>;
}
