// docs/tutorials/terminal.md and docs/reference/command-line.md are true: the test runs their commands, and compares
// their codes with the source.

import { chmodSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder, MAIN, started } from "./curlew.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

/** ```yaml FILE writes the file. In ```console each `$ ` line is run in order and must print the text below it. */
test.each([
  ["tutorials/terminal", 10],
  ["how-to/rerun", 5],
  ["how-to/import", 2],
])("every command of docs/%s.md prints what the page shows", async (page, least) => {
  const it = folder();
  it.write("bin/curlew", `#!/bin/sh\nexec '${process.execPath}' -- '${MAIN}' "$@"\n`);
  chmodSync(join(it.path, "bin/curlew"), 0o755);
  const blocks = [...read(`docs/${page}.md`).matchAll(/^```(\w+) ?(\S*)\n([\s\S]*?)^```$/gm)];
  let commands = 0;
  for (const [, kind, file, text = ""] of blocks) {
    if (kind === "yaml" && file !== "") it.write(file!, text);
    if (kind !== "console") continue;
    for (const [, command = "", shown = ""] of text.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)) {
      commands += 1;
      const path = `${join(it.path, "bin")}:${process.env.PATH}`;
      // The tutorial shows stderr only for a failure.
      const line = command.includes("echo") ? `{ ${command}; } 2>&1` : command;
      // A command without shell syntax needs no process.
      const plain = /^curlew ([\w./= -]+)$/.exec(command);
      const ran = plain
        ? await it.run(plain[1]!, { env: { PATH: path } })
        : await started("bash", ["-c", line], it.path, { env: { PATH: path } }, it.home).done;
      expect(ran.stdout.replace(/(?<!\n)$/, "\n"), command).toBe(shown);
    }
  }
  expect(commands).toBeGreaterThanOrEqual(least);
});

test("docs/reference/command-line.md lists every error code of the command line, and no other", () => {
  const codesIn = (pattern: string) =>
    new Set(
      globSync(pattern, { cwd: ROOT })
        // docs/reference/doctor.md has doctor's findings; doctor-finds.test.ts compares them.
        .filter((path) => !path.endsWith(".test.ts") && !/doctor\/|cli\/http\//.test(path))
        .flatMap((path) => [
          ...read(path).matchAll(/\b(?:problem\(\s*|refuse\(\s*terminal,\s*|failureOf\(\s*|code: )"([a-z-]+)"/g),
        ])
        .map(([, code]) => code!),
    );
  const used = codesIn("src/cli/**/*.ts");
  // Codes about inputs come from the workflow room, record-damaged from the store's.
  for (const code of ["missing-input", "unknown-input"]) used.add(code);
  used.delete("record-damaged");
  // Codes that other interfaces also use: only those that the command line can report.
  const shared = codesIn("src/{app,engine,server}/**/*.ts");
  const table = read("docs/reference/command-line.md").split("## Error codes")[1]!;
  const rows = [...table.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`([a-z-]+)`/g)].map(([, code]) => code!),
  );
  expect([...used].filter((code) => !rows.includes(code) && !shared.has(code))).toEqual([]);
  expect(rows.filter((code) => !used.has(code) && !shared.has(code))).toEqual([]);
});
