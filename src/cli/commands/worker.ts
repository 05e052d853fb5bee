// worker: takes runs of a cluster and drives them, without a server (spec 6.2).
//   W1. SIGTERM leaves its commands to their runner, and holds its lease for --restart-lease: the next start of this
//       worker adopts them. A second signal ends it at once, which costs nothing more than that.
//   W2. A worker that was declared dead ends its commands and begins again with a new lease.

import { hostname } from "node:os";
import { type Cluster, type ClusterGiven, neededCluster, openClusterEngineFor } from "../../app/cluster.ts";
import type { Failure } from "../../base/failure.ts";
import { harmless } from "../../base/text.ts";
import { Exit } from "../exit.ts";
import { type HomeOption, homeOf, refused } from "../open.ts";
import { listenForEnd } from "../signals.ts";
import type { Terminal } from "../terminal.ts";
import { version } from "../version.ts";

export interface WorkerOptions extends HomeOption, ClusterGiven {
  name?: string;
  labels?: string[];
  slots: number;
  lease: number;
  restartLease: number;
  patience: number;
}

export async function worker(options: WorkerOptions, terminal: Terminal): Promise<Exit> {
  const home = homeOf(options, terminal);
  const cluster = await neededCluster({ ...options, env: terminal.env, home, cwd: terminal.cwd });
  if (!cluster.ok) return refused(cluster.error, terminal);
  const asked = listenForEnd(terminal);
  for (let again = false; ; again = true) {
    const ended = await works(cluster.value, home, { ...options, again }, asked, terminal);
    if (ended !== "fenced") return ended;
  }
}

/** From its registration until it is asked to end, or declared dead. */
async function works(
  cluster: Cluster,
  home: string,
  { name = hostname(), labels, slots, lease, patience, restartLease, again }: WorkerOptions & { again: boolean },
  asked: Promise<"asked">,
  terminal: Terminal,
): Promise<Exit | "fenced"> {
  const say = (text: string): void => terminal.err(`${new Date().toISOString()} ${harmless(text)}\n`);
  const { promise: fenced, resolve: fence } = Promise.withResolvers<"fenced">();
  const opened = await openClusterEngineFor(
    cluster,
    { home, env: terminal.env, onWarning: warnings(say) },
    {
      ...{ name, labels, slots, leaseMs: lease, patienceMs: patience, version: version(), takes: true, again },
      onFenced: () => fence("fenced"),
      onTaken: ({ id, done }) => {
        say(`Run ${id} is taken.`);
        done.then(
          ({ status }) => say(`Run ${id} ${status}.`),
          () => say(`Run ${id} has left this machine.`),
        );
      },
    },
  );
  if (!opened.ok) return refused(opened.error, terminal);
  const engine = opened.value;
  say(`Machine ${name} takes up to ${slots} runs at a time. Ctrl-C ends it.`);
  if ((await Promise.race([asked, fenced])) === "fenced") {
    say(`Machine ${name} was declared dead. Curlew ended its commands and starts it again.`);
    await engine.close();
    return "fenced";
  }
  say("Closing: running commands continue, and the next start of this machine adopts them.");
  await engine.leaveFor(restartLease);
  return Exit.OK;
}

/** Prints a problem once until another one comes, because a lease is renewed often. */
function warnings(say: (text: string) => void): (warning: Failure) => void {
  let last = "";
  return ({ code, message }) => {
    if (message !== last) say(`${code}: ${message}`);
    last = message;
  };
}
