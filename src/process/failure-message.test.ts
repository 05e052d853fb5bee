// How the end of a command is explained. In failure-message.cases.txt, a case is its end, its output, and after `=` the
// code, the message, and the hint. The sign ⏎ is a newline.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Cause } from "./cause.ts";
import { rankCause } from "./cause.ts";
import { explainEnd, refusedProtocol } from "./failure-message.ts";
import { CURL_EXITS } from "./stderr-patterns.ts";

const exited = (code: number): Cause => ({ type: "exited", code });

const cases = readFileSync(new URL("failure-message.cases.txt", import.meta.url), "utf8")
  .replaceAll("⏎", "\r")
  .trimEnd()
  .split("\n\n");

test.each(cases)("%s", (text) => {
  const [given = "", told = ""] = text.split("\n= ");
  const [end = "", ...fields] = given.split("\n").map((line) => line.replaceAll("\r", "\n"));
  const { content, stderr = "" } = Object.fromEntries(fields.map((field) => field.split(/: (.*)/s)));
  const cause: Cause = end.startsWith("{") ? JSON.parse(end) : exited(Number(end.replace("exited ", "")));
  const { code, message, hint } = explainEnd({ cause, program: "bash", stderrTail: stderr, content });
  expect([code, message, hint].filter((part) => part !== undefined).join("\n")).toBe(told);
});

for (const [code, said, what] of [
  [
    7,
    "The connection to 127.0.0.1:1 was refused: no program listens there (ECONNREFUSED).",
    "connection to 127.0.0.1:1 was refused",
  ],
  [6, "The host name a.invalid could not be resolved (ENOTFOUND).", "host name a.invalid could not be resolved"],
  [28, "The call to a.example took longer than its time limit.", "call to a.example took longer"],
] as const)
  test(`curlew http says why: ${said}`, () => {
    const stderrTail = `curlew: error[x]: (${code}) ${said}\n`;
    expect(explainEnd({ cause: exited(4), program: "bash", stderrTail }).message).toContain(what);
  });
test("every curl code of the spec has a remedy: messages have no full stop, hints have one", () => {
  for (const code of [6, 7, 28, 35, 52, 56, 60]) expect(CURL_EXITS[code]).toBeDefined();
  for (const { code, message, hint, reason } of Object.values(CURL_EXITS)) {
    expect(code).toMatch(/^(curl-[a-z0-9-]+|http-error)$/);
    if (message !== undefined) expect(message).toMatch(/^[A-Zc].*[^.]$/);
    if (hint !== undefined) expect(hint).toMatch(/\.$/);
    expect([message, hint, reason].filter(Boolean).length).toBeGreaterThan(reason === undefined ? 1 : 0);
  }
});

test("causes are ranked: never ran, asked to end, signal, code", () => {
  const spawnFailure = { type: "not-found", program: "x" } as const;
  const stopped = { type: "cancelled", reason: "r" } as const;
  expect(rankCause({ spawnFailure, stopped, exitCode: 1, signal: "SIGTERM" })).toBe(spawnFailure);
  expect(rankCause({ stopped, exitCode: 0, signal: null })).toBe(stopped);
  expect(rankCause({ exitCode: null, signal: "SIGHUP" })).toEqual({ type: "signalled", signal: "SIGHUP" });
  expect(rankCause({ exitCode: 0, signal: null })).toEqual({ type: "exited", code: 0 });
  expect(rankCause({ exitCode: null, signal: null }).type).toBe("not-started");
});

test.each([
  ['curl: (1) Protocol "http" not supported or disabled in libcurl'],
  ['curl: (1) Protocol "http" disabled'],
  ['curl: (1) Protocol "http" is disabled'],
])("a protocol that curl was not allowed, as its versions say it: %s", (line) => {
  expect(refusedProtocol(`${line}\n`)).toBe("http");
});

test("advice that the command already follows is left out", () => {
  const hintOf = (content: string, stderrTail: string) =>
    explainEnd({ cause: exited(22), program: "bash", content, stderrTail }).hint;
  const seen = "curl: (22) The requested URL returned error: 422";
  expect(hintOf("curl -sS https://x", seen)).toContain("--fail-with-body");
  expect(hintOf("curl --fail-with-body -sS https://x", seen)).toBe(
    "The server did not accept the content of the body.",
  );
  expect(hintOf("curl -f https://x", "")).toContain("add --show-error. To see");
  expect(hintOf("curl --fail-with-body https://x", "")).toBe("To see the status, add --show-error.");
  expect(hintOf("curl --fail-with-body -sS https://x", "")).toBeUndefined();
});
