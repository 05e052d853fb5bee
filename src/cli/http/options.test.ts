// The command line of `curlew http`: its parser, the help, and the guards of values know the same options.

import { expect, test } from "vitest";
import { CURLEW_HTTP } from "../../shell/rewrite/http.ts";
import { HTTP_OPTIONS, readOptions } from "./options.ts";

test("options are read wherever they are, with their values attached or not", () => {
  const words = ["-Ha: b", "POST", "--header=c: d", "https://a.example", "-d", "-1", "--no-fail"];
  expect(readOptions(words)).toEqual({
    method: "POST",
    url: "https://a.example",
    header: ["a: b", "c: d"],
    data: ["-1"],
    noFail: true,
  });
});

test("the guards of values in scripts list every option that takes a value", () => {
  const taking = HTTP_OPTIONS.filter(({ kind }) => kind !== "flag");
  expect(taking.map(({ name }) => `--${name}`).toSorted()).toEqual(CURLEW_HTTP.long?.toSorted());
  const short = taking.map(({ short = "" }) => short);
  expect(short.toSorted().join("")).toBe([...CURLEW_HTTP.short!].toSorted().join(""));
});

test("curl's options are answered with the option to use here", () => {
  for (const [word, help] of [
    ["-k", "--cacert"],
    ["-u", "--auth"],
    ["-X", "first word"],
    ["-L", "followed"],
    ["-o", "stdout"],
    ["-F", "curl"],
  ] as const)
    expect(() => readOptions(["GET", "https://a.example", word])).toThrow(
      expect.objectContaining({ exit: 2, hint: expect.stringContaining(help) }),
    );
  expect(() => readOptions(["GET", "https://a.example", "--jsom", "x"])).toThrow(/Did you mean "--json"/);
});
