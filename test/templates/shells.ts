// shells: a script in a real shell, in a new folder, and whether anything of a value was executed: then a `canary`
// exists.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Dialect } from "../../src/shell/rewrite/index.ts";
import { tempFolder } from "../setup/folders.ts";

export const programs: Record<Dialect, string[]> = {
  bash: ["bash", "--noprofile", "--norc", "-p"],
  sh: ["sh"],
  zsh: ["zsh", "-f"],
};

/** Those of this machine. */
export const shells = (Object.keys(programs) as Dialect[]).filter(
  (shell) => spawnSync(programs[shell][0]!, ["-c", ":"]).status === 0,
);

/** The scripts of a file beside this one, separated by lines of %%. */
export function scriptsOf(name: string): string[] {
  return readFileSync(join(import.meta.dirname, name), "utf8")
    .trimEnd()
    .split("\n%%\n");
}

/** A folder for the runs of one test file, gone after it. */
export function runFolder(): {
  folder: string;
  executes(shell: Dialect, script: string, env: NodeJS.ProcessEnv): Promise<boolean>;
  /** The values that the script executes as this variable. One shell tries all of them, each in a subshell. */
  executesAny(shell: Dialect, script: string, name: string, values: readonly string[]): Promise<string[]>;
} {
  const folder = tempFolder();
  let count = 0;
  const executes = async (shell: Dialect, script: string, env: NodeJS.ProcessEnv): Promise<boolean> => {
    const work = workFolder();
    const file = `${work}.script`;
    writeFileSync(file, script);
    await run(shell, file, work, env);
    const seen = readdirSync(work).includes("canary");
    rmSync(work, { recursive: true, force: true });
    return seen;
  };
  const workFolder = (): string => {
    const work = join(folder, `run${++count}`);
    mkdirSync(work);
    // A name that a pattern could match.
    writeFileSync(join(work, "aa"), "");
    return work;
  };
  const executesAny = async (shell: Dialect, script: string, name: string, values: readonly string[]) => {
    if (values.length === 0) return [];
    const work = workFolder();
    const file = `${work}.script`;
    writeFileSync(file, script);
    const tries = values.map(
      (_, index) =>
        `(export ${name}="$VALUE_${index}"; . '${file}')\n[ ! -e canary ] || : > '${work}.${index}'\n/bin/rm -f canary\n`,
    );
    writeFileSync(`${file}.all`, `${tries.join("")}: > '${work}.end'\n`);
    await run(shell, `${file}.all`, work, Object.fromEntries(values.map((value, index) => [`VALUE_${index}`, value])));
    // A script that ended the shell, did not end, or acted late is tried again with every value. Each find is tried
    // alone.
    const isWhole = existsSync(`${work}.end`) && !existsSync(join(work, "canary"));
    const doubtful = values.filter((_, index) => !isWhole || existsSync(`${work}.${index}`));
    rmSync(work, { recursive: true, force: true });
    const executed: string[] = [];
    for (const value of doubtful) if (await executes(shell, script, { [name]: value })) executed.push(value);
    return executed;
  };
  return { folder, executes, executesAny };
}

/**
 * Waits until the shell has ended. One that waits for something, or that a value made endless, had its time: its whole
 * group is killed.
 */
async function run(shell: Dialect, file: string, cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  const [program = "", ...args] = programs[shell];
  const child = spawn(program, [...args, file], {
    cwd,
    stdio: "ignore",
    detached: true,
    env: { PATH: process.env.PATH, HOME: cwd, LC_ALL: "C.UTF-8", ...env },
  });
  await new Promise<void>((resolve) => {
    const late = setTimeout(() => process.kill(-child.pid!, "SIGKILL"), 3_000);
    child.on("exit", () => {
      clearTimeout(late);
      resolve();
    });
  });
}

/** Every item through `work`, four at a time. */
export async function each<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    for (let one = queue.pop(); one !== undefined; one = queue.pop()) await work(one);
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
}
