// The cost of a run in counts, which are the same on a busy machine (spec 5.4; `npm run bench` measures times). If a
// count has to grow, raise it here and give the reason in the commit.

import { spawnSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { tempFolder } from "../setup/folders.ts";

const root = join(import.meta.dirname, "../..");
let place: string;
beforeAll(() => {
  place = tempFolder();
});

interface Counts {
  commits: number;
  processes: number;
  /** Blocking calls of node:fs. */
  files: number;
  builtins: number;
  /** Files of the bundle that were loaded. */
  loaded: string[];
}

let serial = 0;
function counted(...args: string[]): Counts {
  serial += 1;
  const file = join(place, `${serial}.json`);
  const ended = spawnSync(
    process.execPath,
    ["-r", join(import.meta.dirname, "counted.cjs"), join(root, "dist/cli.cjs"), ...args],
    {
      // Curlew looks for a command's program in each folder of PATH, so the counts depend on it.
      env: { ...process.env, PATH: "/usr/bin:/bin", COUNTED: file, CURLEW_HOME: join(place, `home${serial}`) },
      encoding: "utf8",
    },
  );
  expect({ status: ended.status, stderr: ended.stderr }).toEqual({ status: 0, stderr: "" });
  return JSON.parse(readFileSync(file, "utf8"));
}

function ran(nodes: readonly object[], edges: readonly string[], head: object = {}): Counts {
  const file = join(place, `${serial}.flow.json`);
  writeFileSync(file, JSON.stringify({ curlew: 1, name: "Cost", ...head, nodes, edges }));
  return counted("run", file, "--quiet");
}

const ids = (count: number): string[] => Array.from({ length: count }, (_, at) => `n${at}`);
const command = (id: string): object => ({ id, type: "cli", data: { title: id, content: "true" } });
const text = (id: string): object => ({ id, type: "text", data: { title: id, content: "x" } });
const chain = (count: number, node: (id: string) => object) =>
  ran(ids(count).map(node), count > 1 ? [ids(count).join(" -> ")] : []);

test("--version loads one small file and opens nothing", () => {
  const { loaded, commits, processes } = counted("--version");
  expect({ loaded, commits, processes }).toEqual({ loaded: ["cli.cjs"], commits: 0, processes: 0 });
  expect(statSync(join(root, "dist/cli.cjs")).size).toBeLessThan(8_000);
});

test("a run of one command loads the program and none of the parts that are loaded on demand", () => {
  const { loaded, builtins, commits, processes } = chain(1, command);
  expect(loaded.toSorted()).toEqual(["app.cjs", "cli.cjs"]);
  expect(statSync(join(root, "dist/app.cjs")).size).toBeLessThan(3_000_000);
  expect(builtins).toBeLessThan(300);
  // The run and its claim, its start, the attempt's start, both ends, the release; the store is made and checked.
  expect(commits).toBeLessThanOrEqual(9);
  // The runner, which starts the command.
  expect(processes).toBe(1);
});

test("a command in a chain costs one commit and a bounded number of file system calls, and the engine starts no other process", () => {
  const [few, many] = [chain(20, command), chain(60, command)];
  const each = (what: "commits" | "processes" | "files") => (many[what] - few[what]) / 40;
  expect(each("commits")).toBe(1);
  // The runner starts them.
  expect(each("processes")).toBe(0);
  expect(each("files")).toBeLessThanOrEqual(8);
});

test("commands side by side share commits", () => {
  const wide = (count: number) => ran(ids(count).map(command), [], { concurrency: 8 });
  expect((wide(60).commits - wide(20).commits) / 40).toBeLessThanOrEqual(1.25);
});

test("nodes without a process share commits, and touch no file", () => {
  const [few, many] = [chain(100, text), chain(1_000, text)];
  expect(many.files - few.files).toBeLessThanOrEqual(5);
  expect(many.commits - few.commits).toBeLessThanOrEqual(30);
});
