// The file name of a new workflow.

import { expect, test } from "vitest";
import { fileNameFor, nameIn, nextName } from "./file-names.ts";

test("a name becomes a file name that every system takes", () => {
  expect(fileNameFor("Open issues!")).toBe("open-issues.flow.yaml");
  expect(fileNameFor("  Größe über alles ")).toBe("große-uber-alles.flow.yaml");
  expect(fileNameFor("team/Daily report")).toBe("team/daily-report.flow.yaml");
  expect(fileNameFor("../../etc/passwd")).toBe("etc/passwd.flow.yaml");
  expect(fileNameFor("kept.flow.yml")).toBe("kept.flow.yml");
  expect(fileNameFor("?!")).toBe("");
});

test("a name that is taken gets a number", () => {
  expect([1, 2, 3].map((tries) => nextName("a.flow.yaml", tries))).toEqual([
    "a.flow.yaml",
    "a-2.flow.yaml",
    "a-3.flow.yaml",
  ]);
});

test("the name is read off the text", () => {
  expect(nameIn('curlew: 1\nname: "Get orders"\nnodes: []\n')).toBe("Get orders");
  expect(nameIn("curlew: 1\nname: Plain one \n")).toBe("Plain one");
  expect(nameIn("curlew: 1\n")).toBe("");
});
