import { userInfo } from "node:os";
import { expect, onTestFinished, test, vi } from "vitest";
import { homeFolder, userHome } from "./home.ts";

const check = (given: { flag?: string; env?: NodeJS.ProcessEnv; platform?: NodeJS.Platform }, expected: string) =>
  test(`${JSON.stringify(given)} → ${expected}`, () =>
    expect(homeFolder({ env: {}, cwd: "/here", platform: "linux", userHome: "/home/ada", ...given })).toBe(expected));

check({}, "/home/ada/.local/share/curlew");
check({ env: { XDG_DATA_HOME: "/data" } }, "/data/curlew");
check({ env: { XDG_DATA_HOME: "data" } }, "/home/ada/.local/share/curlew");
check({ env: { XDG_DATA_HOME: "" } }, "/home/ada/.local/share/curlew");
check({ env: { CURLEW_HOME: "/c", XDG_DATA_HOME: "/data" } }, "/c");
check({ env: { CURLEW_HOME: "c" } }, "/here/c");
check({ env: { CURLEW_HOME: "" } }, "/home/ada/.local/share/curlew");
check({ flag: "mine", env: { CURLEW_HOME: "/c" } }, "/here/mine");
check({ platform: "darwin", env: { XDG_DATA_HOME: "/data" } }, "/home/ada/Library/Application Support/curlew");

test.each(["", "here"])("HOME=%j is not used, because the history would be in the current folder", (home) => {
  vi.stubEnv("HOME", home);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(userHome()).toBe(userInfo().homedir);
});
