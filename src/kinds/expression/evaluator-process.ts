// evaluator-process: the engine's side of one child process that evaluates expressions.

import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Failure } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";
import * as failures from "./failures.ts";

/** Values cross as JSON text, so that only data can cross. */
export interface Question {
  id: number;
  expression: string;
  /** JSON of `{ names, input? }`: the names in scope, and the value that the expression is applied to. */
  scope: string;
}

/** `result` is absent if the expression gives nothing. `failure` has JSONata's own code and message. */
export type Answer =
  | { ready: true }
  | { id: number; result?: string }
  | { id: number; failure: { code: string; message: string; position?: number } };

/**
 * Extra milliseconds before the process is killed: JSONata checks the time limit itself, but not within a single long
 * step.
 */
const graceMs = 250;

export class EvaluatorProcess {
  #child: ChildProcess;
  #alive = true;
  #nextId = 1;
  #ready: Promise<boolean>;
  #settle: ((answer: Answer | "exited") => void) | undefined;

  constructor() {
    const { entry, readable } = program();
    this.#child = fork(entry, [], {
      execPath: process.execPath,
      execArgv: [
        ...wall(readable),
        `--max-old-space-size=${limits.expressionMemoryMegabytesMax}`,
        "--disable-sigusr1",
        "--disable-warning=ExperimentalWarning",
        "--disable-warning=SecurityWarning",
      ],
      // V1: no variable of the engine's environment.
      env: {},
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      serialization: "advanced",
    });
    this.#ready = new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), limits.expressionStartTimeoutMs);
      timer.unref();
      const done = (ready: boolean) => {
        clearTimeout(timer);
        resolve(ready);
      };
      this.#child.once("message", () => done(true));
      this.#child.once("exit", () => done(false));
      this.#child.once("error", () => done(false));
    });
    this.#child.on("message", (answer: Answer) => this.#settle?.(answer));
    this.#child.on("exit", () => this.#end());
    this.#child.on("error", () => this.#end());
  }

  isAlive(): boolean {
    return this.#alive;
  }

  kill(): void {
    this.#child.kill("SIGKILL");
    this.#end();
  }

  async ask(expression: string, scope: string, timeoutMs: number): Promise<Result<unknown, Failure>> {
    this.#hold();
    if (!(await this.#ready)) {
      this.kill();
      return err(failures.notStarted());
    }
    if (!this.#alive) return err(failures.ended());
    const id = this.#nextId++;
    const answer = await new Promise<Answer | "exited" | "late">((resolve) => {
      const timer = setTimeout(() => resolve("late"), timeoutMs + graceMs + readingMs(scope));
      this.#settle = (given) => {
        clearTimeout(timer);
        resolve(given);
      };
      this.#child.send({ id, expression, scope });
    });
    this.#settle = undefined;
    this.#release();
    if (answer === "late") {
      this.kill();
      return err(failures.timeout(expression, timeoutMs));
    }
    if (answer === "exited") return err(failures.ended());
    if ("ready" in answer || answer.id !== id) {
      this.kill();
      return err(failures.ended());
    }
    if ("failure" in answer) return err(failures.ofJsonata(expression, answer.failure));
    return ok(answer.result === undefined ? undefined : JSON.parse(answer.result));
  }

  #end(): void {
    this.#alive = false;
    this.#settle?.("exited");
  }

  /** A busy process keeps the engine's event loop alive, an idle one does not (E3). */
  #hold(): void {
    this.#child.ref();
    this.#child.channel?.ref?.();
  }

  #release(): void {
    this.#child.unref();
    this.#child.channel?.unref?.();
  }
}

/** Extra time for transferring and parsing a large scope, before the expression's own time starts. */
function readingMs(scope: string): number {
  return Math.ceil(scope.length / 10_000);
}

/** The child's program: beside this file in the source tree, beside the bundle in the package. */
function program(): { entry: string; readable: string[] } {
  const here = dirname(fileURLToPath(import.meta.url));
  for (const name of ["evaluator.ts", "evaluator.js"]) {
    const entry = join(here, name);
    if (!existsSync(entry)) continue;
    // The source imports base and jsonata; the bundle contains both.
    const root = name.endsWith(".ts") ? join(here, "..", "..", "..") : join(here, "..");
    return { entry, readable: [root] };
  }
  return { entry: join(here, "evaluator.js"), readable: [join(here, "..")] };
}

/** Node's permission model, where it is stable: the process may only read the program's files. */
function wall(readable: readonly string[]): string[] {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 23 || (major === 23 && minor < 5)) return [];
  return ["--permission", "--allow-worker", ...readable.map((folder) => `--allow-fs-read=${folder}/*`)];
}
