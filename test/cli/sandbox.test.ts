// `sandbox` on a node, through the whole program: values arrive, and errors come before anything runs (spec 4.2).

import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findProgram } from "../../src/process/dialect.ts";
import { has } from "../setup/machine.ts";
import { endRunners, folder } from "./curlew.ts";

const node = (data: string) => `curlew: 1
inputs: { small: { type: string, default: "it's small" }, large: { type: string, default: "" } }
state: { last: 0 }
nodes:
  - id: first
    type: cli
    data: { title: First, content: touch first-ran }
  - id: fenced
    type: cli
    data:
      title: Fenced
${data}
edges: [first -> fenced]
`;

for (const sandbox of ["no-network", "read-only", "strict"]) {
  if (has("bwrap"))
    test(`${sandbox}: values arrive by environment, by file, too large for either, and by stdin`, async () => {
      const it = folder({
        "f.flow.yaml": node(`
      sandbox: ${sandbox}
      content: |
        printf '%s ' "\${small}"; cat -- "\${small|file}"; big="\${large}"; echo " \${#big}"; cat; ls -A "$SEEN_HOME"/runs/* | wc -l
        printf '["last","5"]\\n' >> "$CURLEW_STATE"
      stdin: { source: literal, literal: "stdin of \${small}\\n" }
      env: { static: { SEEN_HOME: HOME_OF_TEST } }`),
      });
      it.write("f.flow.yaml", it.read("f.flow.yaml").replace("HOME_OF_TEST", it.home));
      it.write("large.json", JSON.stringify({ large: "x".repeat(200_000) }));
      const ran = await it.run("run f.flow.yaml --input-file large.json");
      expect(ran, ran.stderr).toMatchObject({ code: 0 });
      // The script, curl's configuration, curlew itself, the two files of values, its report, and its state. Nothing of
      // the first node, of the journal, or of the key.
      expect(ran.stdout).toBe("it's small it's small 200000\nstdin of it's small\n7\n");
      expect((await it.run("state get last --workflow f.flow.yaml")).stdout).toBe("5\n");
      const shown = JSON.parse((await it.run("runs show latest --json")).stdout);
      expect(JSON.stringify(shown)).toContain(`"sandbox":"${sandbox}"`);
    });
}

test("without bubblewrap on PATH nothing runs, and the message says what to install", async () => {
  const it = folder({ "f.flow.yaml": node("      sandbox: read-only\n      content: echo never") });
  mkdirSync(join(it.path, "bin"));
  for (const program of ["bash", "sh", "touch"])
    symlinkSync(findProgram(program, process.env.PATH)!, join(it.path, "bin", program));
  const ran = await it.run("run f.flow.yaml", { env: { PATH: join(it.path, "bin") } });
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain('Node "fenced": "sandbox: read-only" needs bubblewrap');
  expect(ran.stderr).toContain("apt install bubblewrap");
  expect(existsSync(join(it.path, "first-ran"))).toBe(false);
});

if (has("bwrap"))
  test("a shell that does not exist in a strict sandbox is reported, and not left to fail", async () => {
    const it = folder({ "f.flow.yaml": node("      sandbox: strict\n      cwd: work\n      content: echo never") });
    mkdirSync(join(it.path, "work"));
    it.write("elsewhere/bash", "#!/bin/sh\n");
    const { chmodSync } = await import("node:fs");
    chmodSync(join(it.path, "elsewhere/bash"), 0o755);
    const ran = await it.run("run f.flow.yaml", { env: { PATH: `${join(it.path, "elsewhere")}:${process.env.PATH}` } });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("sandbox-program");
  });

if (has("bwrap"))
  test("a sandboxed command continues after kill -9 of Curlew, and ends with its runner", {
    timeout: 120_000,
  }, async () => {
    const seconds = `100000.${process.pid}`;
    const it = folder({ "f.flow.yaml": node(`      sandbox: strict\n      content: touch up; exec sleep ${seconds}`) });
    const running = it.start("run f.flow.yaml");
    while (!existsSync(join(it.path, "up"))) await Promise.race([tick(), running.done]);
    // After that the shell becomes the command.
    while (sleeping(seconds) === 0) await tick();
    running.process.kill("SIGKILL");
    await running.done;
    const second = it.start("runs resume latest --json");
    await second.says('"attempt.adopted"', "stdout");
    expect(sleeping(seconds)).toBeGreaterThan(0);
    second.process.kill("SIGKILL");
    await second.done;
    await endRunners(it.home, "SIGKILL");
    while (sleeping(seconds) > 0) await tick();
  });

const tick = () => new Promise((resolve) => setTimeout(resolve, 10));

/** Processes with that word on their command line. */
function sleeping(word: string): number {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "latin1").startsWith(`sleep\0${word}`);
    } catch {
      return false;
    }
  }).length;
}
