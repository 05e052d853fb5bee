// safety/interpreters: programs that come from outside the document and are run: read from standard input, or downloaded (spec 4.2).
//   I1. What an interpreter is fed by the author's own text (a heredoc, a file, printf) is no reason to ask.

import type { SyntaxNode } from "unbash";
import { readsProgramFromStdin } from "../shell/feeds.ts";
import { requestsOf } from "./requests.ts";
import type { Call, Script } from "./script.ts";
import type { Term } from "./terms.ts";

/** What the node hands to its command on standard input, when that is not the document's own text: `the output of "fetch"`. */
export interface Given {
  stdin: string | undefined;
}

/** `value`: it is what the node hands to its command, not what the command fetches. */
export function runsInput(
  call: Call,
  script: Script,
  given: Given,
): { at: Term; what: string; value: boolean } | undefined {
  if (call.layers.length > 0 && readsProgramFromStdin(call.layers)) {
    const from = sourceOf(call.feed, script, given);
    if (from !== undefined)
      return { at: call.nameTerm, what: `${call.name} runs ${from} as a program`, value: from === given.stdin };
  }
  if (!EVALUATES.test(call.name ?? "")) return undefined;
  for (const word of call.args) {
    const inner = callsWithin(word, script);
    if (inner.some((one) => requestsOf(one).length > 0))
      return { at: word, what: `${call.name} runs what a server answers`, value: false };
    if (
      given.stdin !== undefined &&
      inner.some(({ name, feed }) => feed.kind === "node" && /^(cat|tee|jq|base64)$/.test(name ?? ""))
    )
      return { at: word, what: `${call.name} runs ${given.stdin} as a program`, value: true };
  }
  return undefined;
}

const EVALUATES = /^(eval|source|\.|sh|bash|dash|zsh|ksh|python[0-9.]*|node|perl|ruby|php)$/;

function sourceOf(feed: Call["feed"], script: Script, given: Given): string | undefined {
  if (feed.kind === "node") return given.stdin;
  if (feed.kind !== "pipe") return undefined;
  const ahead = script.calls.filter((call) => !call.nested && feed.from.some((node) => contains(node, call.node)));
  if (ahead.some((call) => requestsOf(call).length > 0)) return "what a server answers";
  return given.stdin !== undefined &&
    ahead.some((call) => call.feed.kind === "node" && !/^(echo|printf|true|:)$/.test(call.name ?? ""))
    ? given.stdin
    : undefined;
}

function callsWithin(word: Term, script: Script): Call[] {
  return script.calls.filter(
    (call) => !call.nested && word.pieces.some(({ dynamic }) => dynamic !== undefined && contains(dynamic, call.node)),
  );
}

function contains(outer: SyntaxNode, inner: SyntaxNode): boolean {
  return outer.pos <= inner.pos && inner.end <= outer.end;
}
