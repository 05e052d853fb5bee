// main: the runner, a small process per engine that starts its commands and outlives it (spec 3.4, 5.3; ADR 32).
//   M1. Its engine uses descriptor 3. An engine that resumes its runs connects to the socket in HOME/runners/NAME.
//   M2. An engine that disconnects without `bye` has died: its commands continue under the same limits, and their ends
//       are recorded on disk (runner-dir.ts). The runner exits when it has no command and no connection.
//   M3. Once another engine has taken over a run, requests of the former engine are rejected (`refused`).
//   M4. `bye`, SIGTERM, or an internal fault ends all its commands. Runs that `bye` names follow M2.
//   M5. Its memory use does not grow with the number of commands, and it loads only what starting one needs.
//   M6. After the deadline of its machine it starts nothing, whether or not its engine is there.
//   M7. Its command line and environment have no secret.

import { rmSync } from "node:fs";
import { createServer, Socket } from "node:net";
import { join } from "node:path";
import { limits } from "../../base/limits.ts";
import { createMasker, type Masker } from "../../secrets/masker.ts";
import { removeArtifact } from "./artifacts.ts";
import { onFrames, sendFrame } from "./frames.ts";
import { createSupervisor, type SupervisedCommand, type Supervisor } from "./keeper.ts";
import { type Adopted, type CommandEnd, type Order, type ToEngine, type ToRunner, tagOf } from "./orders.ts";
import { writeOrphanResult } from "./orphan-result.ts";
import { openRunnerFolder, openStartLog, runnerFolder, type StartLog, sweepRunners } from "./runner-dir.ts";

/** A connected engine. */
interface Guest {
  send(message: ToEngine): void;
  maskers: Map<number, { masker: Masker; also: Set<Masker> }>;
}

interface Kept {
  command: SupervisedCommand;
  masker: Masker;
  guest: Guest | undefined;
  growth: boolean;
  end?: CommandEnd;
}

const kept = new Map<string, Kept>();
const guests = new Set<Guest>();
/** Runs that another engine has taken over, and that engine. */
const takenOver = new Map<string, Guest>();
let home = "";
let folder: string | undefined;
/** Some engine has died, so the records of starts must be kept. */
let isLeft = false;
let isDeaf = false;
let endedCount = 0;
const lazyBegun: StartLog = { add: (tag) => begun?.add(tag) };
let begun: StartLog | undefined;
const keeper: Supervisor = createSupervisor(lazyBegun);

process.on("SIGTERM", () => process.exit(1));
process.on("SIGINT", () => {});
process.on("SIGHUP", () => {});
process.on("uncaughtException", (reason) => {
  if (process.env.CURLEW_DEBUG === "1") console.error(reason);
  process.exit(1);
});
receive(new Socket({ fd: 3, readable: true, writable: true }));
// While the engine is still loading.
keeper.warm();

function receive(socket: Socket): void {
  const guest: Guest = {
    send: (message) => {
      if (!socket.destroyed) sendFrame(socket, message);
    },
    maskers: new Map(),
  };
  let orderly = false;
  guests.add(guest);
  socket.on("error", () => {});
  socket.on("close", () => {
    guests.delete(guest);
    if (!orderly) abandon(guest);
    endIfIdle();
  });
  onFrames<ToRunner>(socket, (message) => {
    if (message.do === "bye") {
      orderly = true;
      release(guest, message.left ?? []);
      socket.end();
    } else handle(guest, message);
  });
  socket.resume();
}

function handle(guest: Guest, message: Exclude<ToRunner, { do: "bye" }>): void {
  switch (message.do) {
    case "hello":
      open(message.home, message.name);
      break;
    case "mask":
      learn(guest, message.mask, message.secrets);
      break;
    case "forget":
      guest.maskers.delete(message.mask);
      break;
    case "start":
      start(guest, message.order, message.mask, message.growth);
      break;
    case "cancel":
      kept.get(message.tag)?.command.cancel();
      break;
    case "kill":
      kept.get(message.tag)?.command.kill();
      break;
    case "recorded":
      for (const tag of message.tags) kept.delete(tag);
      endIfIdle();
      break;
    case "egress":
      openWay(guest, message.ask);
      break;
    case "deadline":
      keeper.deadline.set(message.atMs);
      break;
    case "adopt":
      adopt(guest, message);
      break;
    default:
      message satisfies never;
  }
}

function openWay(guest: Guest, ask: number): void {
  keeper.egress().then(
    (port) => guest.send({ tell: "egress", ask, port }),
    (reason: Error) => guest.send({ tell: "egress", ask, why: reason.message }),
  );
}

