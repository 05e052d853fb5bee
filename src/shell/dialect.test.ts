// The first line of a script names its interpreter: what is checked is what is started.

import { expect, test } from "vitest";
import { interpreterOf, parseShebang, posixDialect } from "./dialect.ts";

test.each<[string, unknown]>([
  ["#!/bin/bash\necho", { interpreter: "/bin/bash", args: [], shell: "bash" }],
  ["#! /bin/sh -e -u\r\n", { interpreter: "/bin/sh", args: ["-e -u"], shell: "sh" }],
  ["#!/usr/bin/env python3\n", { interpreter: "python3", args: [] }],
  ["#!/usr/bin/env zsh", { interpreter: "zsh", args: [], shell: "zsh" }],
  ["#!/usr/bin/env -S node --no-warnings 'a b'\n", { interpreter: "node", args: ["--no-warnings", "a b"] }],
  ["#!/usr/bin/env --split-string=deno run", { interpreter: "deno", args: ["run"] }],
  ["#!/usr/bin/env -S A=1 node", { interpreter: "/usr/bin/env", args: ["-S A=1 node"] }],
  ["#!/usr/bin/env -S node $X", { interpreter: "/usr/bin/env", args: ["-S node $X"] }],
  ["#!/usr/bin/env", { interpreter: "/usr/bin/env", args: [] }],
  ["#!/opt/my tool", { interpreter: "/opt/my", args: ["tool"] }],
  ["#!\n", undefined],
  ["# !/bin/sh", undefined],
  ["echo\n#!/bin/sh", undefined],
  ["", undefined],
  ['#!/usr/bin/env -S bash "-e"', { interpreter: "bash", args: ["-e"], shell: "bash" }],
  ["#!/usr/bin/env -Sbash", { interpreter: "bash", args: [], shell: "bash" }],
])("the first line of %j", (text, expected) => {
  expect(parseShebang(text)).toEqual(expected);
});

test("a script is checked as the program that reads it", () => {
  const dialect = (first: string) => posixDialect({ content: `${first}\nrm x`, mode: "script" });
  for (const first of [
    '#!/usr/bin/env -S bash "-e"',
    "#!/usr/bin/env -Sbash",
    "#!/usr/bin/env --split-string=bash",
    "#!",
  ])
    expect(dialect(first)).toBe("bash");
  for (const first of ["#!/usr/bin/env -S A=1 bash", "#!/usr/bin/env -S bash $X", "#!/usr/bin/env python3"])
    expect(dialect(first)).toBeUndefined();
  expect(interpreterOf("#!/usr/bin/env -S A=1 node")).toBe("env");
});
