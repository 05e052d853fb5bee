import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Edge, Workflow } from "./model.ts";
import { parseWorkflow } from "./parse.ts";
import { renderDiagnostic } from "./render.ts";
import { validateWorkflow } from "./validate.ts";

const seed = Number(process.env.CHECK_SEED ?? Date.now() % 2 ** 31);
const runs = Number(process.env.RUNS ?? 300);
const given = { seed, numRuns: runs };

function parsed(text: string, file = "a.flow.yaml"): Workflow {
  const { workflow, diagnostics } = parseWorkflow(text, file);
  expect(diagnostics).toEqual([]);
  return workflow!;
}

const NODES = ["a", "b", "check", "c"]
  .map((id) => `  - { id: ${id}, type: ${id === "check" ? "if" : "text"}, data: { title: t, content: "1 = 1" } }`)
  .join("\n");
const withEdges = (edges: string) => parsed(`curlew: 1\nnodes:\n${NODES}\nedges:\n${edges}\n`).edges;

describe("edges in three spellings", () => {
  const check = (name: string, edges: string, expected: Edge[]) =>
    test(name, () => expect(withEdges(edges)).toEqual(expected));

  check("a chain", "  - a -> b -> c", [
    { source: "a", target: "b" },
    { source: "b", target: "c" },
  ]);
  check("a handle, also inside a chain", "  - a -> check:true -> b\n  - check:false -> c", [
    { source: "a", target: "check" },
    { source: "check", target: "b", sourceHandle: "true" },
    { source: "check", target: "c", sourceHandle: "false" },
  ]);
  check("spaces do not matter", "  - a->b\n  - '  b  ->  c  '", [
    { source: "a", target: "b" },
    { source: "b", target: "c" },
  ]);
  check(
    "the long form, with a handle that YAML reads as a boolean",
    "  - { source: check, target: c, sourceHandle: false, id: e1, targetHandle: in, x-colour: red }",
    [{ source: "check", target: "c", targetHandle: "in", id: "e1", sourceHandle: "false" }],
  );
});

describe("the short form", () => {
  const same = (name: string, short: string, long: string) =>
    test(name, () => expect(parsed(`curlew: 1\n${short}`)).toEqual(parsed(`curlew: 1\n${long}`)));

  same(
    "the content's key says the type, and the id gives the title",
    "nodes:\n  - { id: fetch_open-issues, run: ls, timeout: 5s }\n  - { id: a, script: ls }\n  - { id: b, text: x }\n  - { id: d, title: Ask, prompt: x, model: x/y }",
    "nodes:\n" +
      "  - { id: fetch_open-issues, type: cli, data: { title: Fetch open issues, content: ls, timeout: 5s } }\n" +
      "  - { id: a, type: cli, data: { title: A, content: ls, mode: script } }\n" +
      "  - { id: b, type: text, data: { title: B, content: x } }\n" +
      "  - { id: d, type: llm, data: { title: Ask, content: x, model: x/y } }",
  );
  same(
    "a type with its fields",
    "nodes: [{ id: s, type: start }, { id: v, type: variable, variableName: n, initialValue: x }]",
    "nodes: [{ id: s, type: start, data: { title: S } }, { id: v, type: variable, data: { title: V, variableName: n, initialValue: x } }]",
  );
  same(
    "after draws edges, before those of edges",
    `nodes:\n  - { id: s, type: start }\n  - { id: check, if: 1 = 1, after: s }\n  - { id: t, text: x, after: [check:true, "s"] }\n  - { id: u, text: x }\nedges: [u -> t]`,
    `nodes:\n  - { id: s, type: start }\n  - { id: check, if: 1 = 1 }\n  - { id: t, text: x }\n  - { id: u, text: x }\nedges: [s -> check, check:true -> t, s -> t, u -> t]`,
  );
  same(
    "run is a command where scripts are the default",
    "defaults: { mode: script, timeout: 5s }\nnodes: [{ id: a, run: ls }, { id: b, script: ls }]",
    "nodes: [{ id: a, type: cli, title: A, content: ls, mode: command, timeout: 5s }, { id: b, script: ls, timeout: 5s }]",
  );
  same(
    "numbers, true, and false are the text that the author wrote",
    "name: 2024\ndefaults: { env: { static: { B: 1.10 } } }\nnodes:\n  - { id: a, run: 7, env: { static: { A: 12345678901234567890, C: true } } }\n  - { id: v, type: variable, variableName: n, initialValue: 3 }",
    "name: '2024'\nnodes:\n  - { id: a, run: '7', env: { static: { B: '1.10', A: '12345678901234567890', C: 'true' } } }\n  - { id: v, type: variable, variableName: n, initialValue: '3' }",
  );

  test("in JSON too", () => {
    const text = `{"curlew": 1, "name": "J", "nodes": [{"id": "a", "run": "ls", "env": {"static": {"A": 1.10}}}]}`;
    expect(parsed(text, "a.flow.json").nodes[0]).toMatchObject({ data: { env: { static: { A: "1.10" } } } });
  });
});