/** M1. If no socket can be created, no engine can connect later, so nothing outlives the engine. */
function open(given: string, name: string): void {
  home = given;
  folder = runnerFolder(home, name);
  begun = openStartLog(folder);
  const server = createServer((socket) => receive(socket));
  const { reach, close } = openRunnerFolder(folder);
  server.on("error", () => {
    isDeaf = true;
    if (isLeft) process.exit(1);
  });
  server.listen(reach, close);
  for (const guest of guests) guest.send({ tell: "ready" });
  setTimeout(() => sweepRunners(home, Date.now()), 1_000).unref();
}

function learn(guest: Guest, mask: number, secrets: readonly string[]): void {
  const { masker, also } = maskerOf(guest, mask);
  masker.learn(secrets);
  for (const other of also) other.learn(secrets);
}

function maskerOf(guest: Guest, mask: number): { masker: Masker; also: Set<Masker> } {
  const found = guest.maskers.get(mask) ?? { masker: createMasker(), also: new Set() };
  guest.maskers.set(mask, found);
  return found;
}

function start(guest: Guest, order: Order, mask: number, growth: boolean): void {
  const tag = tagOf(order);
  const owner = takenOver.get(order.run);
  if ((owner !== undefined && owner !== guest) || keeper.deadline.isOver()) {
    for (const path of order.removeAfter) removeArtifact(path);
    guest.send({ tell: "refused", tag });
    return;
  }
  const { masker } = maskerOf(guest, mask);
  const command = keeper.start(order, masker, () => tellGrowth(tag));
  const one: Kept = { command, masker, guest, growth };
  kept.set(tag, one);
  void command.done.then((end) => {
    one.end = end;
    if (one.guest === undefined) writeDown(tag, one);
    else one.guest.send({ tell: "ended", tag, end });
    collect();
  });
}

/** M5. Runs after pending messages have been sent. */
function collect(): void {
  endedCount += 1;
  if (endedCount % limits.runnerCollectEvery === 0) setImmediate(() => globalThis.gc?.());
}

function tellGrowth(tag: string): void {
  const one = kept.get(tag);
  if (one?.growth === true) one.guest?.send({ tell: "grown", tag, ...one.command.grown });
}

function adopt(guest: Guest, { ask, run, tags, mask }: Extract<ToRunner, { do: "adopt" }>): void {
  takenOver.set(run, guest);
  const found: Record<string, Adopted> = {};
  for (const tag of tags) {
    const one = kept.get(tag);
    if (one === undefined) {
      found[tag] = { state: "gone" };
      continue;
    }
    one.guest = guest;
    one.growth = true;
    const { masker, also } = maskerOf(guest, mask);
    one.masker.learn(masker.known);
    also.add(one.masker);
    const { order, grown } = one.command;
    found[tag] =
      one.end === undefined
        ? { state: "running", keeps: order.removeAfter, ...grown }
        : { state: "ended", end: one.end };
  }
  guest.send({ tell: "adopted", ask, found });
}

/** M2. */
function abandon(guest: Guest, isMeant: (run: string) => boolean = () => true): void {
  isLeft = true;
  if (isDeaf) process.exit(1);
  for (const [run, owner] of takenOver) if (owner === guest && isMeant(run)) takenOver.set(run, NOBODY);
  for (const [tag, one] of kept) {
    if (one.guest !== guest || !isMeant(one.command.order.run)) continue;
    one.guest = undefined;
    if (one.end !== undefined) writeDown(tag, one);
  }
}

/** Owner of a run whose engine is gone. */
const NOBODY: Guest = { send: () => {}, maskers: new Map() };

/** M4. */
function release(guest: Guest, left: readonly string[]): void {
  if (left.length > 0) abandon(guest, (run) => left.includes(run));
  for (const [tag, one] of kept) {
    if (one.guest !== guest) continue;
    one.command.kill();
    if (one.end !== undefined) kept.delete(tag);
    else void one.command.done.then(() => kept.delete(tag)).then(endIfIdle);
  }
}

/** Repeats until the record is on disk. Until then an engine that resumes the run learns the end through the socket. */
function writeDown(tag: string, one: Kept): void {
  if (one.guest !== undefined || one.end === undefined || kept.get(tag) !== one) return;
  try {
    writeOrphanResult(one.command.order, one.end, home);
  } catch (reason) {
    // The run has been removed, so no one needs the record.
    if ((reason as NodeJS.ErrnoException).code !== "ENOENT") {
      setTimeout(() => writeDown(tag, one), 1_000);
      return;
    }
  }
  kept.delete(tag);
  endIfIdle();
}

function endIfIdle(): void {
  if (guests.size > 0 || kept.size > 0) return;
  if (folder !== undefined) rmSync(isLeft ? join(folder, "s") : folder, { recursive: true, force: true });
  process.exit(0);
}
