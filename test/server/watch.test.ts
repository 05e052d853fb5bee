// The served folder is watched (spec 2.3): each change of a workflow file is reported once and soon, and so is the
// server's own change.

import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { etagOf, ServedFolder } from "../../src/app/documents/folder.ts";
import { watchFolder } from "../../src/app/documents/watch.ts";
import { folder as ground } from "../cli/curlew.ts";
import { served } from "./served.ts";
import { follow, messageOf } from "./streams.ts";

interface Told {
  path: string;
  etag: string | undefined;
  at: number;
}

async function watched(files: Record<string, string> = {}) {
  const { path, write } = ground(files);
  const told: Told[] = [];
  const waiting: (() => void)[] = [];
  const watch = await watchFolder({
    folder: new ServedFolder(path),
    onChange: (path, etag) => {
      told.push({ path, etag, at: performance.now() });
      for (const go of waiting.splice(0)) go();
    },
    onTrouble: (error) => {
      throw error;
    },
  });
  onTestFinished(() => watch.close());
  /** Resolves with the report about this file in this state. */
  const tells = async (path: string, etag: string | undefined): Promise<Told> => {
    for (;;) {
      const found = told.findLast((one) => one.path === path && one.etag === etag);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  return { path, write, told, tells, watch };
}

test("a file that is made, written, renamed over or removed is reported each time, within 200 ms", async () => {
  const it = await watched({ "a.flow.yaml": "a", "sub/b.flow.yaml": "b" });
  const took: number[] = [];
  const expectTold = async (path: string, text: string | undefined, change: () => void) => {
    const from = performance.now();
    change();
    took.push((await it.tells(path, text === undefined ? undefined : etagOf(text))).at - from);
  };
  await expectTold("a.flow.yaml", "a2", () => it.write("a.flow.yaml", "a2"));
  await expectTold("sub/b.flow.yaml", "b2", () => it.write("sub/b.flow.yaml", "b2"));
  await expectTold("sub/new.flow.json", "{}", () => it.write("sub/new.flow.json", "{}"));
  await expectTold("deep/er/c.flow.yml", "c", () => it.write("deep/er/c.flow.yml", "c"));
  await expectTold("deep/er/c.flow.yml", "c2", () => it.write("deep/er/c.flow.yml", "c2"));
  await expectTold("a.flow.yaml", "a3", () => {
    // As editors save.
    writeFileSync(join(it.path, ".a.swp"), "a3");
    renameSync(join(it.path, ".a.swp"), join(it.path, "a.flow.yaml"));
  });
  await expectTold("sub/b.flow.yaml", undefined, () => rmSync(join(it.path, "sub/b.flow.yaml")));
  await expectTold("deep/er/c.flow.yml", undefined, () => rmSync(join(it.path, "deep"), { recursive: true }));
  const middle = took.toSorted((a, b) => a - b)[Math.floor(took.length / 2)];
  expect(middle, `milliseconds: ${took.map(Math.round).join(", ")}`).toBeLessThan(200);
});

test("a file that is written in pieces, touched, or written by this server is reported once or not at all", async () => {
  const it = await watched({ "a.flow.yaml": "a" });
  for (const text of ["1", "12", "123"]) it.write("a.flow.yaml", text);
  await it.tells("a.flow.yaml", etagOf("123"));
  it.watch.known("a.flow.yaml", etagOf("own"));
  it.write("a.flow.yaml", "own");
  // Reported after everything before it.
  it.write("z.flow.yaml", "z");
  await it.tells("z.flow.yaml", etagOf("z"));
  it.write("y.flow.yaml", "y");
  await it.tells("y.flow.yaml", etagOf("y"));
  expect(it.told.map(({ path, etag }) => [path, etag])).toEqual([
    ["a.flow.yaml", etagOf("123")],
    ["z.flow.yaml", etagOf("z")],
    ["y.flow.yaml", etagOf("y")],
  ]);
});

test("a running server reports to its pages: its own write once, others' writes, and a removed file", async () => {
  const it = await served({ "a.flow.yaml": "a" });
  const stream = await follow(it, "/events");
  const documents = () => stream.messages.filter(({ event }) => event === "document").map(messageOf);
  const tells = (etag: string | undefined, path = "a.flow.yaml") =>
    stream.until((message) => {
      const said = messageOf(message);
      return said.kind === "document" && said.path === path && said.etag === etag;
    });
  // Others write until it is reported: from then on the folder is watched.
  const watched = tells(etagOf("others"));
  it.write("a.flow.yaml", "others");
  await watched;
  const put = await it.api("PUT", "/workflows/a.flow.yaml", { text: "ours" }, { "if-match": etagOf("others") });
  expect(put.status).toBe(200);
  await tells(etagOf("ours"));
  it.write("a.flow.yaml", "theirs");
  await tells(etagOf("theirs"));
  expect((await it.api("DELETE", "/workflows/a.flow.yaml", undefined, { "if-match": "*" })).status).toBe(204);
  await tells(undefined);
  it.write("last.flow.yaml", "last");
  await tells(etagOf("last"), "last.flow.yaml");
  expect(documents()).toEqual([
    { kind: "document", path: "a.flow.yaml", etag: etagOf("others") },
    { kind: "document", path: "a.flow.yaml", etag: etagOf("ours") },
    { kind: "document", path: "a.flow.yaml", etag: etagOf("theirs") },
    { kind: "document", path: "a.flow.yaml" },
    { kind: "document", path: "last.flow.yaml", etag: etagOf("last") },
  ]);
});
