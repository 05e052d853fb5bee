// orders: what an engine and its runner say to each other (spec 5.3). Plain data: it crosses a socket.
//   O1. A command is named by its tag, `RUN.STEM`, which no other attempt ever has.
//   O2. Secrets cross the socket and nothing else: no command line, environment or file of ours has them.

import type { HttpCall } from "../../base/http-call.ts";
import type { EgressCall } from "../../process/egress-proxy.ts";
import type { CommandSpec, Ended } from "../../process/run.ts";
import type { SandboxSpec } from "../../process/sandbox.ts";
import { tagOf as tag } from "../../process/tree.ts";

type Plain = Pick<
  CommandSpec,
  "argv" | "env" | "cwd" | "stdin" | "timeoutMs" | "idleTimeoutMs" | "killGraceMs" | "outputBytesMax"
>;

export interface Order extends Plain {
  run: string;
  /** Names the attempt's files in `folder`: STEM.out, STEM.err, STEM.ord, and STEM.end of what ended unseen. */
  stem: string;
  /** The run's folder, absolute. */
  folder: string;
  sandbox?: Omit<SandboxSpec, "door"> & { door?: { node: string; port: number } };
  /** Its own way out; `token` is what it signs in with. */
  egress?: { allow: readonly string[]; token: string };
  /** What it prints to stdout is a secret as a whole: it reaches no disk but sealed. */
  secret?: true;
  /** Where its HTTP clients report (http-observer/records.ts). */
  calls?: string;
  /** Files and folders that are removed when it has ended. Absolute. */
  removeAfter: string[];
  /** Given back with its end, for whoever explains it. */
  about: About;
}

export interface About {
  interpreter: string;
  httpsOnly: boolean;
}

/** How a command ended, with all that is known of it. */
export interface KeptEnd {
  ended: Ended;
  about: About;
  egress?: EgressCall[];
  http?: HttpCall[];
  /** Why other HTTP calls are not recorded. */
  unrecorded?: string[];
  secret?: SecretPrinted;
}

export interface SecretPrinted {
  /** Printed to stdout. */
  bytes: number;
  /** More than a secret may have: nothing of it is kept. */
  tooMuch: boolean;
  printed?: Uint8Array;
  /** In the record of an end that nobody saw: the file of the run's folder that has it. */
  sealed?: string;
}

export type ToRunner =
  | { do: "hello"; home: string; name: string }
  /** These are secrets of the masker `mask` too. */
  | { do: "mask"; mask: number; secrets: readonly string[] }
  | { do: "forget"; mask: number }
  | { do: "start"; order: Order; mask: number; growth: boolean }
  | { do: "cancel" | "kill"; tag: string }
  /** Their ends are on disk for good: the runner may forget them. */
  | { do: "recorded"; tags: string[] }
  | { do: "egress"; ask: number }
  /** An engine that goes on with a run: from now on nobody else starts anything of it here. */
  | { do: "adopt"; ask: number; run: string; tags: string[]; mask: number }
  /** An orderly end: everything of this engine is killed, but for runs that stopped in the middle, which are left. */
  | { do: "bye"; left?: readonly string[] };

export type ToEngine =
  /** It can write down what it begins. */
  | { tell: "ready" }
  | { tell: "grown"; tag: string; stdout: number; stderr: number }
  | { tell: "ended"; tag: string; end: KeptEnd }
  | { tell: "egress"; ask: number; port?: number; why?: string }
  | { tell: "adopted"; ask: number; found: Record<string, Adopted> }
  /** A start that came after another engine had taken the run over. */
  | { tell: "refused"; tag: string };

/** `gone`: it is not here, and will never be started here. */
export type Adopted =
  | { state: "running"; keeps: string[]; stdout: number; stderr: number }
  | { state: "ended"; end: KeptEnd }
  | { state: "gone" };

export function tagOf({ run, stem }: { run: string; stem: string }): string {
  return tag(run, stem);
}

/** Whether a tag is of that run. */
export function isOf(run: string, tagged: string): boolean {
  return tagged.startsWith(tag(run, ""));
}
