import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { spawnFailure } from "./spawn-failure.ts";

// The system's error for both, if PATH names a folder that we may not read.
const refused = Object.assign(new Error("spawn EACCES"), { code: "EACCES" });
const told = (program: string, PATH: string) =>
  spawnFailure(refused, { argv: [program], cwd: tmpdir(), env: { PATH: `/root:${PATH}` } });

test("a program that is not on PATH is not found, with every system error", () => {
  expect(told("node", "/nowhere")).toEqual({ type: "not-found", program: "node" });
});

test("a program that exists may not be executable", () => {
  expect(told("node", dirname(process.execPath))).toMatchObject({ reason: '"node" may not be executed' });
  expect(told("/etc/passwd", "")).toMatchObject({ reason: '"/etc/passwd" may not be executed' });
});
