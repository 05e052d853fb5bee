// stages: the stages of a run at which a signal can come. A command, a gate or a missing approval holds the run there.

import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { type Folder, MAIN, made, type Started, started } from "../cli/curlew.ts";

export interface Stage {
  files: Record<string, string>;
  /** Default: `run f.flow.yaml`. */
  args?: string;
  /** The program has a terminal. */
  terminal?: true;
  /** Stays open, with nothing on it. */
  stdin?: "kept";
  /** Resolves when the run is at the stage, which it may never reach. */
  reached(run: Started, it: Folder): Promise<unknown>;
  /** The recorded status afterwards. `none`: no run. */
  becomes: "none" | "cancelled" | "waiting" | "succeeded";
  /** Nothing has started: the program dies of the signal, like any program. */
  dies?: true;
}

const flow = (nodes: string, more = ""): string => `curlew: 1\nname: T\n${more}nodes:\n${nodes}`;
const cli = (id: string, content: string, more = ""): string =>
  `  - { id: ${id}, type: cli, data: { title: T, content: ${JSON.stringify(content)}${more} } }\n`;
/** Stays, with a child process, and writes to `up`. */
const STAYS = "sleep 1000 & echo $$ >> up; wait";
const up = (_run: Started, it: Folder): Promise<void> => made(join(it.path, "up"));
const says = (text: string) => (run: Started) => run.says(text, "stdout");

/** Resolves when the program has read the start of its inputs and waits for the rest. */
async function drained(run: Started): Promise<void> {
  run.process.stdin.write(`{ "a":${" ".repeat(400_000)}`);
  await new Promise<void>((resolve) => run.process.stdin.once("drain", resolve));
}

