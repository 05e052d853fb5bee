// Every option that a curl of this machine has is known to those who read a curl command line, with a value or without.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CURL_PLAIN, CURL_SHORT_TAKING, CURL_TAKING } from "../../src/base/curl-options.ts";
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
    const known = takes ? CURL_TAKING : CURL_PLAIN;
    const listed = known.includes(name) || (!takes && known.includes(name.replace(/^no-/, "")));
    return !listed || (letter !== "" && CURL_SHORT_TAKING.includes(letter) !== takes);
  });
  expect(wrong).toEqual([]);
});