describe("defaults", () => {
  const text = (defaults: string, data: string, type = "cli") =>
    `curlew: 1\ndefaults: ${defaults}\nnodes:\n  - id: a\n    type: ${type}\n    data: { title: t, content: c${data} }\n`;
  const check = (name: string, document: string, expected: object) =>
    test(name, () => expect(parsed(document).nodes[0]!.data).toEqual({ title: "t", content: "c", ...expected }));

  check("reach a kind that knows the field", text("{ timeout: 60s, model: x/y }", ""), { timeout: "60s" });
  check("do not reach a kind that does not", text("{ timeout: 60s }", "", "text"), {});
  check("give way to the node's own word", text("{ timeout: 60s }", ", timeout: 5s"), { timeout: "5s" });
  check(
    "are merged into maps of independent settings",
    text("{ env: { static: { A: '1', B: '1' } }, retry: { maxAttempts: 5 } }", ", env: { static: { B: '2' } }"),
    { env: { static: { A: "1", B: "2" } }, retry: { maxAttempts: 5 } },
  );
  check(
    "are not mixed into maps that say one thing",
    text("{ stdin: { source: literal, literal: x } }", ", stdin: { source: none }"),
    {
      stdin: { source: "none" },
    },
  );
  test("an invalid default is reported", () => {
    const { diagnostics } = parseWorkflow(text("{ retry: { maxAttempts: 0 } }", ""), "a.flow.yaml");
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual(["out-of-range"]);
  });
});

describe("short spellings", () => {
  const data = (type: string, text: string) =>
    parsed(`curlew: 1\nnodes:\n  - { id: a, type: ${type}, data: { title: t, ${text} } }\n`).nodes[0]!.data;
  test("codes of a retry in one list", () => {
    expect(data("cli", "content: c, retry: { on: [7, 22, 429] }")).toMatchObject({
      retry: { on: { exitCodes: [7, 22], statuses: [429] } },
    });
  });
  test("items as a list", () =>
    expect(data("loop-start", "items: [a, 2, { b: c }]")).toMatchObject({ items: '["a",2,{"b":"c"}]' }));
  test("ambiguous spellings are rejected", () => {
    const text = "curlew: 1\nnodes:\n  - { id: a, type: cli, data: { title: t, content: c, retry: { on: [300] } } }\n";
    expect(parseWorkflow(text, "a.flow.yaml").diagnostics.map((diagnostic) => diagnostic.code)).toEqual(["wrong-type"]);
  });
});

