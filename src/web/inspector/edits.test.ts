import { describe, expect, it } from "vitest";
import { getIn as at } from "../document/plain.ts";
import type { Doc, Edit, Plain } from "../document/types.ts";
import { fixInNode, renameKey, setValue } from "./edits.ts";

const PLAIN: Plain = {
  curlew: 1,
  inputs: { repo: { type: "string" } },
  on: [{ schedule: { cron: "0 0 * * *" } }],
  nodes: [
    {
      id: "a",
      type: "cli",
      data: { title: "A", content: "curl x", env: { static: { A: "1", B: "2" } }, retry: { maxAttempts: 3 } },
    },
    { id: "b", type: "text", data: { title: "B", content: "x" } },
  ],
};

function edited(edit: Edit, plain: Plain = PLAIN): Plain {
  const before = JSON.stringify(plain);
  const applied = edit.apply(plain, {} as Doc);
  expect(JSON.stringify(plain), "what was there is not changed").toBe(before);
  if (!applied.ok) throw new Error(applied.error);
  return applied.plain;
}
const dataOf = (plain: Plain) => at(plain, ["nodes", 0, "data"]) as Plain;

describe("edits of fields", () => {
  it("set one field and leave the rest as it is", () => {
    const plain = edited(setValue("a", ["timeout"], "30s"));
    expect(dataOf(plain).timeout).toBe("30s");
    expect(at(plain, ["nodes", 1])).toBe(at(PLAIN, ["nodes", 1]));
    expect(plain.inputs).toBe(PLAIN.inputs);
  });

  it("take a field away when it is emptied, and the map that is empty then", () => {
    expect(dataOf(edited(setValue("a", ["retry", "maxAttempts"], "")))).not.toHaveProperty("retry");
    expect(dataOf(edited(setValue("a", ["env", "static", "A"], undefined))).env).toEqual({ static: { B: "2" } });
    expect(edited(setValue("a", ["timeout"], undefined))).toEqual(PLAIN);
  });

  it("give a map all that it must have with its first member", () => {
    expect(dataOf(edited(setValue("a", ["rateLimit", "limit"], 5))).rateLimit).toEqual({
      key: "default",
      limit: 5,
      per: "1m",
    });
    expect(dataOf(edited(setValue("a", ["approval", "prompt"], "Sure?"))).approval).toEqual({ prompt: "Sure?" });
  });

  it("rename a key where it stands", () => {
    const plain = edited(renameKey("a", ["env", "static"], "A", "KEY"));
    expect(Object.entries(at(dataOf(plain), ["env", "static"]) as Plain)).toEqual([
      ["KEY", "1"],
      ["B", "2"],
    ]);
    expect(edited(renameKey("a", ["env", "static"], "A", "B"))).toEqual(PLAIN);
  });

  it("reach the head, and into lists", () => {
    expect(edited(setValue(undefined, ["inputs", "repo", "default"], "x/y")).inputs).toEqual({
      repo: { type: "string", default: "x/y" },
    });
    expect(edited(setValue(undefined, ["on", 0, "schedule", "timezone"], "UTC")).on).toEqual([
      { schedule: { cron: "0 0 * * *", timezone: "UTC" } },
    ]);
    expect(edited(setValue(undefined, ["on", 0], undefined)).on).toEqual([]);
    expect(edited(setValue(undefined, ["secrets"], ["A"])).secrets).toEqual(["A"]);
  });

  it("carry out a fix: text and fields in one step, and none made for another text", () => {
    const fix = {
      label: "x",
      changes: [{ from: 5, to: 6, insert: "y" }],
      set: [
        { path: ["env", "inherit"], add: "HOME_X" },
        { path: ["auth"], value: { type: "bearer" } },
      ],
    };
    expect(dataOf(edited(fixInNode("a", ["content"], "curl x", fix)))).toMatchObject({
      content: "curl y",
      auth: { type: "bearer" },
      env: { static: { A: "1", B: "2" }, inherit: ["HOME_X"] },
    });
    expect(fixInNode("a", ["content"], "curl old", fix).apply(PLAIN, {} as Doc).ok).toBe(false);
  });

  it("say when the node is gone", () => {
    expect(setValue("zz", ["title"], "x").apply(PLAIN, {} as Doc)).toEqual({
      ok: false,
      error: 'There is no node "zz" any more.',
    });
  });
});
