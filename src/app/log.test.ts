import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/setup/folders.ts";
import { openLog } from "./log.ts";

test("a line that comes after the log is closed reaches no other file", async () => {
  const home = tempFolder();
  const log = await openLog(home, "info");
  log.info("before");
  log.close();
  // It gets the number of the log's descriptor.
  const other = openSync(join(home, "other"), "w");
  log.info("after");
  closeSync(other);
  expect(readFileSync(join(home, "other"), "utf8")).toBe("");
  expect(readFileSync(join(home, "server.log"), "utf8")).toContain("before");
});
