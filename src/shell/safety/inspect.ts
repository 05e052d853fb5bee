// safety/inspect: reads the command of a CLI node, and finds what needs approval and what may not run (spec 4.2).
//   N1. The command's own text decides, with its known values: before the run those in the workflow, during the run all
//       of them.
//   N2. The shell parser is loaded only for commands that contain a word on one of the lists.
// Not inspected: pwsh, cmd, and scripts whose first line names another interpreter.

import { posixDialect } from "../dialect.ts";
import type { Unbash } from "../rewrite/tree.ts";
import { type Known, referencesOf } from "../template.ts";
import { asksOf, ESCALATING, type SafetyAsk } from "./asks.ts";
import { DELETING } from "./deletes.ts";
import { FETCHERS, type PlainUse, plainUses } from "./https-only.ts";
import { CLIENTS } from "./requests.ts";
import { type Reading, readScript, type Script, scriptOf } from "./script.ts";
import type { Source } from "./terms.ts";

/** The part of a CLI node's `data` that the rules read. */
export interface Command {
  content: string;
  mode?: string;
  shell?: string;
  safetyLevel?: string;
  egress?: unknown;
  stdin?: { source: string; literal?: string };
}

export interface Inspected {
  asks: SafetyAsk[];
  plain: PlainUse[];
  script: Script;
}

/** The parsed command; undefined if it contains no listed word. `always`: parses every command. */
export async function readCommand(content: string, known: Known, always = false): Promise<Reading | undefined> {
  if (!always && !mayMatter(content)) return undefined;
  const unbash: Unbash = await import("unbash");
  return readScript(unbash, content, known);
}

export function inspect(reading: Reading, source: Source, data: Command): Inspected {
  const script = scriptOf(reading, source);
  return { asks: asksOf(script, stdinIsValue(data)), plain: plainUses(script), script };
}

/** Whether the rules of `safe` apply: bash, sh and zsh only. */
export function isInspected(data: Command): boolean {
  return posixDialect(data) !== undefined;
}

/** `https` and a list of hosts both mean that every call is encrypted. */
export function allowsPlain(data: Command, workflow: { egress?: unknown }): boolean {
  return (data.egress ?? workflow.egress) === "any" || data.safetyLevel === "advanced";
}

/** Whether standard input contains more than literal text of the workflow. */
function stdinIsValue({ stdin }: Command): boolean {
  if (stdin === undefined || stdin.source === "none") return false;
  return stdin.source !== "literal" || referencesOf(stdin.literal ?? "").length > 0;
}

/** Whether the text contains a listed name, however it is quoted. */
function mayMatter(content: string): boolean {
  return INTERESTING.test(content.replaceAll(/["'\\]|\$(?=['"])/g, "").replaceAll(/\n/g, " "));
}

const INTERPRETERS =
  "sh bash dash zsh ksh mksh ash fish eval source trap python node deno bun perl ruby php lua ssh find xargs parallel watch set git";
const NAMES = [
  ...DELETING.flatMap(({ programs }) => programs),
  ...ESCALATING,
  ...CLIENTS,
  ...FETCHERS,
  ...INTERPRETERS.split(" "),
  "NODE_TLS_REJECT_UNAUTHORIZED",
  "PYTHONHTTPSVERIFY",
  "GIT_SSL_NO_VERIFY",
].map((name) => name.replaceAll(/[.+-]/g, "\\$&"));
const INTERESTING = new RegExp(`\\\\x|\\$\\(|\`|\\[\\[|(?:^|[\\s;&|(])\\.\\s|(?<![\\w])(?:${NAMES.join("|")})`);
