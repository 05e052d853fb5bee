// If a failure quotes a shell's message, the script has the shell's name (ADR 11). The command's own output keeps every
// byte.

import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { folder } from "./curlew.ts";

const document = (shell: string, content: string) =>
  `curlew: 1\nname: n\nnodes:\n  - { id: a, type: cli, data: { title: A, mode: script, shell: ${shell}, content: ${JSON.stringify(content)} } }\n`;

test.each([
  ["bash", "true\nnope-not-here\nexit 3", "bash: line 2: nope-not-here: command not found"],
  ["sh", "true\nnope-not-here\nexit 3", /^sh: (?:line )?2: nope-not-here: (?:command )?not found/],
  ["bash", "#!/usr/bin/env python3\nraise SystemError('x')", 'File "script", line 2'],
])("%s: %j", async (shell, content, said) => {
  if ((shell !== "sh" && !has(shell)) || !has("python3")) return;
  const it = folder({ "a.flow.yaml": document(shell, content) });
  const ran = await it.run("run a.flow.yaml");
  const shown = JSON.parse((await it.run("runs show latest --json")).stdout).nodes[0].failure;
  if (typeof said === "string") expect(shown.stderr).toContain(said);
  else expect(shown.stderr).toMatch(said);
  expect(JSON.stringify(shown)).not.toContain("script-");
  expect(ran.stderr).not.toContain("/script-");
  expect((await it.run("runs logs latest a")).stderr).toMatch(/\/runs\/\w+\/script-\w+/);
});
