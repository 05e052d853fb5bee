// The live view on a real (pseudo) terminal, made by util-linux' `script`: what a person sees, and Ctrl-C as a key.

import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { folder, inARow } from "./curlew.ts";
import { onTerminal } from "./on-terminal.ts";

/** The lines that stay: what was drawn over again is left out. */
function lasting(screen: string): string[] {
  return stripVTControlCharacters(screen)
    .split(/[\r\n]+/)
    .map((line) =>
      line
        .trimEnd()
        .replaceAll(/\d+\.\ds/g, "T")
        .replaceAll(/ +/g, " "),
    )
    .filter((line) => /^[✓✗–◌]/.test(line));
}

function lastLine(screen: string): string | undefined {
  return stripVTControlCharacters(screen)
    .trimEnd()
    .split(/[\r\n]+/)
    .at(-1);
}

test("finished nodes stay above, the summary stands below, then the result", async () => {
  const it = folder({ "t.flow.yaml": inARow({ first: "echo one", second: "sleep 0.3; echo two" }) });
  const ran = await onTerminal(it, "run t.flow.yaml").done;
  expect(ran.code).toBe(0);
  expect(lasting(ran.stdout)).toEqual(["✓ first T Title of first", "✓ second T Title of second"]);
  expect(ran.stdout).toContain("\u001b[32m✓\u001b[39m");
  const end = stripVTControlCharacters(ran.stdout).replaceAll("\r", "").trimEnd().split("\n").slice(-2);
  expect(end[0]).toMatch(/^succeeded in \d\.\ds · 2 nodes succeeded · run \w{10}$/);
  expect(end[1]).toBe("two");
});

test("a running node shows its newest line, harmless, and the screen is never wider than the terminal", async () => {
  const it = folder({
    "t.flow.yaml": inARow({
      talks: "printf '\\033[2J\\033]0;owned\\007evil %0100d\\n' 1; until [ -e go ]; do sleep 0.02; done",
    }),
  });
  const run = onTerminal(it, "run t.flow.yaml");
  await run.says("│ evil 000", "stdout");
  it.write("go", "");
  const ran = await run.done;
  expect(ran.code).toBe(0);
  expect(ran.stdout).not.toContain("\u001b[2J");
  expect(ran.stdout).not.toContain("owned");
  const beforeResult = ran.stdout.slice(0, ran.stdout.indexOf("succeeded"));
  for (const line of stripVTControlCharacters(beforeResult).split(/[\r\n]+/))
    expect([...line].length).toBeLessThanOrEqual(70);
});

test("Ctrl-C as a key cancels in an orderly way", async () => {
  const it = folder({ "t.flow.yaml": inARow({ waits: "echo ready; sleep 300" }) });
  const run = onTerminal(it, "run t.flow.yaml");
  await run.says("│ ready", "stdout");
  run.process.stdin.write("\u0003");
  const ran = await run.done;
  expect(ran.code).toBe(130);
  expect(lasting(ran.stdout)).toEqual(["◌ waits T cancelled"]);
});

test("--secret asks without showing what is typed", async () => {
  const text = inARow({ a: 'printf %s "${API_KEY}" | wc -c' }, "secrets: [API_KEY]\n");
  const it = folder({ "s.flow.yaml": text });
  const run = onTerminal(it, "run s.flow.yaml --secret API_KEY");
  await run.says("API_KEY: ", "stdout");
  run.process.stdin.write("tops3cret-value\r");
  const ran = await run.done;
  expect(ran.stdout).not.toContain("tops3cret-value");
  expect(ran.code).toBe(0);
  expect(lastLine(ran.stdout)).toBe("15");
});

test("on a terminal an approval is asked inline, and the run goes on here", async () => {
  const node = 'needsUserApproval: true, content: "echo published"';
  const it = folder({
    "a.flow.yaml": inARow({ made: "echo made", publish: "echo published" }).replace('content: "echo published"', node),
  });
  const approve = onTerminal(it, "run a.flow.yaml");
  await approve.says("leave it waiting? [a/e/r/L]", "stdout");
  approve.process.stdin.write("a\r");
  const approved = await approve.done;
  expect(approved.code).toBe(0);
  expect(stripVTControlCharacters(approved.stdout)).toContain("  │ echo published\r\n");
  expect(lasting(approved.stdout)).toEqual(["✓ made T Title of made", "✓ publish T Title of publish"]);
  expect(lastLine(approved.stdout)).toBe("published");

  const reject = onTerminal(it, "run a.flow.yaml");
  await reject.says("leave it waiting? [a/e/r/L]", "stdout");
  reject.process.stdin.write("r\r");
  await reject.says("Why? ", "stdout");
  reject.process.stdin.write("too late\r");
  expect(await reject.done).toMatchObject({ code: 1, stdout: expect.stringContaining("too late") });

  const leave = onTerminal(it, "run a.flow.yaml");
  await leave.says("leave it waiting? [a/e/r/L]", "stdout");
  leave.process.stdin.write("\r");
  expect(await leave.done).toMatchObject({ code: 3, stdout: expect.stringContaining("curlew approve") });
});
