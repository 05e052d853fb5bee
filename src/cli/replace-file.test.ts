import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/setup/folders.ts";
import { replaceFile } from "./replace-file.ts";

test("a change by another program is kept, and no temporary file is left", () => {
  const at = tempFolder();
  const file = join(at, "a.flow.yaml");
  writeFileSync(file, "theirs");
  expect(replaceFile(file, "what was read", "ours")).toBe("another program changed it in between");
  expect(readFileSync(file, "utf8")).toBe("theirs");
  rmSync(file);
  expect(replaceFile(file, "what was read", "ours")).toBe("it does not exist");
  mkdirSync(file);
  expect(replaceFile(file, "what was read", "ours")).toBe("it is a folder");
  expect(readdirSync(at)).toEqual(["a.flow.yaml"]);
});

test("a link stays a link, and its target keeps its mode", () => {
  const at = tempFolder();
  const [file, link] = [join(at, "file"), join(at, "link")];
  writeFileSync(file, "before");
  chmodSync(file, 0o666);
  symlinkSync("file", link);
  expect(replaceFile(link, "before", "after")).toBeUndefined();
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readFileSync(file, "utf8")).toBe("after");
  expect(statSync(file).mode & 0o777).toBe(0o666);
  expect(readdirSync(at).sort()).toEqual(["file", "link"]);
});
