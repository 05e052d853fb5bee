// orders: messages between an engine and its runner (spec 5.3). Plain data, because it crosses a socket.
//   O1. A command is named by its tag, `RUN.STEM`, which no other attempt ever has.
//   O2. Secrets cross only the socket: they are in no command line, environment, or file of Curlew.

import type { HttpCall } from "../../base/http-call.ts";
import type { EgressCall } from "../egress-proxy.ts";
import type { CommandSpec, Ended } from "../run.ts";
import type { SandboxSpec } from "../sandbox.ts";
import { tagOf as tag } from "../tree.ts";

type Plain = Pick<
  CommandSpec,
  "argv" | "env" | "cwd" | "stdin" | "timeoutMs" | "idleTimeoutMs" | "killGraceMs" | "outputBytesMax"
>;

export interface Order extends Plain {
  run: string;
  /**
   * Names the attempt's files in `folder`: STEM.out, STEM.err, STEM.ord, and STEM.end if it ended without a connected
   * engine.
   */
  stem: string;
  /** The run's folder, absolute. */
  folder: string;
  sandbox?: Omit<SandboxSpec, "door"> & { door?: { node: string; port: number } };
  /** Its own network proxy. `token` authenticates it there. */
  egress?: { allow: readonly string[]; token: string };
  /** Its stdout is secret as a whole: it reaches the disk only sealed. */
  secret?: true;
  /** Path prefix for reports of its HTTP clients (http-observer/records.ts). */
  calls?: string;
  /** If it is lost it starts again, so it is ended when another machine may repeat it (deadline.ts). */
  repeats?: true;
  /** Files and folders to remove when it has ended. Absolute paths. */
  removeAfter: string[];
  /** Returned with its end, for explaining failures. */
  about: About;
}

interface About {
  interpreter: string;
  httpsOnly: boolean;
}

/** How a command ended, with everything known about it. */
export interface CommandEnd {
  ended: Ended;
  about: About;
  /** It was ended because the deadline of its machine had passed. */
  leaseLost?: true;
  egress?: EgressCall[];
  http?: HttpCall[];
  /** Why other HTTP calls are not recorded. */
  unrecorded?: string[];
  /** Where calls went without the credentials of the node. */
  withheld?: string[];
  secret?: SecretPrinted;
}

export interface SecretPrinted {
  /** Bytes printed to stdout. */
  bytes: number;
  /** More than a secret may have, so nothing is kept. */
  tooMuch: boolean;
  printed?: Uint8Array;
  /** Only in the record of an end without a connected engine: the sealed file in the run's folder. */
  sealed?: string;
}

export type ToRunner =
  | { do: "hello"; home: string; name: string }
  /** Adds secrets to the masker `mask`. */
  | { do: "mask"; mask: number; secrets: readonly string[] }
  | { do: "forget"; mask: number }
  | { do: "start"; order: Order; mask: number; growth: boolean }
  | { do: "cancel" | "kill"; tag: string }
  /** Their ends are durable: the runner may forget them. */
  | { do: "recorded"; tags: string[] }
  | { do: "egress"; ask: number }
  /** From this time on nothing starts, and what would be repeated is ended (deadline.ts). Absent: never. */
  | { do: "deadline"; atMs?: number }
  /** An engine that resumes a run: from now on no other engine can start anything of it here. */
  | { do: "adopt"; ask: number; run: string; tags: string[]; mask: number }
  /** An orderly end: all commands of this engine are killed, except those of runs in `left`. */
  | { do: "bye"; left?: readonly string[] };

export type ToEngine =
  /** It can record starts. */
  | { tell: "ready" }
  | { tell: "grown"; tag: string; stdout: number; stderr: number }
  | { tell: "ended"; tag: string; end: CommandEnd }
  | { tell: "egress"; ask: number; port?: number; why?: string }
  | { tell: "adopted"; ask: number; found: Record<string, Adopted> }
  /** The answer to a start after another engine had taken over the run, or after the deadline. */
  | { tell: "refused"; tag: string };

/** `gone`: it is not here, and will never be started here. */
export type Adopted =
  | { state: "running"; keeps: string[]; stdout: number; stderr: number }
  | { state: "ended"; end: CommandEnd }
  | { state: "gone" };

export function tagOf({ run, stem }: { run: string; stem: string }): string {
  return tag(run, stem);
}

/** Whether a tag belongs to that run. */
export function isCommandOf(run: string, tagged: string): boolean {
  return tagged.startsWith(tag(run, ""));
}