export const STAGES: Record<string, Stage> = {
  "before the run, a secret is being fetched": {
    files: {
      "f.flow.yaml": flow(cli("a", "echo ${TOKEN}"), "secrets: [TOKEN]\n"),
      ".home/config.yaml": `secrets: { TOKEN: { command: 'cd "$PWD" && echo $$ > up; exec sleep 1000' } }\n`,
    },
    reached: (_run, it) => made(join(it.path, ".home/up")),
    becomes: "none",
  },
  "before the run, a secret is asked on the terminal": {
    files: { "f.flow.yaml": flow(cli("a", "echo ${TOKEN}"), "secrets: [TOKEN]\n") },
    args: "run f.flow.yaml --secret TOKEN",
    terminal: true,
    reached: says("TOKEN: "),
    becomes: "none",
    dies: true,
  },
  "before the run, its inputs are still being written": {
    files: { "f.flow.yaml": flow(cli("a", "echo hi")) },
    args: "run f.flow.yaml --input-file -",
    stdin: "kept",
    reached: (run) => drained(run),
    becomes: "none",
    dies: true,
  },
  "a command runs": { files: { "f.flow.yaml": flow(cli("a", STAYS)) }, reached: up, becomes: "cancelled" },
  "several commands run": {
    files: { "f.flow.yaml": flow(["a", "b", "c"].map((id) => cli(id, STAYS)).join("")) },
    reached: async (_run, it) => {
      await up(_run, it);
      while (it.read("up").trim().split("\n").length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    },
    becomes: "cancelled",
  },
  "between nodes, an expression is computed": {
    files: {
      "f.flow.yaml": flow(
        `${cli("a", "echo 1; touch up")}  - { id: b, type: if, data: { title: B, content: '$sum([1..4000000].($ * 2)) > 0' } }\n${cli("c", "touch after")}`,
        "",
      ).concat("edges: [a -> b, b:true -> c]\n"),
    },
    reached: up,
    becomes: "cancelled",
  },
  "a retry is waited for": {
    files: {
      "f.flow.yaml": flow(
        cli("a", "exit 7", ", retry: { maxAttempts: 3, initialInterval: 1h, maxInterval: 1h, jitter: none, on: [7] }"),
      ),
    },
    args: "run f.flow.yaml --json",
    reached: says('"retryAt"'),
    becomes: "cancelled",
  },
  "an approval is asked on the terminal": {
    files: { "f.flow.yaml": flow(cli("a", "touch after", ", needsUserApproval: true")) },
    terminal: true,
    reached: says("leave it waiting? [a/e/r/L]"),
    becomes: "waiting",
  },
  "an approval waits while another command runs": {
    files: { "f.flow.yaml": flow(cli("a", "touch after", ", needsUserApproval: true") + cli("b", STAYS)) },
    reached: up,
    becomes: "cancelled",
  },
  "a budget is waited for": {
    files: {
      "f.flow.yaml": flow(
        cli("a", "echo $$ >> up", ", rateLimit: { key: k, limit: 1, per: 1h }") +
          cli("b", "touch after", ", rateLimit: { key: k, limit: 1, per: 1h }"),
      ),
    },
    args: "run f.flow.yaml --json",
    reached: says('"budget.awaited"'),
    becomes: "cancelled",
  },
  "a pass of a loop runs": {
    files: {
      "f.flow.yaml": flow(
        `  - { id: l, type: loop-start, data: { title: L, iterations: 5 } }\n${cli("a", `[ "\${i}" = 3 ] || exit 0; ${STAYS}`)}  - { id: e, type: loop-end, data: { title: E } }\n`,
      ).concat("edges: [l -> a -> e]\n"),
    },
    reached: up,
    becomes: "cancelled",
  },
  "a long loop without a process": {
    files: {
      "f.flow.yaml": flow(
        `${cli("a", "touch up")}  - { id: l, type: loop-start, data: { title: L, iterations: 1000000, maxIterations: 1000000 } }\n  - { id: t, type: text, data: { title: T, content: "\${i}" } }\n  - { id: e, type: loop-end, data: { title: E } }\n`,
      ).concat("edges: [a -> l -> t -> e]\n"),
    },
    args: "run f.flow.yaml --json",
    reached: (run) => run.says('"pass.succeeded"', "stdout", 50),
    becomes: "cancelled",
  },
  "a command of a subflow runs": {
    files: {
      "f.flow.yaml": flow("  - { id: s, type: subflow, data: { title: S, workflow: in.flow.yaml } }\n"),
      "in.flow.yaml": flow("  - { id: s, type: subflow, data: { title: S, workflow: deep.flow.yaml } }\n"),
      "deep.flow.yaml": flow(cli("a", STAYS)),
    },
    reached: up,
    becomes: "cancelled",
  },
  "a listener listens": {
    files: {
      "f.flow.yaml": flow(
        `${cli("a", "echo one; echo $$ >> up; sleep 1000", ", emit: lines, safetyLevel: advanced")}${cli("b", "cat", ", stdin: { source: parent-index }")}`,
      ).concat("edges: [a -> b]\n"),
    },
    reached: up,
    becomes: "cancelled",
  },
  "what is shown on a terminal": {
    files: { "f.flow.yaml": flow(cli("a", `echo shown; ${STAYS}`)) },
    terminal: true,
    reached: says("│ shown"),
    becomes: "cancelled",
  },
  "a result is written that no one reads": {
    files: { "f.flow.yaml": flow(cli("a", "head -c 3000000 /dev/zero | tr '\\0' x")) },
    args: "run f.flow.yaml",
    reached: (run) => {
      run.process.stdout.pause();
      return run.says("1 node succeeded");
    },
    becomes: "succeeded",
  },
};

/**
 * On a terminal, writes its settings before and after to `tty.before` and `tty.after`; the shell around it survives
 * every signal.
 */
export function startStage(it: Folder, stage: Stage): Started {
  const args = stage.args ?? "run f.flow.yaml";
  if (stage.terminal !== true) return it.start(args, { keepStdin: stage.stdin === "kept" });
  const node = `'${process.execPath}' -- '${MAIN}' ${args}`;
  const command = `trap : INT TERM HUP; stty cols 70 rows 12; stty -g > tty.before; ${node}; code=$?; stty -g > tty.after; exit $code`;
  return started(
    "script",
    ["-qefc", command, "/dev/null"],
    it.path,
    { env: { TERM: "xterm-256color", SHELL: "/bin/sh" }, keepStdin: true },
    it.home,
  );
}

/** The process that gets the signal: the program, among those that work in the folder. */
export function programIn(it: Folder): number {
  const path = realpathSync(it.path);
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name)))
    try {
      const argv = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      if (realpathSync(`/proc/${pid}/cwd`) === path && argv[0] === process.execPath && argv.includes(MAIN))
        return Number(pid);
    } catch {
      // It has just ended.
    }
  throw new Error("the program does not run");
}
