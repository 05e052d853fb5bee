// shells: a script in a real shell, in a folder of its own, and whether anything of a value was executed: what runs one makes a `canary`.

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { Dialect } from "../../src/shell/rewrite/index.ts";

export const programs: Record<Dialect, string[]> = {
  bash: ["bash", "--noprofile", "--norc", "-p"],
  sh: ["sh"],
  zsh: ["zsh", "-f"],
};

/** Those of this machine. */
export const shells = (Object.keys(programs) as Dialect[]).filter(
  (shell) => spawnSync(programs[shell][0]!, ["-c", ":"]).status === 0,
);

/** The scripts of a file beside this one, parted by lines of %%. */
export function scriptsOf(name: string): string[] {
  return readFileSync(join(import.meta.dirname, name), "utf8")
    .trimEnd()
    .split("\n%%\n");
}

/** A folder for the runs of one test file, gone after it. */
export function runFolder(): {
  folder: string;
  executes(shell: Dialect, script: string, env: NodeJS.ProcessEnv): Promise<boolean>;
} {
  const folder = mkdtempSync(join(tmpdir(), "curlew-templates-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let count = 0;
  return {
    folder,
    executes: async (shell, script, env) => {
      const work = join(folder, `run${++count}`);
      mkdirSync(work);
      // A name that a pattern could match.
      writeFileSync(join(work, "aa"), "");
      const file = `${work}.script`;
      writeFileSync(file, script);
      const [program = "", ...args] = programs[shell];
      const child = spawn(program, [...args, file], {
        cwd: work,
        stdio: "ignore",
        detached: true,
        env: { PATH: process.env.PATH, HOME: work, LC_ALL: "C.UTF-8", ...env },
      });
      await new Promise<void>((resolve) => {
        // A script that waits for something, or that a value made endless, has had its chance; its whole group goes.
        const late = setTimeout(() => process.kill(-child.pid!, "SIGKILL"), 3_000);
        child.on("exit", () => {
          clearTimeout(late);
          resolve();
        });
      });
      const seen = readdirSync(work).includes("canary");
      rmSync(work, { recursive: true, force: true });
      return seen;
    },
  };
}

/** Every item by `work`, four at a time. */
export async function each<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    for (let one = queue.pop(); one !== undefined; one = queue.pop()) await work(one);
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
}
