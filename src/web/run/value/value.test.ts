import { describe, expect, it } from "vitest";
import { parseTemplate } from "../../../shell/template.ts";
import { cellText, columnWidths, DEPTH_MAX, filteredRows, tableOf, treeRows } from "./rows.ts";
import { contentOf, hexLines, isGarbled, jsonOf, prettyJson, referenceTo, secretMember } from "./value.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("what a value is", () => {
  it("knows images by their first bytes, and an SVG by its first element", () => {
    expect(contentOf(Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]))).toMatchObject({
      kind: "image",
      type: "image/png",
    });
    expect(contentOf(bytes("RIFF\u0001\u0002\u0003\u0004WEBPVP8 ")).type).toBe("image/webp");
    expect(contentOf(bytes('<?xml version="1.0"?>\n<!-- a --><svg xmlns="x"/>')).type).toBe("image/svg+xml");
    expect(contentOf(bytes("<svgx>")).kind).toBe("text");
    expect(contentOf(bytes("<html><svg></svg>")).kind).toBe("text");
  });

  it("takes bytes that no text has for binary, and a cut character for text", () => {
    expect(contentOf(Uint8Array.from([0x66, 0xff, 0xfe])).kind).toBe("binary");
    expect(contentOf(bytes("a\0b")).kind).toBe("binary");
    const cut = bytes("größe").slice(0, 3);
    expect(contentOf(cut, false).kind).toBe("text");
    expect(contentOf(cut, true).kind).toBe("binary");
    expect(isGarbled(["all is well \ufffd"])).toBe(false);
    expect(isGarbled(["\ufffdPNG\ufffd\ufffd", "\ufffd\ufffd\ufffd\ufffd\ufffd"])).toBe(true);
  });

  it("shows numbers, names and order of JSON as they were written", () => {
    const text = '{"2":1.10,"1":12345678901234567890,"1":[]}';
    expect(prettyJson(text)).toBe('{\n  "2": 1.10,\n  "1": 12345678901234567890,\n  "1": []\n}');
    expect(jsonOf('{"id":12345678901234567890}')).toEqual({ id: 12345678901234567890n });
    expect(jsonOf("[1] and more")).toBeUndefined();
    expect(jsonOf("12")).toBeUndefined();
  });

  it("finds the token of an answer by its name, and no token of a page", () => {
    expect(secretMember({ token_type: "bearer", scope: "x", access_token: "abcdef-123" })).toEqual(["access_token"]);
    expect(secretMember({ data: { user: { apiKey: "abcdef-123" } } })).toEqual(["data", "user", "apiKey"]);
    expect(secretMember({ next_page_token: "abcdef-123", nextToken: "abcdef-123", token: "***", secret: 1 })).toBe(
      undefined,
    );
    expect(secretMember([{ token: "abcdef-123" }])).toBeUndefined();
  });

  it("writes bytes as hex, sixteen per line", () => {
    expect(hexLines(bytes("GIF89a\n<svg onload=1>"))).toEqual([
      "00000000  47 49 46 38 39 61 0a 3c  73 76 67 20 6f 6e 6c 6f  |GIF89a.<svg onlo|",
      "00000010  61 64 3d 31 3e                                    |ad=1>|",
    ]);
  });
});

describe("the reference of a part", () => {
  it("is a template where a template can name it", () => {
    const text = referenceTo("items", ["data", 0, "first-name"]);
    expect(text).toBe("${items.data[0].first-name}");
    expect(parseTemplate(text)).toMatchObject([{ root: "items", members: ["data", 0, "first-name"] }]);
    expect(referenceTo("items", [])).toBe("${items}");
  });

  it("is an expression for an id with a dash, and for names that no template can write", async () => {
    const { default: jsonata } = await import("jsonata");
    const nodes = { "fetch-page": { items: [{ "odd key": 1, "tick`": 2 }] } };
    const text = referenceTo("fetch-page", ["items", 0, "odd key"]);
    expect(text).toBe("nodes.`fetch-page`.items[0].`odd key`");
    expect(await jsonata(text).evaluate({ nodes })).toBe(1);
    expect(await jsonata(referenceTo("fetch-page", ["items", 0, "tick`"])).evaluate({ nodes })).toBe(2);
  });
});

describe("a value as a tree", () => {
  const value = { total: 2, items: [{ name: "Ada", tags: ["x"] }, { name: "Grace" }] };
  const shown = (filter = "", isOpen = (_: string, depth: number) => depth < 2) =>
    treeRows(value, isOpen, filter).map(({ members, isOpen: open }) => members.join(".") + (open ? " +" : ""));

  it("has a row for each part of what is open", () => {
    expect(shown()).toEqual([" +", "total", "items +", "items.0", "items.1"]);
  });

  it("keeps only matches with a filter, opens what holds them, and keeps their positions", () => {
    expect(shown("grace")).toEqual([" +", "items +", "items.1 +", "items.1.name"]);
    expect(shown("TAGS")).toEqual([" +", "items +", "items.0 +", "items.0.tags"]);
    expect(shown("nothing like it")).toEqual([" +"]);
  });

  it("does not follow a value without end", () => {
    const deep = jsonOf("[".repeat(50_000) + "]".repeat(50_000));
    expect(treeRows(deep, () => true).length).toBe(DEPTH_MAX + 1);
    expect(treeRows(deep, () => false, "x").length).toBe(1);
  });
});

describe("a value as a table", () => {
  it("is one for a list of objects, at the root or in a member", () => {
    expect(tableOf([{ a: 1 }, { b: 2, a: 3 }])).toMatchObject({ members: [], columns: ["a", "b"], more: 0 });
    expect(tableOf({ next: 2, items: [{ a: 1 }] })).toMatchObject({ members: ["items"], columns: ["a"] });
    for (const other of [[], [1], [{ a: 1 }, 2], [[{ a: 1 }]], [{}], { a: { b: [{ c: 1 }] } }, "x", null])
      expect(tableOf(other)).toBeUndefined();
  });

  it("puts nested values into words, filters rows, and gives each column a width", () => {
    const table = tableOf([
      { id: 101, tags: ["export", "csv"], by: { name: "Ada" }, none: null },
      { id: 102, tags: Array.from({ length: 9 }, () => 1), by: "Grace" },
    ])!;
    expect(table.rows.map(({ item }) => table.columns.map((name) => cellText(item[name])))).toEqual([
      ["101", "export, csv", "1 member", "null"],
      ["102", "9 items", "Grace", ""],
    ]);
    expect(filteredRows(table, "ada").map(({ at }) => at)).toEqual([0]);
    expect(filteredRows(table, "GRACE").map(({ at }) => at)).toEqual([1]);
    expect(columnWidths(table)).toEqual([4, 11, 8, 4]);
  });
});