describe("a document", () => {
  test("has a name even if the text has none", () =>
    expect(parsed("curlew: 1\nnodes: []\n", "some/where/daily.flow.yml").name).toBe("daily"));
  test("may have additional keys everywhere; the model does not", () => {
    const workflow = parsed(
      "curlew: 1\nx-a: 1\nnodes:\n  - id: a\n    type: text\n    x-b: 2\n    data: { title: t, content: c, x-c: [3] }\n",
    );
    expect(JSON.stringify(workflow)).not.toContain("x-");
  });
  test("is the same model in JSON", () => {
    const document = {
      curlew: 1,
      name: "n",
      nodes: [{ id: "a", type: "text", data: { title: 'é\n\t"', content: "" } }],
      edges: [],
    };
    const json = JSON.stringify(document);
    expect(parsed(json, "a.flow.json")).toEqual(parsed(json, "a.flow.yaml"));
  });
  test("keeps 5,000 nodes in a row within seconds", () => {
    const count = 5_000;
    const nodes = Array.from(
      { length: count },
      (_, index) => `  - { id: n${index}, type: start, data: { title: t } }\n`,
    ).join("");
    const edges = Array.from({ length: count - 1 }, (_, index) => `  - n${index} -> n${index + 1}\n`).join("");
    const started = performance.now();
    expect(parsed(`curlew: 1\nnodes:\n${nodes}edges:\n${edges}`).edges).toHaveLength(count - 1);
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});

describe(`any text (CHECK_SEED=${seed})`, () => {
  const files = fc.constantFrom("a.flow.yaml", "a.flow.json");
  const soundly = async (text: string, file: string) => {
    const { diagnostics, workflow, source } = await validateWorkflow(text, file);
    const lines = source.text.split("\n");
    for (const diagnostic of diagnostics) {
      const { start, end } = diagnostic.range;
      expect(start.line).toBeGreaterThanOrEqual(1);
      expect(start.line).toBeLessThanOrEqual(lines.length);
      expect(start.column).toBeGreaterThanOrEqual(1);
      expect(start.column).toBeLessThanOrEqual(lines[start.line - 1]!.length + 1);
      expect(end.line > start.line || (end.line === start.line && end.column >= start.column)).toBe(true);
      expect(renderDiagnostic(diagnostic, text)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    }
    expect(workflow !== undefined).toBe(diagnostics.every((diagnostic) => diagnostic.severity === "warning"));
  };

  test("nothing is thrown, and every finding has a place", () =>
    fc.assert(fc.asyncProperty(fc.string({ unit: "binary", maxLength: 200 }), files, soundly), given));

  test("the same for texts that look like YAML", () => {
    const piece = fc.constantFrom(
      "curlew: 1",
      "nodes:",
      "- ",
      "  ",
      "\n",
      "id: a",
      "type: cli",
      "data:",
      "{",
      "}",
      "[",
      "]",
      "&x ",
      "*x",
      "<<: ",
      "? ",
      ": ",
      "|",
      ">-",
      "'",
      '"',
      "#",
      "---",
      "!t ",
      "\t",
      "a -> b",
      "${1}",
      "é",
      "\r\n",
      "edges:",
      "__proto__: 1",
    );
    return fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), files, (pieces, file) => soundly(pieces.join(""), file)),
      given,
    );
  });

  test("the same for documents in which one value was replaced", () => {
    const good = {
      curlew: 1,
      name: "n",
      inputs: { a: { type: "string", default: "x" } },
      secrets: ["TOKEN"],
      on: [{ schedule: { cron: "* * * * *" } }],
      auth: { api: { type: "bearer", token: "${TOKEN}" } },
      defaults: { timeout: "5s" },
      nodes: [
        { id: "l", type: "loop-start", data: { title: "t", iterations: 2 } },
        {
          id: "c",
          type: "cli",
          data: {
            title: "t",
            content: "echo ${a} ${1}",
            stdin: { source: "parent-index", parentIndex: 0 },
            env: { static: { A: "${a}" } },
            retry: { on: "status = 1" },
          },
        },
        { id: "e", type: "loop-end", data: { title: "t", until: "i = 3" } },
        { id: "s", type: "subflow", data: { title: "t", workflow: "b.flow.yaml", inputs: { x: "${1}" } } },
      ],
      edges: ["l -> c -> e -> s", { source: "s", target: "s", sourceHandle: "error" }],
      output: "e",
      finally: ["s"],
      layout: { l: [1, 2] },
    };
    const paths = pathsOf(good);
    const junk = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom(null, "", -1, 1.5, "${", "${x.y[0]|json}", "a -> b", "__proto__", [], {}, [[]], 1e21, "\u0000"),
    );
    return fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), junk, (path, value) =>
        soundly(JSON.stringify(replaced(good, path, value)), "a.flow.json"),
      ),
      given,
    );
  });
});

test("a misspelt field that is required is one finding", () => {
  const node = 'nodes: [{ id: a, type: text, data: { titel: A, content: "1" } }]';
  const { diagnostics } = parseWorkflow(`curlew: 1\n${node}\n`, "a.flow.yaml");
  expect(diagnostics.map(({ code }) => code)).toEqual(["unknown-field"]);
});

function pathsOf(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (value === null || typeof value !== "object") return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([key, inner]) =>
      pathsOf(inner, [...path, Array.isArray(value) ? Number(key) : key]),
    ),
  ];
}

function replaced(value: unknown, path: readonly (string | number)[], by: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return by;
  if (Array.isArray(value)) return value.map((inner, index) => (index === key ? replaced(inner, rest, by) : inner));
  return { ...(value as object), [key]: replaced((value as Record<string, unknown>)[key], rest, by) };
}
