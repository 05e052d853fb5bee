import { describe, expect, test } from "vitest";
import { checkInputs } from "./inputs.ts";
import type { InputSpec } from "./model.ts";
import { parseWorkflow } from "./parse.ts";
import { startInputs } from "./triggers/index.ts";

const SPECS: Record<string, InputSpec> = {
  repo: { type: "string", required: true, pattern: "^[\\w.-]+/[\\w.-]+$", description: "owner/name" },
  pages: { type: "integer", default: 3, minimum: 1, maximum: 50 },
  ratio: { type: "number" },
  dry: { type: "boolean" },
  colour: { type: "string", enum: ["red", "green"] },
  filter: { type: "object" },
  ids: { type: "array" },
};
const repo = "a/b";

function check(
  name: string,
  given: Record<string, unknown>,
  from: "text" | "json",
  expected: Record<string, unknown> | string[],
): void {
  test(name, () => {
    const result = checkInputs(SPECS, given, from);
    expect(result.ok ? result.value : result.error.map((problem) => problem.message)).toEqual(expected);
  });
}

describe("texts are read by the input's type", () => {
  check("defaults are filled in", { repo }, "text", { repo, pages: 3 });
  check("every type", { repo, pages: "12", ratio: "-0.5e1", dry: "true", filter: '{"a":1}', ids: "[1]" }, "text", {
    repo,
    pages: 12,
    ratio: -5,
    dry: true,
    filter: { a: 1 },
    ids: [1],
  });
  check("a fraction is not an integer", { repo, pages: "1.5" }, "text", ['Input "pages": "1.5" is not an integer.']);
  check("a number too large to be exact is not a number", { repo, ratio: "1e999" }, "text", [
    'Input "ratio": "1e999" is not a number.',
  ]);
  check("an empty text is not a number", { repo, ratio: "" }, "text", ['Input "ratio": "" is not a number.']);
  check("hexadecimal is not a number", { repo, pages: "0x10" }, "text", ['Input "pages": "0x10" is not an integer.']);
  check("yes is not a boolean", { repo, dry: "yes" }, "text", ['Input "dry": "yes" is not true or false.']);
  check("a list is not an object", { repo, filter: "[]" }, "text", ['Input "filter": [] is not a JSON object.']);
  check("broken JSON", { repo, ids: "[1" }, "text", ['Input "ids": "[1" is not a JSON array.']);
});

describe("typed values are taken as they are", () => {
  check("a number", { repo, pages: 7 }, "json", { repo, pages: 7 });
  check("a string is not a number", { repo, pages: "7" }, "json", ['Input "pages": "7" is not an integer.']);
  check("null is a value", { repo, dry: null }, "json", ['Input "dry": null is not true or false.']);
});

describe("possible secrets are not repeated", () => {
  const token = "ghp_a8Kq2mZ1xW0pLr7NbT4vYc9Ue3Hd";
  const specs: Record<string, InputSpec> = {
    api_key: { type: "integer", maximum: 9 },
    repo: { type: "string", pattern: "^[a-z]+/[a-z]+$", maxLength: 40 },
    options: { type: "array" },
  };
  const refused = (name: string, value: unknown, from: "text" | "json"): string => {
    const result = checkInputs(specs, { [name]: value }, from);
    return result.ok ? "" : (result.error[0]?.message ?? "");
  };
  test("of an input with the name of a secret, with any value", () => {
    expect(refused("api_key", "hush", "text")).toBe('Input "api_key": the value is not an integer.');
    expect(refused("api_key", 4711, "json")).toBe('Input "api_key": the value is too large. The maximum is 9.');
  });
  test("anything like a token, in every position", () => {
    for (const [name, value, from] of [
      ["repo", token, "text"],
      ["repo", token.slice(4), "text"],
      ["repo", `https://me:${token}@example.com/a`, "json"],
      ["repo", `Authorization: Bearer ${token}`, "text"],
      ["options", `{"token":"${token}"}`, "text"],
      ["options", { token }, "json"],
    ] as const) {
      const said = refused(name, value, from);
      expect(said).toMatch(/ does not match | longer than | is not a JSON array/);
      expect(said).not.toContain(token.slice(8, 20));
    }
  });
  test("words, dates and numbers are", () => {
    for (const text of ["2026-11-22", "the quick brown fox jumps", "https://example.com/a/b?page=2"])
      expect(refused("repo", text, "text")).toContain(`"${text}" does not match`);
  });
});

describe("rules", () => {
  check("missing", {}, "text", ['Input "repo" is required (a string: owner/name).']);
  check("pattern", { repo: "nope" }, "text", ['Input "repo": "nope" does not match the pattern ^[\\w.-]+/[\\w.-]+$']);
  check("range", { repo, pages: "51" }, "text", ['Input "pages": 51 is too large. The maximum is 50.']);
  check("enum", { repo, colour: "gren" }, "text", [
    'Input "colour": "gren" is not one of red and green. Did you mean "green"?',
  ]);
  check("unknown", { repo, page: "1" }, "text", ['The workflow has no input "page". Did you mean "pages"?']);
  check("all at once", { page: "1", pages: "x" }, "text", [
    'The workflow has no input "page". Did you mean "pages"?',
    'Input "repo" is required (a string: owner/name).',
    'Input "pages": "x" is not an integer.',
  ]);
  check(
    "names of every object are unknown too",
    { repo, constructor: "1", toString: "1" } as Record<string, unknown>,
    "text",
    [
      'The workflow has no input "constructor". It has repo, pages, ratio, dry, colour, filter and ids.',
      'The workflow has no input "toString". It has repo, pages, ratio, dry, colour, filter and ids.',
    ],
  );
});

const HOOK = "webhook: { path: x, verify: none }";
describe("a start by hand needs the event of a trigger", () => {
  test.each([
    ["that a command names", HOOK, "{ id: a, run: 'echo ${event.ref}' }", true],
    ["that an expression names", HOOK, "{ id: a, if: vars.event.ref = 1 }", true],
    [
      "that a node reads through the start",
      HOOK,
      "{ id: s, type: start }, { id: a, after: s, if: 'inputs[0].ref = 1' }",
      true,
    ],
    ["that a node reads from the start by name", HOOK, "{ id: s, type: start }, { id: a, text: '${s.ref}' }", true],
    ["of a watched file", "file: { paths: ['*'] }", "{ id: a, text: '${event}' }", true],
    ["not if no node reads it", HOOK, "{ id: s, type: start }, { id: a, after: s, run: echo deploy }", false],
    ["not if an expression asks for it", HOOK, "{ id: a, if: '$exists(vars.event) and vars.event.ref = 1' }", false],
    [
      "not if a schedule starts it too",
      `${HOOK} }, { schedule: { cron: '@daily' }`,
      "{ id: a, text: '${event}' }",
      false,
    ],
  ])("%s", (_what, on, nodes, needed) => {
    const { workflow } = parseWorkflow(`curlew: 1\non: [{ ${on} }]\nnodes: [${nodes}]\n`, "a.flow.yaml");
    expect(checkInputs(startInputs(workflow!), {}, "json").ok).toBe(!needed);
    expect(checkInputs(startInputs(workflow!), { event: "{}" }, "json").ok).toBe(true);
  });
});
