// Random curl command lines, read by our rules and by curl itself: `--libcurl` writes down what curl understood.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import * as unbash from "unbash";
import { expect, test } from "vitest";
import { curlCalls, curlMethod, hasOption } from "../src/workflow/safety/curl.ts";
import { requestsOf } from "../src/workflow/safety/requests.ts";
import { readScript, scriptOf } from "../src/workflow/safety/script.ts";
import { NOTHING_KNOWN } from "../src/workflow/safety/terms.ts";
import { has } from "./setup/machine.ts";

const seed = Number(process.env.CHECK_SEED ?? Date.now() % 2 ** 31);
const numRuns = process.env.CHECK_FULL === "1" ? 1_500 : 120;

interface Understood {
  method: string;
  insecure: boolean;
  limited: boolean;
  fails: boolean;
}

/** Any order of switches in one word, perhaps ended by a letter that takes a value, attached or as the next word. */
const cluster = fc
  .tuple(
    fc.shuffledSubarray(["s", "S", "f", "k", "L", "N", "i", "g", "G", "4", "j"], { minLength: 1 }),
    fc.constantFrom(
      "",
      "XDELETE",
      "X DELETE",
      "XPUT",
      "X PATCH",
      "da=k",
      "d -k",
      "m9",
      "m 9",
      "HX:k",
      "H X:-X",
      "uk:k",
      "o/dev/null",
      "o -k",
      "ek",
      "A -XDELETE",
    ),
  )
  .map(([switches, last]) => `-${switches.join("")}${last}`);
const LONG = [
  "--insecure",
  "--no-insecure",
  "--fail",
  "--no-fail",
  "--request DELETE",
  "--request 'DELETE'",
  "--data x",
  "--data-raw -k",
  "--json {}",
  "--get",
  "--max-time 5",
  "--max-tim 5",
  "--insecur",
  "--header 'a: --insecure'",
  "--url-query a",
  "--retry 0",
  "--silent",
  '--user "-k:x"',
  "--referer --fail",
];
const commandLine = fc
  .array(fc.oneof(cluster, fc.constantFrom(...LONG)), { maxLength: 6 })
  .chain((words) => fc.nat(words.length).map((at) => words.toSpliced(at, 0, "http://127.0.0.1:1/")))
  .map((words) => words.join(" "));

/** Undefined: curl does not take this command line. */
function byCurl(options: string, file: string): Understood | undefined {
  const { status } = spawnSync("bash", ["-c", `exec curl --libcurl '${file}' ${options} </dev/null`], {
    env: { PATH: process.env.PATH, HOME: "/nonexistent" },
  });
  if (status === 2) return undefined;
  const code = readFileSync(file, "utf8");
  const custom = /CUSTOMREQUEST, "(\w+)"/.exec(code)?.[1];
  return {
    method: custom ?? (/CURLOPT_(POSTFIELDS|POST|MIMEPOST)\b/.test(code) ? "POST" : "GET"),
    insecure: code.includes("CURLOPT_SSL_VERIFYPEER, 0L"),
    limited: code.includes("CURLOPT_TIMEOUT_MS"),
    fails: code.includes("CURLOPT_FAILONERROR, 1L"),
  };
}

function byUs(options: string): Understood {
  const script = scriptOf(
    readScript(unbash, `curl ${options}`, () => false),
    NOTHING_KNOWN,
  );
  const [call] = script.calls;
  const [curl] = curlCalls(call!.args);
  expect(requestsOf(call!)[0]?.urls.map(({ raw }) => raw)).toEqual(["http://127.0.0.1:1/"]);
  return {
    method: curlMethod(curl!)!,
    insecure: hasOption(curl!, "insecure"),
    limited: hasOption(curl!, "max-time"),
    fails: hasOption(curl!, "fail"),
  };
}

if (has("curl") && has("bash"))
  test(`curl and we read the same options (CHECK_SEED=${seed})`, () => {
    const folder = mkdtempSync(join(tmpdir(), "curlew-libcurl-"));
    let read = 0;
    try {
      fc.assert(
        fc.property(commandLine, (options) => {
          const understood = byCurl(options, join(folder, "code.c"));
          if (understood === undefined) return;
          read++;
          expect({ options, ...byUs(options) }).toEqual({ options, ...understood });
        }),
        { seed, numRuns },
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    expect(read).toBeGreaterThan(numRuns / 4);
  });
