import { describe, expect, test } from "vitest";
import { checkInputs } from "./inputs.ts";
import type { InputSpec } from "./model.ts";

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
  check("a fraction is no whole number", { repo, pages: "1.5" }, "text", [
    'Input "pages": "1.5" is not a whole number.',
  ]);
  check("what is too large to be told apart is no number", { repo, ratio: "1e999" }, "text", [
    'Input "ratio": "1e999" is not a number.',
  ]);
  check("an empty text is no number", { repo, ratio: "" }, "text", ['Input "ratio": "" is not a number.']);
  check("hexadecimal is no number", { repo, pages: "0x10" }, "text", ['Input "pages": "0x10" is not a whole number.']);
  check("yes is no boolean", { repo, dry: "yes" }, "text", ['Input "dry": "yes" is not true or false.']);
  check("a list is no object", { repo, filter: "[]" }, "text", ['Input "filter": [] is not a JSON object.']);
  check("broken JSON", { repo, ids: "[1" }, "text", ['Input "ids": "[1" is not a JSON array.']);
});

describe("typed values are taken as they are", () => {
  check("a number", { repo, pages: 7 }, "json", { repo, pages: 7 });
  check("a text is no number", { repo, pages: "7" }, "json", ['Input "pages": "7" is not a whole number.']);
  check("null is a value", { repo, dry: null }, "json", ['Input "dry": null is not true or false.']);
});

describe("what may be a secret is not repeated", () => {
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
  test("of an input that is called like a secret, whatever it holds", () => {
    expect(refused("api_key", "hush", "text")).toBe('Input "api_key": the value is not a whole number.');
    expect(refused("api_key", 4711, "json")).toBe('Input "api_key": the value is more than 9, the most allowed.');
  });
  test("what looks like a token, in whatever it stands", () => {
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
  check("missing", {}, "text", ['Input "repo" is required (a text: owner/name).']);
  check("pattern", { repo: "nope" }, "text", ['Input "repo": "nope" does not match the pattern ^[\\w.-]+/[\\w.-]+$']);
  check("range", { repo, pages: "51" }, "text", ['Input "pages": 51 is more than 50, the most allowed.']);
  check("enum", { repo, colour: "gren" }, "text", [
    'Input "colour": "gren" is not one of red and green. Did you mean "green"?',
  ]);
  check("unknown", { repo, page: "1" }, "text", ['The workflow has no input "page". Did you mean "pages"?']);
  check("all at once", { page: "1", pages: "x" }, "text", [
    'The workflow has no input "page". Did you mean "pages"?',
    'Input "repo" is required (a text: owner/name).',
    'Input "pages": "x" is not a whole number.',
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
