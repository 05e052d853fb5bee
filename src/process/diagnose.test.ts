// When a reason is certain, and when none is given: curl's messages, later errors, wrappers, recorded calls.

import { expect, test } from "vitest";
import { check } from "../../test/process/reason-check.ts";
import { reasonOf, type SeenCall } from "./diagnose.ts";

/** Expects no reason, because none is certain. */
function nothing(stderr: string): void {
  test(`nothing: ${stderr.trim().split("\n").at(-1)!.slice(0, 150)}`, () => {
    expect(reasonOf({ stderrTail: stderr, exitCode: 1 })).toBeUndefined();
  });
}

const TRACE = (last: string) =>
  `Traceback (most recent call last):\n  File "x.py", line 3, in <module>\n    raise x\n${last}\n`;

// Missing programs, as shells and program launchers report them.
for (const line of [
  "/run/1/script.sh: line 3: curl: command not found",
  "script.sh: 3: curl: not found",
  "sh: curl: not found",
  "zsh:1: command not found: curl",
  "env: ‘curl’: No such file or directory",
  "xargs: curl: No such file or directory",
  "timeout: failed to run command ‘curl’: No such file or directory",
  "nice: ‘curl’: No such file or directory",
  "sudo: curl: command not found",
  "The term 'curl' is not recognized as a name of a cmdlet, function, script file, or executable program.",
  "curl: The term 'curl' is not recognized as the name of a cmdlet, function, script file, or operable program.",
  "'curl' is not recognized as an internal or external command,",
])
  test(`not installed: ${line}`, () => {
    expect(reasonOf({ stderrTail: `${line}\n`, exitCode: 127 })).toMatchObject({
      reason: "not-installed",
      name: "curl",
    });
  });

// Common retry wrappers. The failure behind the retries is reported with them.
const SERVED = "curl: (22) The requested URL returned error: 503\n";
for (const [said, attempts] of [
  ["Giving up after 3 attempts. The last answer was:\n{}", "after 3 attempts"],
  ["Failed after 5 attempts", "after 5 attempts"],
  ["ERROR: request failed after 3 retries", "after 3 attempts"],
  ["All 4 attempts failed", "after 4 attempts"],
  ["All retry attempts failed!", "gave up;"],
  ["Max retries (3) exceeded", "after 3 attempts"],
  ["Maximum number of retries reached", "gave up;"],
  ["after 3 tries, giving up", "after 3 attempts"],
  ["Retries exhausted.", "gave up;"],
  ["Failed to fetch data after 1 attempt", "after 1 attempt;"],
] as const)
  check(
    `Attempt 1 failed\n${SERVED}${said}\n`,
    "retries-exhausted",
    attempts,
    "the last time the server responded with HTTP status 503",
    "try again later",
  );
check("Failed after 3 attempts\n", "retries-exhausted", "more attempts");

test("a wrapper that says so on stdout", () => {
  expect(reasonOf({ stderrTail: "", stdoutLast: "Failed after 3 attempts", exitCode: 1 })?.reason).toBe(
    "retries-exhausted",
  );
});

nothing("");
nothing("something went wrong\n");
nothing("error: 404 files were skipped\n");
nothing("Warning: 429 rows, 503 columns\n");
nothing("connection refused by the author\n");
nothing(TRACE("KeyError: 'items'"));
nothing(`${SERVED}${TRACE("KeyError: 'items'")}`);
nothing(TRACE("FileNotFoundError: [Errno 2] No such file or directory: 'curl'"));
nothing("curl: (6) Could not resolve host: optional.invalid\nscript.sh: line 9: TOKEN: unbound variable\n");
nothing("script.sh: line 3: data.json: No such file or directory\n");
nothing("curl: (6) Could not resolve host: a.invalid\njq: error (at <stdin>:1): Cannot iterate over null (null)\n");
nothing("TypeError: Cannot read properties of undefined (reading 'map')\n    at x.js:1:1\n");
nothing("cp: cannot stat 'x': No such file or directory\n");

const call = (more: Partial<SeenCall>): SeenCall => ({
  method: "GET",
  url: "https://api.example/x",
  status: 200,
  ...more,
});
function seen(name: string, stderr: string, calls: SeenCall[], code: string | undefined, evidence?: string): void {
  test(`seen calls: ${name}`, () => {
    const told = reasonOf({ stderrTail: stderr, exitCode: 5, calls });
    expect(told?.reason).toBe(code);
    if (evidence !== undefined) expect(told?.evidence).toEqual([evidence]);
  });
}
seen(
  "an answer without the fail flag, then jq",
  "jq: error (at <stdin>:1): Cannot iterate over null (null)\n",
  [call({ status: 401 })],
  "authentication",
  "GET https://api.example/x → 401",
);
seen("only the last call counts", "", [call({ status: 404 }), call({})], undefined);
seen(
  "what stderr says comes first",
  "curl: (6) Could not resolve host: a.invalid\n",
  [call({ status: 404 })],
  "name-not-resolved",
);
seen(
  "an error of the script that read the answer",
  TRACE("KeyError: 'x'"),
  [call({ status: 404 })],
  "http-client-error",
);
seen(
  "a silent curl",
  "",
  [call({ status: 0, exitCode: 60, error: "SSL certificate problem: certificate has expired" })],
  "certificate-expired",
  "GET https://api.example/x → SSL certificate problem: certificate has expired",
);
seen(
  "a wrapper around it",
  "Failed after 2 attempts\n",
  [call({ status: 429 }), call({ status: 429 })],
  "retries-exhausted",
);

test("evidence is cut", () => {
  const told = reasonOf({ stderrTail: `curl: (6) Could not resolve host: ${"a".repeat(2_000)}.invalid\n` });
  expect(told?.evidence[0]?.length).toBe(300);
  expect(told!.what.length).toBeLessThan(400);
});
