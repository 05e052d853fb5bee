import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/setup/folders.ts";
import {
  defaultShell,
  findProgram,
  findShell,
  hasPipefail,
  launch,
  type ShellFlags,
  type ShellName,
  scriptExtension,
  scriptText,
} from "./dialect.ts";

const folder = tempFolder();
const PATH = "/usr/local/bin:/usr/bin:/bin";

test.each<[ShellName | "dash", ShellFlags, string]>([
  ["bash", {}, "S --noprofile --norc -p -o pipefail F"],
  ["bash", { pipefail: false, exitOnError: true, unsetVars: true }, "S --noprofile --norc -p -e -u F"],
  ["bash", { noProfile: false }, "S --login -o pipefail F"],
  ["zsh", { exitOnError: true }, "S -f -o pipefail -e F"],
  ["zsh", { noProfile: false, pipefail: false }, "S -l F"],
  ["dash", { unsetVars: true }, "S -u F"],
  ["sh", { noProfile: false }, "S -l F"],
  ["pwsh", {}, "S -NoProfile -NonInteractive -File F"],
  ["pwsh", { executionPolicyBypass: true, noProfile: false }, "S -NonInteractive -ExecutionPolicy Bypass -File F"],
  ["cmd", { executionPolicyBypass: true }, "S /d /s /c F"],
])("%s with %j starts as %s", (shell, flags, expected) => {
  expect(launch({ shell, shellPath: "S", flags, scriptFile: "F" }).join(" ")).toBe(expected);
});

test("a script's own interpreter gets the file as its last argument", () => {
  expect(launch({ interpreter: "python3", args: ["-u"], scriptFile: "F" })).toEqual(["python3", "-u", "F"]);
  expect(launch({ shell: "bash", shellPath: "S", args: ["--posix", "-x"], scriptFile: "F" })).toEqual(
    "S --posix --noprofile --norc -p -o pipefail -x F".split(" "),
  );
  expect(launch({ shell: "dash", shellPath: "S", args: ["-x"], scriptFile: "F" })).toEqual(["S", "-x", "F"]);
});

test("programs are found as a shell would find them", () => {
  for (const name of ["tool", "plain"]) writeFileSync(join(folder, name), "#!/bin/sh\n");
  chmodSync(join(folder, "tool"), 0o755);
  expect(findProgram("tool", `/nowhere:${folder}`)).toBe(join(folder, "tool"));
  expect(findProgram("plain", folder)).toBeUndefined();
  expect(findProgram("./tool", "", folder)).toBe(join(folder, "tool"));
  expect(findProgram(join(folder, "tool"), undefined)).toBe(join(folder, "tool"));
  expect(findProgram("tool", "", folder)).toBe(join(folder, "tool"));
  expect([findProgram("", PATH), findProgram("tool", PATH), findProgram(".", PATH)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("bash is the default, then sh, and without both there is an error", () => {
  expect(defaultShell(PATH)?.shell).toBe("bash");
  symlinkSync("/bin/dash", join(folder, "sh"));
  expect(defaultShell(folder)).toEqual({ shell: "sh", shellPath: join(folder, "sh") });
  expect(defaultShell("/nowhere")).toBeUndefined();
  expect(findShell("cmd", PATH)).toBeUndefined();
});

test("sh gets pipefail only if it supports it", () => {
  symlinkSync("/bin/bash", join(folder, "like-bash"));
  expect([hasPipefail(join(folder, "like-bash")), hasPipefail("/bin/dash"), hasPipefail("/nowhere/sh")]).toEqual([
    true,
    false,
    false,
  ]);
});

test("only pwsh and cmd need the flags in the text", () => {
  expect(scriptText("bash", "a\nb")).toBe("a\nb");
  expect(scriptText("cmd", "a\nb")).toBe("@echo off\r\na\r\nb\r\n");
  expect(scriptText("pwsh", "a", { exitOnError: true, unsetVars: true })).toBe(
    "Set-StrictMode -Version Latest; $ErrorActionPreference = 'Stop'; $PSNativeCommandUseErrorActionPreference = $true; a\nif ($null -ne $LASTEXITCODE) { exit $LASTEXITCODE }\n",
  );
  expect((["bash", "sh", "pwsh", "cmd"] as const).map(scriptExtension)).toEqual([".sh", ".sh", ".ps1", ".cmd"]);
});

/** Starts each shell that is installed. scripts/test.ts names the missing ones. */
for (const shell of (["bash", "sh", "dash", "zsh"] as const).filter((name) => findShell(name, PATH) !== undefined)) {
  const shellPath = findShell(shell, PATH)!;
  const start = (script: string, flags: ShellFlags = {}, env: Record<string, string> = {}) => {
    const scriptFile = join(folder, "script");
    writeFileSync(scriptFile, script);
    const [program = "", ...args] = launch({ shell, shellPath, flags, scriptFile });
    const { status, stdout } = spawnSync(program, args, { encoding: "utf8", env: { PATH, ...env } });
    return { status, stdout };
  };

  test(`${shell} does what the flags say`, () => {
    expect(start("false\necho on")).toEqual({ status: 0, stdout: "on\n" });
    expect(start("false\necho on", { exitOnError: true })).toEqual({ status: 1, stdout: "" });
    expect(start("echo a$NOT_SET_ANYWHERE")).toEqual({ status: 0, stdout: "a\n" });
    expect(start("echo a$NOT_SET_ANYWHERE", { unsetVars: true }).stdout).toBe("");
    const pipefail = shell === "bash" || shell === "zsh" || hasPipefail(shellPath);
    expect(start("false | true").status).toBe(pipefail ? 1 : 0);
    expect(start("false | true", { pipefail: false }).status).toBe(0);
  });

  test(`${shell} reads no file that the environment names, and its profile only when told to`, () => {
    const home = mkdtempSync(join(folder, "home-"));
    for (const file of [".profile", ".bash_profile", ".bashrc", ".zshrc", ".zshenv", ".zprofile", ".zlogin"])
      writeFileSync(join(home, file), "ROSE=profile\n");
    writeFileSync(join(home, "env"), "ROSE=env\n");
    const env = { HOME: home, ZDOTDIR: home, BASH_ENV: join(home, "env"), ENV: join(home, "env") };
    expect(start('echo "rose:$ROSE"', {}, env).stdout).toBe("rose:\n");
    expect(start('echo "rose:$ROSE"', { noProfile: false }, { HOME: home, ZDOTDIR: home }).stdout).toBe(
      "rose:profile\n",
    );
  });
}

test("bash takes no function from the environment", () => {
  const scriptFile = join(folder, "function");
  writeFileSync(scriptFile, "true; echo still here");
  const [program = "", ...args] = launch({ shell: "bash", shellPath: "/bin/bash", scriptFile });
  expect(
    execFileSync(program, args, { encoding: "utf8", env: { PATH, "BASH_FUNC_true%%": "() { echo hijacked; }" } }),
  ).toBe("still here\n");
});
