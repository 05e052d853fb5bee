// asks.test: spellings that need approval, and similar ones that do not. In asks.cases.txt `== TITLE: CODE` begins a
// section, with `, fed` if standard input is a value, and `, id is a value` if an earlier node chose ${id}. The sign ⏎
// is a newline.

import { readFileSync } from "node:fs";
import * as unbash from "unbash";
import { describe, expect, test } from "vitest";
import { asksOf } from "./asks.ts";
import { DELETING } from "./deletes.ts";
import { readScript, scriptOf } from "./script.ts";

function asks(content: string, given: string | undefined): string[] {
  const reading = readScript(unbash, content, (root) => root === "id" && given === "id is a value");
  const script = scriptOf(reading, { meaningOf: () => ({}), exported: () => undefined });
  return asksOf(script, given === "fed").map(({ code }) => code);
}

const sections = readFileSync(new URL("asks.cases.txt", import.meta.url), "utf8")
  .split(/^== /m)
  .slice(1)
  .map((section) => section.trimEnd().split("\n"));

describe.each(sections)("%s", (head = "", ...contents) => {
  const [, code = "", given] = /^.*: ([a-z-]+)(?:, (.*))?$/.exec(head) ?? [];
  test.each(contents)("%s", (content) => {
    const found = asks(content.replaceAll("⏎", "\n"), given);
    if (code === "nothing") expect(found).toEqual([]);
    else expect(found).toContain(code);
  });
});

test.each(DELETING.flatMap(({ examples }) => examples))("%s deletes", (content) =>
  expect(asks(content, undefined)).toContain("deletes"),
);
