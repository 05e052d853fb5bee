// The rooms of the architecture hold: one direction of imports, and a table that notices when one is broken.

import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { forbiddenImports, pastTheDoor, ROOMS, reExports, type SourceFile } from "./rooms.ts";

const root = join(import.meta.dirname, "..");

const sources: SourceFile[] = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({ path: relative(root, path), text: readFileSync(path, "utf8") }));

const planted = (path: string, text: string) => forbiddenImports([{ path, text }]);

test("no file of src/ imports against the table", () => {
  expect(forbiddenImports(sources)).toEqual([]);
});

test("no room exports another room's names, and the scan finds one that does", () => {
  expect(reExports(sources)).toEqual([]);
  for (const text of [
    `export { ok } from "../base/result.ts";`,
    `export type {\n  Failure,\n} from "../base/failure.ts";`,
  ])
    expect(reExports([{ path: "src/engine/run.ts", text }])).toHaveLength(1);
  expect(reExports([{ path: "src/engine/driver/x.ts", text: `export { run } from "../run.ts";` }])).toEqual([]);
});

test("a folder with an index.ts is entered through it, and the scan finds a way past it", () => {
  expect(pastTheDoor(sources)).toEqual([]);
  const door = { path: "src/kinds/cli/index.ts", text: "" };
  const inside = { path: "src/kinds/llm/attempt.ts", text: `import { ending } from "../cli/ending.ts";` };
  const outside = { path: "src/engine/retry.ts", text: `import { ending } from "../kinds/cli/ending.ts";` };
  expect(pastTheDoor([door, inside, outside])).toEqual([
    "src/engine/retry.ts imports src/kinds/cli/ending.ts: enter through src/kinds/cli/index.ts.",
  ]);
});

test("in the server only the wiring imports a route", () => {
  const inside = sources.filter(({ path }) => /^src\/server\/(?!routes\/|handlers\.ts|serve\.ts)/.test(path));
  expect(inside.filter(({ text }) => /from "\.{1,2}\/routes\//.test(text)).map(({ path }) => path)).toEqual([]);
});

test("the scan reads the real sources", () => {
  expect(sources.length).toBeGreaterThan(20);
  const seen = new Set(sources.map(({ path }) => path.split("/")[1]));
  expect([...seen].filter((room) => room !== "index.ts" && !(room! in ROOMS))).toEqual([]);
});

test("the scan finds an arrow in the wrong direction, however it is written", () => {
  for (const text of [
    `import { run } from "../engine/engine.ts";`,
    `import type { Engine } from "../engine/engine.ts";`,
    `export * from "../engine/engine.ts";`,
    `const { run } = await import("../engine/engine.ts");`,
    `import {\n  run,\n  stop,\n} from "../engine/engine.ts";`,
    `import "../engine/engine.ts";`,
    `fork(new URL("../engine/engine.ts", import.meta.url));`,
  ])
    expect(planted("src/scheduler/plan.ts", text), text).toEqual([
      "src/scheduler/plan.ts imports src/engine/engine.ts: scheduler may import base, workflow, not engine.",
    ]);
});

test("the scan finds a web component that imports the server, or anything of Node.js", () => {
  expect(planted("src/web/ui/button.tsx", `import { serve } from "../../server/serve.ts";`)).toEqual([
    "src/web/ui/button.tsx imports src/server/serve.ts: web may import base, api, shell, workflow, scheduler, not server.",
  ]);
  expect(planted("src/web/ui/button.tsx", `import { join } from "node:path";`)).toEqual([
    "src/web/ui/button.tsx imports node:path, but web runs in a browser.",
  ]);
});
