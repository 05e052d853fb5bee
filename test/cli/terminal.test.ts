// The live view on a real (pseudo) terminal, made by util-linux' `script`: what you see, and Ctrl-C as a key.

import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { eventsIn, folder, inARow } from "./curlew.ts";
import { onTerminal } from "./on-terminal.ts";

/** The lines that stay, without those that were overwritten. */
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

test.each([
  ["a terminal", 70, 12],
  ["one that does not know its size", 0, 0],
])("on %s, finished nodes stay above, then the summary, then the result", async (_, columns, rows) => {
  const it = folder({ "t.flow.yaml": inARow({ first: "echo one", second: "sleep 0.3; echo two" }) });
  const ran = await onTerminal(it, "run t.flow.yaml", {}, columns, rows).done;
  expect(ran.code).toBe(0);
  expect(lasting(ran.stdout)).toEqual(["✓ first T Title of first", "✓ second T Title of second"]);
  expect(ran.stdout).toContain("\u001b[32m✓\u001b[39m");
  const end = stripVTControlCharacters(ran.stdout).replaceAll("\r", "").trimEnd().split("\n").slice(-2);
  expect(end[0]).toMatch(/^succeeded in \d\.\ds · 2 nodes succeeded · run \w{10}$/);
  expect(end[1]).toBe("two");
});

test("a running node shows its newest line without control characters, and the screen is never wider than the terminal", async () => {
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

test("streamOutput prints each line above the live view, whole and masked", async () => {
  const it = folder({
    "t.flow.yaml": `curlew: 1
name: T
secrets: [TOKEN]
nodes:
  - id: talks
    streamOutput: true
    run: |
      printf 'one\\n10%%\\r20%%\\ntok \\033[2J'; echo \${TOKEN}; echo oops >&2; until [ -e go ]; do sleep 0.02; done; printf end
  - { id: silent, run: echo nothing, after: talks }
`,
  });
  const run = onTerminal(it, "run t.flow.yaml", { TOKEN: "tok-5f1c9e8a7b6d" });
  await run.says("oops", "stdout");
  it.write("go", "");
  const ran = await run.done;
  const lines = stripVTControlCharacters(ran.stdout)
    .split(/[\r\n]+/)
    .filter((line) => line.startsWith("talks │"));
  expect(lines.toSorted()).toEqual(["talks │ 20%", "talks │ end", "talks │ one", "talks │ oops", "talks │ tok ***"]);
  const json = await it.run("run t.flow.yaml --json", { env: { TOKEN: "tok-5f1c9e8a7b6d" } });
  const events = eventsIn(json);
  expect(events.filter(({ type }) => type === "attempt.output")).toContainEqual({
    ...{ at: expect.any(String), run: events[0].run, type: "attempt.output" },
    ...{ node: "talks", path: "talks", number: 1, stream: "stdout", text: "end" },
  });
  const order = events.filter(({ node }) => node === "talks").map(({ type }) => type);
  expect([order[0], order.at(-1), order.length]).toEqual(["attempt.started", "attempt.succeeded", 7]);
  expect((await it.run("run t.flow.yaml -q", { env: { TOKEN: "tok-5f1c9e8a7b6d" } })).stderr).toBe("");
  expect(ran.stdout + json.stdout).not.toContain("tok-5f1c9e8a7b6d");
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

test("--secret asks without showing what you type", async () => {
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

test("on a terminal an approval is asked inline, and the run continues", async () => {
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
