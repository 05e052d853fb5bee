// chaos: a machine of a cluster that is killed, stopped, and cut off, and is up again afterwards (spec 6.7).

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { stateOf } from "../../src/process/identity.ts";
import { endRunners, type Folder, killIfThere, MAIN, type Started, started } from "../cli/curlew.ts";
import { startProxy } from "../store/proxy.ts";
import type { Unwatched } from "./judge.ts";

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
/** Machines that ended and were not killed. */
export const died: string[] = [];
export const unwatched: Unwatched[] = [];

export type Machine = Awaited<ReturnType<typeof machine>>;

/** A worker or a server as a process, with a link to the database that can be cut. */
export async function machine(name: string, args: string, leaseMs: number, place: Folder, url: string, port: number) {
  let isAsked = false;
  const proxy = await startProxy(port);
  onTestFinished(() => proxy.close());
  const home = join(place.path, `home-${name}`);
  onTestFinished(() => {
    isAsked = true;
    return endRunners(home, "SIGTERM");
  });
  const env = { CURLEW_DB: url.replace(/:\d+\//, `:${proxy.port}/`), CURLEW_KEY_FILE: join(place.path, "key") };
  const begin = (): Started => {
    isAsked = false;
    const now = started(process.execPath, ["--", MAIN, ...args.split(" ")], place.path, { env }, home);
    void now.done.then(({ code, stderr }) => isAsked || died.push(`${name} (${code}): ${stderr}`));
    return now;
  };
  const it = {
    ...{ name, home, leaseMs, proxy, now: begin() },
    signal: (signal: NodeJS.Signals) => void it.now.process.kill(signal),
    signalRunners: (signal: NodeJS.Signals): void => {
      for (const { name, pid } of runnersIn(home)) {
        unwatched.push({ runner: name, fromMs: Date.now() });
        killIfThere(pid, signal);
      }
    },
    /** Until it is there: a start fails while the database is away or the name is taken. */
    start: async (): Promise<void> => {
      for (;;) {
        it.now = begin();
        isAsked = true;
        const said = it.now.says(name.startsWith("s") ? "Ctrl-C ends" : `Machine ${name} takes`);
        isAsked = !(await said.then(
          () => true,
          () => false,
        ));
        if (!isAsked) return;
        await pause(300);
      }
    },
    end: async (signal: NodeJS.Signals): Promise<void> => {
      isAsked = true;
      it.signal(signal);
      await it.now.done;
    },
  };
  return it;
}

const runnersIn = (home: string) =>
  (existsSync(join(home, "runners")) ? readdirSync(join(home, "runners")) : [])
    .map((name) => ({ name, ...stateOf(name) }))
    .filter(({ state }) => state === "alive");

/** For a run that did not end: the runners of each machine, what they have begun, and what the machine said until now. */
export async function lastWords(machines: readonly Machine[]): Promise<string> {
  const words = machines.map(async (it) => {
    const runners = runnersIn(it.home).map(({ name }) => {
      const begun = join(it.home, "runners", name, "begun");
      return `runner ${name}: ${existsSync(begun) ? readFileSync(begun, "utf8").trim().split("\n").slice(-5).join(" ") : ""}`;
    });
    const late = setTimeout(() => it.signal("SIGKILL"), 10_000);
    await it.end("SIGTERM").finally(() => clearTimeout(late));
    const { stdout, stderr } = await it.now.done;
    return [it.name, ...runners, ...`${stdout}\n${stderr}`.split("\n").slice(-40)].join("\n  ");
  });
  return (await Promise.all(words)).join("\n");
}

const long = ({ leaseMs }: Machine): Promise<void> => pause(leaseMs + 2_500);
const stop = (it: Machine): void => it.signal("SIGSTOP");
const wake = (it: Machine): void => it.signal("SIGCONT");

/** Faults of a machine. It is up again afterwards. */
export const FAULTS: Record<string, (it: Machine) => Promise<void>> = {
  killed: (it) => it.end("SIGKILL").then(it.start),
  "killed and gone": async (it) => {
    await it.end("SIGKILL");
    await long(it);
    await it.start();
  },
  ended: (it) => it.end("SIGTERM").then(it.start),
  "runner killed": async (it) => it.signalRunners("SIGKILL"),
  "killed with its runner": async (it) => {
    it.signalRunners("SIGKILL");
    await it.end("SIGKILL").then(it.start);
  },
  stopped: async (it) => {
    stop(it);
    await pause(2_000);
    wake(it);
  },
  "stopped for long": async (it) => {
    stop(it);
    await long(it);
    wake(it);
  },
  "stopped for long with its runner": async (it) => {
    stop(it);
    it.signalRunners("SIGSTOP");
    await long(it);
    it.signalRunners("SIGCONT");
    wake(it);
  },
  cut: async (it) => {
    it.proxy.cut();
    await pause(2_000);
    it.proxy.join();
  },
  "cut for long": async (it) => {
    it.proxy.cut();
    await long(it);
    it.proxy.join();
  },
};
