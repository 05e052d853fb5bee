import { expect, test } from "vitest";
import { commandEnvironment, isAllowedName } from "./environment.ts";

const environment = {
  PATH: "/bin",
  HOME: "/h",
  LC_ALL: "C",
  XDG_CACHE_HOME: "/c",
  https_proxy: "p",
  MY_TOKEN: "t",
  BASH_ENV: "/evil",
  NOT: undefined,
};

function names(given: Omit<Parameters<typeof commandEnvironment>[0], "environment">): string {
  const made = commandEnvironment({ environment, ...given });
  return made.ok ? Object.keys(made.value).join(" ") : made.error.message;
}

test("only the harmless list is passed on by default", () => {
  expect(names({})).toBe("PATH HOME LC_ALL XDG_CACHE_HOME https_proxy");
});

test("a node inherits what it names, or everything", () => {
  expect(names({ inherit: ["MY_TOKEN", "UNKNOWN"] })).toBe("PATH HOME LC_ALL XDG_CACHE_HOME https_proxy MY_TOKEN");
  expect(names({ inherit: true })).toBe("PATH HOME LC_ALL XDG_CACHE_HOME https_proxy MY_TOKEN BASH_ENV");
  expect(names({ inherit: false })).toBe("PATH HOME LC_ALL XDG_CACHE_HOME https_proxy");
});

test("a node's own variables win", () => {
  const made = commandEnvironment({ environment, set: { HOME: "/other", X: "" } });
  expect(made.ok && { ...made.value }).toMatchObject({ HOME: "/other", X: "", PATH: "/bin" });
});

test("the map inherits nothing, even names of object members", () => {
  const made = commandEnvironment({ environment, set: JSON.parse('{"__proto__": "x"}') });
  expect(made.ok && Object.getPrototypeOf(made.value)).toBe(null);
  expect(made.ok && Object.keys(made.value).includes("__proto__")).toBe(true);
});

test("names and values that no environment can hold are rejected", () => {
  expect(names({ set: { "A=B": "1" } })).toContain('"A=B" is not a valid name of an environment variable');
  expect(names({ set: { "A\0": "1" } })).toContain('"A\\u0000" is not a valid name');
  expect(names({ set: { "": "1" } })).toContain('"" is not a valid name');
  expect(names({ set: { A: "1\0" } })).toContain("The value for the environment variable A contains a NUL character");
});

test.each([
  ["LC_TIME", true],
  ["XDG_CONFIG_HOME", true],
  ["SSH_AUTH_SOCK", true],
  ["CURL_CA_BUNDLE", true],
  ["AWS_SECRET_ACCESS_KEY", false],
  ["path", false],
  ["CURLEW_HOME", false],
])("%s passes by default: %s", (name, expected) => {
  expect(isAllowedName(name)).toBe(expected);
});
