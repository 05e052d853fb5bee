// The options of each curl of this machine that take a value are those of src/base/curl-options.ts.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CURL_SHORT_TAKING, CURL_TAKING } from "../../src/base/curl-options.ts";
import { curls } from "../setup/curls.ts";

const OPTION = /^ *(?:-(?<letter>.), )? *--(?<name>[a-z0-9.-]+)(?<value> <| \[)?/;

test.each(curls())("curl $version", ({ folder }) => {
  const help = execFileSync(join(folder, "curl"), ["-q", "--help", "all"], { encoding: "utf8" });
  const options = help.split("\n").flatMap((line) => {
    const found = OPTION.exec(line)?.groups;
    return found === undefined ? [] : [found];
  });
  expect(options.length).toBeGreaterThan(200);
  const wrong = options.filter(({ letter = "", name = "", value }) => {
    if (name === "help") return false;
    const takes = value !== undefined;
    return CURL_TAKING.includes(name) !== takes || (letter !== "" && CURL_SHORT_TAKING.includes(letter) !== takes);
  });
  expect(wrong).toEqual([]);
});
