// commands: helpers of the process tests. They run a real command and report what it did.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { launch } from "../../src/process/dialect.ts";
import { type CommandSpec, createRunner, type Ended, type RunningCommand } from "../../src/process/run.ts";
import { readOrdered } from "./ordered.ts";

export const runner = createRunner();
const folder = mkdtempSync(join(tmpdir(), "curlew-test-"));
let count = 0;

afterAll(async () => {
  await runner.stopAll();
  rmSync(folder, { recursive: true, force: true });
});

export interface Held extends RunningCommand {
  spec: CommandSpec;
  /** Resolves as soon as stdout and stderr together contain the text. */
  printed(text: string): Promise<void>;
  /** Everything once it has ended. */
  ended(): Promise<Outcome>;
}

export interface Outcome extends Ended {
  stdout: string;
  stderr: string;
  /** Both streams in the recorded order, with one letter and a colon before each piece: `o:a e:b`. */
  ordered: string;
}

/** Starts a bash script (or `argv`) that the test controls. */
export function start(script: string | readonly string[], given: Partial<CommandSpec> = {}): Held {
  const stem = join(folder, String(++count));
  let seen = "";
  let look = (): void => {};
  const spec: CommandSpec = {
    argv: typeof script === "string" ? bash(script) : script,
    env: { PATH: process.env.PATH ?? "", STEM: stem },
    cwd: folder,
    stdin: { kind: "none" },
    stdoutFile: `${stem}.out`,
    stderrFile: `${stem}.err`,
    orderFile: `${stem}.ord`,
    killGraceMs: 300,
    outputBytesMax: 1e10,
    runTag: `test-${process.pid}.${count}`,
    onChunk: (_stream, bytes) => {
      if (seen.length > 100_000) return;
      seen += Buffer.from(bytes).toString("latin1");
      look();
    },
    ...given,
  };
  const running = runner.run(spec);
  return {
    ...running,
    spec,
    printed: (text) =>
      new Promise((resolve, reject) => {
        look = () => seen.includes(text) && resolve();
        look();
        void running.done.then((ended) =>
          reject(new Error(`ended before it printed ${text}: ${JSON.stringify(ended)}`)),
        );
      }),
    ended: async () => outcome(await running.done, spec),
  };
}

export function run(script: string | readonly string[], given: Partial<CommandSpec> = {}): Promise<Outcome> {
  return start(script, given).ended();
}

export function bash(script: string): string[] {
  const scriptFile = tempFile(script, ".sh");
  return launch({ shell: "bash", shellPath: "/bin/bash", scriptFile });
}

export function tempFile(content: string | Uint8Array, extension = ""): string {
  const file = join(folder, `${++count}-file${extension}`);
  writeFileSync(file, content, { mode: 0o600 });
  return file;
}

export function tempPath(name: string): string {
  return join(folder, `${++count}-${name}`);
}

/** Resolves when the file exists and is not empty. Only the test's own time limit ends it. */
export async function appears(file: string): Promise<string> {
  for (;;) {
    if (existsSync(file) && statSync(file).size > 0) return readFileSync(file, "utf8");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Whether a process lives. A zombie that its parent has not collected does not. */
export function lives(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

/** Children of this process that ended and were not collected. */
export function zombiesOfOurs(): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0)
    .filter((pid) => {
      try {
        return new RegExp(`^\\d+ \\(.*\\) Z ${process.pid} `, "s").test(readFileSync(`/proc/${pid}/stat`, "latin1"));
      } catch {
        return false;
      }
    });
}

export function text(value: string): CommandSpec["stdin"] {
  return { kind: "pieces", pieces: [{ text: value }] };
}

/** Waits while this process blocks: it reads nothing in that time. */
export function standStillUntil(file: string): void {
  while (!existsSync(file) || statSync(file).size === 0)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
}

function outcome(ended: Ended, spec: CommandSpec): Outcome {
  const files = [spec.stdoutFile, spec.stderrFile, spec.orderFile] as const;
  // /dev/full, to which a test sends output, never ends when it is read.
  const read = (file: string): string =>
    existsSync(file) && statSync(file).isFile() && statSync(file).size < 1e7 ? readFileSync(file, "utf8") : "";
  const ordered = ended.stdoutBytes + ended.stderrBytes > 1e7 ? [] : readOrdered(...files);
  return {
    ...ended,
    stdout: read(spec.stdoutFile),
    stderr: read(spec.stderrFile),
    ordered: ordered.map((piece) => `${piece.stream === "stdout" ? "o" : "e"}:${Buffer.from(piece.bytes)}`).join(" "),
  };
}
