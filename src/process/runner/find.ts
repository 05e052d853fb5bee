// find: finds out what became of an attempt whose engine died or lost its connection to the runner (spec 3.4, 4.4).
//   F1. While its runner lives, the runner is asked, and then starts nothing of that run for another engine. If it is
//       dead, its records count: an end, or a start. A command without a record was never started.
//   F2. A suspended runner is woken. A runner that lives but does not answer is killed first, then its records count.
//   F3. After a reboot only a recorded end counts, because records of starts may be lost.

import { rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { limits } from "../../base/limits.ts";
import type { Masker } from "../../secrets/masker.ts";
import { stateOf, wake } from "../identity.ts";
import type { GrowthListener } from "../output.ts";
import type { CommandOutcome, FoundCommand } from "./client.ts";
import type { Link } from "./link.ts";
import { type CommandEnd, tagOf } from "./orders.ts";
import { endFile, openRunnerFolder, readEnd, runnerFolder } from "./runner-dir.ts";

/** Location of an attempt's files. */
export interface AttemptFolder {
  run: string;
  stem: string;
  /** The run's folder, absolute. */
  folder: string;
}

export interface Finding {
  home: string;
  masker: Masker;
  onGrowth: GrowthListener | undefined;
  reach(name: string, connect: () => Promise<{ pid: number; socket: Socket } | undefined>): Promise<Link | undefined>;
  /** Called if its runner is dead and left no recorded end. */
  became(): Promise<"not-started" | "lost">;
}

export function findRunning(by: string | undefined, place: AttemptFolder, finding: Finding): FoundCommand {
  const tag = tagOf(place);
  const state: { link?: Link; stopped?: "cancel" | "kill"; fromFile?: boolean } = {};
  const sought = by === undefined ? Promise.resolve<Sought>("lost") : seek(by, place, finding);
  const found = sought.then((what) => ({
    adopted: typeof what === "object",
    keeps: typeof what === "object" && "keeps" in what ? what.keeps : [],
  }));
  const done = sought.then((what): CommandOutcome | Promise<CommandOutcome> => {
    if (typeof what === "string") return what;
    if ("end" in what) {
      if (what.link === undefined) state.fromFile = true;
      else state.link = what.link;
      return what.end;
    }
    const { link } = what;
    state.link = link;
    if (state.stopped !== undefined) link.stop(tag, state.stopped);
    return what.done;
  });
  const stop = (how: "cancel" | "kill"): void => {
    if (state.stopped !== "kill") state.stopped = how;
    state.link?.stop(tag, how);
  };
  return {
    found,
    done,
    cancel: () => stop("cancel"),
    kill: () => stop("kill"),
    recorded: () => {
      if (state.fromFile === true) rmSync(endFile(place.folder, place.stem), { force: true });
      else state.link?.wasRecorded(tag);
    },
  };
}

type Sought =
  | { link: Link; keeps: string[]; done: Promise<CommandOutcome> }
  | { end: CommandEnd; link?: Link }
  | "not-started"
  | "lost";

async function seek(by: string, place: AttemptFolder, finding: Finding): Promise<Sought> {
  const folder = runnerFolder(finding.home, by);
  const untilMs = performance.now() + limits.runnerAnswerMs;
  for (;;) {
    const { state, pid } = stateOf(by);
    if (state === "other-boot") return ended(place) ?? "lost";
    if (state === "dead") break;
    wake(pid);
    const link = await finding.reach(by, () => connected(folder, pid));
    const taken = link && (await adopted(link, place, untilMs, finding));
    if (taken === "gone") break;
    if (taken !== undefined) return taken;
    if (performance.now() < untilMs) await pause();
    else kill(pid);
  }
  return ended(place) ?? finding.became();
}

/** `gone`: the runner has no such command. Undefined: it did not answer. */
async function adopted(
  link: Link,
  place: AttemptFolder,
  untilMs: number,
  { masker, onGrowth, became }: Finding,
): Promise<Sought | "gone" | undefined> {
  const tag = tagOf(place);
  let settle!: (outcome: CommandOutcome | Promise<CommandOutcome>) => void;
  const done = new Promise<CommandOutcome>((resolve) => {
    settle = resolve;
  });
  // Registered before asking, because its end may arrive together with the answer.
  link.wait(tag, {
    onGrowth,
    grown: { stdout: 0, stderr: 0 },
    settle: (end) => settle(typeof end === "object" ? end : became()),
  });
  const one = (await within(untilMs, link.adopt(place.run, [tag], masker)))?.[tag];
  if (one?.state !== "running") link.forget(tag);
  if (one === undefined) return undefined;
  if (one.state === "gone") return "gone";
  if (one.state === "ended") return { end: one.end, link };
  for (const stream of ["stdout", "stderr"] as const) if (one[stream] > 0) onGrowth?.(stream, one[stream]);
  return { link, keeps: one.keeps, done };
}

function ended({ folder, stem }: AttemptFolder): Sought | undefined {
  const end = readEnd(folder, stem);
  return end === undefined ? undefined : { end };
}

function connected(folder: string, pid: number): Promise<{ pid: number; socket: Socket } | undefined> {
  return new Promise((resolve) => {
    let way: ReturnType<typeof openRunnerFolder>;
    try {
      way = openRunnerFolder(folder);
    } catch {
      return resolve(undefined);
    }
    const socket = connect(way.reach);
    const fail = (): void => {
      way.close();
      resolve(undefined);
    };
    socket.once("error", fail);
    socket.once("connect", () => {
      way.close();
      socket.off("error", fail);
      resolve({ pid, socket });
    });
  });
}

function within<T>(untilMs: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.max(0, untilMs - performance.now()));
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

/** F2. The caller has verified that the PID still belongs to that process. */
function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has already ended.
  }
}
