import { expect, test } from "vitest";
import { isDangerousName, isImpossibleName, isReservedName } from "./environment-names.ts";

test.each([
  "BASH_ENV",
  "BASH_FUNC_x%%",
  "LD_PRELOAD",
  "PYTHONPATH",
  "LESSOPEN",
  "https_proxy",
  "ALL_PROXY",
  "PATH",
  "IFS",
  "GIT_CONFIG_COUNT",
  "NODE_OPTIONS",
  "KUBECONFIG",
  "HOME",
  "CURLEW_HOME",
])("%s is dangerous", (name) => {
  expect(isDangerousName(name)).toBe(true);
});

test.each([
  "API_KEY",
  "token",
  "GIT_AUTHOR_NAME",
  "proxy",
  "PATHS",
  "LOADED",
  "env",
  "path",
  "__proto__",
  "constructor",
  "toString",
  "",
])("%s is not dangerous", (name) => {
  expect(isDangerousName(name)).toBe(false);
});

test("names that no environment can hold, and names that Curlew sets", () => {
  expect(["", "A=B", "A\0", "A", "a b", "__proto__"].map(isImpossibleName)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(["CURLEW_V_x", "CURLEW_HOME", "CURLEW", "curlew_x"].map(isReservedName)).toEqual([true, true, false, false]);
});
