// The command line of `curlew http`: the fast parser accepts the same options as the help and the completions.

import { expect, test } from "vitest";
import { CURLEW_HTTP } from "../../shell/rewrite/http.ts";
import { buildProgram } from "../program.ts";
import { processTerminal } from "../terminal.ts";
import { HTTP_OPTIONS, readOptions } from "./options.ts";

test("the parser of the other commands reads the same words the same way", () => {
  const every = HTTP_OPTIONS.flatMap(({ long, short, kind }) => {
    if (kind === "flag") return [short ?? long];
    return kind === "many" ? [short ?? long, "one", `${long}=two`] : [short ?? long, "{ value }"];
  });
  const words = ["POST", "https://a.example", ...every];
  const http = buildProgram(processTerminal(), async () => {}, false).commands.find((one) => one.name() === "http")!;
  let seen: unknown;
  http.action((method, url, options) => {
    const keyed = HTTP_OPTIONS.map(({ key, long }) => [
      key,
      options[http.options.find((one) => one.long === long)!.attributeName()],
    ]);
    seen = { method, url, ...Object.fromEntries(keyed) };
  });
  http.parent!.parse(["http", ...words], { from: "user" });
  // Commander treats --no-fail as the opposite of --fail.
  expect({ ...(seen as object), noFail: true }).toEqual(readOptions(words));
});

test("the guards of values in scripts know every option that takes a value", () => {
  const taking = HTTP_OPTIONS.filter(({ kind }) => kind === "text" || kind === "many");
  expect(taking.map(({ long }) => long).toSorted()).toEqual(CURLEW_HTTP.long?.toSorted());
  const short = taking.flatMap(({ short = "" }) => short.slice(1));
  expect(short.toSorted().join("")).toBe([...CURLEW_HTTP.short!].toSorted().join(""));
});

test("words of curl are answered with the word for it here", () => {
  for (const [word, help] of [
    ["-k", "--cacert"],
    ["-u", "--auth"],
    ["-X", "first word"],
    ["-L", "followed"],
    ["--data-binary", "-d @FILE"],
  ] as const)
    expect(() => readOptions(["GET", "https://a.example", word])).toThrow(
      expect.objectContaining({ exit: 2, help: expect.stringContaining(help) }),
    );
  expect(() => readOptions(["GET", "https://a.example", "--jsom", "x"])).toThrow(/Did you mean "--json"/);
});
