// safety/asks: finds the reasons why a command of a `safe` node needs approval (spec 4.2). It protects against
// mistakes, not attacks. Curlew does not recognise programs outside its lists, or commands that a script builds while
// it runs.
//   K1. A closed list of reasons. Each is given once, at its first position, with the word found there.
//   K2. No message contains a value. The approval itself shows values, with secrets hidden.

import type { SyntaxNode } from "unbash";
import { readsProgramFromStdin } from "../rewrite/pipes.ts";
import { deletes } from "./deletes.ts";
import { requestsOf } from "./requests.ts";
import type { Call, Script } from "./script.ts";
import { type Term, wordForMessage } from "./terms.ts";

export type AskCode = "deletes" | "escalates" | "insecure-tls" | "runs-input";

export interface SafetyAsk {
  code: AskCode;
  /** One sentence for the approver. */
  message: string;
  /** The program would be a value. Approval in advance does not count, because no one can have read it. */
  mustBeSeen?: true;
  /** Offsets in the node's content; `end` is exclusive. */
  start: number;
  end: number;
}

/** Programs that run others with more privileges. */
export const ESCALATING: ReadonlySet<string> = new Set(
  "sudo su doas pkexec run0 runuser gosu su-exec sudoedit".split(" "),
);

interface Found {
  at: { start: number; end: number };
  what: string;
}

/** `fed`: standard input contains a value of the workflow. */
export function asksOf(script: Script, fed: boolean): SafetyAsk[] {
  const asks: SafetyAsk[] = [];
  const ask = (code: AskCode, found: Found | undefined, mustBeSeen?: true) => {
    if (found === undefined) return;
    const earlier = asks.find((one) => one.code === code);
    if (earlier === undefined)
      asks.push({
        code,
        message: found.what,
        start: found.at.start,
        end: found.at.end,
        ...(mustBeSeen && { mustBeSeen }),
      });
    else if (mustBeSeen) earlier.mustBeSeen = true;
  };
  for (const call of script.calls) {
    const deleted = deletes(call);
    ask("deletes", deleted && { at: deleted.at, what: `It deletes: ${deleted.says}.` });
    ask("escalates", escalation(call));
    ask("insecure-tls", insecureTls(call));
    ask("runs-input", runsDownload(call, script));
    if (fed) ask("runs-input", runsStdin(call, script), true);
  }
  return asks;
}

function escalation(call: Call): Found | undefined {
  const programs = [...call.wrappers, { name: call.name ?? "", term: call.nameTerm }];
  const found = programs.find(({ name }) => ESCALATING.has(name));
  return found && { at: found.term, what: `It runs with more rights: ${found.name}.` };
}

function insecureTls(call: Call): Found | undefined {
  const found = (at: Term, switched: string): Found => ({ at, what: `It does not check certificates: ${switched}.` });
  const request = requestsOf(call).find(({ insecure }) => insecure !== undefined);
  if (request?.insecure !== undefined) return found(request.insecure, `${request.client} ${wordForMessage(request.insecure)}`);
  const setting = call.settings.find(({ name, value }) => isInsecureSetting(name, value.literal ?? ""));
  if (setting !== undefined) return found(setting.value, `${setting.name} is set`);
  const isOff = (word: Term) => /^http\.sslVerify=(false|0|no|off)$/i.test(word.literal ?? "");
  const word = call.name === "git" ? call.args.find(isOff) : undefined;
  return word && found(word, `git ${wordForMessage(word)}`);
}

function isInsecureSetting(name: string, value: string): boolean {
  if (name === "NODE_TLS_REJECT_UNAUTHORIZED" || name === "PYTHONHTTPSVERIFY") return value === "0";
  return name === "GIT_SSL_NO_VERIFY" && !/^(|0|false|no|off)$/i.test(value);
}

/** `curl … | sh`, `eval "$(curl …)"`, `bash <(curl …)`. */
function runsDownload(call: Call, script: Script): Found | undefined {
  const what = `${call.name} runs a download as a program.`;
  if (readsProgram(call) && ahead(call, script).some(isDownload)) return { at: call.nameTerm, what };
  if (!EVALUATES.test(call.name ?? "")) return undefined;
  const at = call.args.find((word) => callsWithin(word, script).some(isDownload));
  return at && { at, what };
}

/** `bash`, `jq -r .script | sh`, `eval "$(cat)"`, if the node's standard input is a value. */
function runsStdin(call: Call, script: Script): Found | undefined {
  const what = `${call.name} runs standard input as a program, and that is a value.`;
  const reads = (one: Call) => one.feed.kind === "node" && !/^(echo|printf|true|:)$/.test(one.name ?? "");
  if (readsProgram(call) && (call.feed.kind === "node" || ahead(call, script).some(reads)))
    return { at: call.nameTerm, what };
  if (!EVALUATES.test(call.name ?? "")) return undefined;
  const passesOn = (one: Call) => one.feed.kind === "node" && /^(cat|tee|jq|base64)$/.test(one.name ?? "");
  const at = call.args.find((word) => callsWithin(word, script).some(passesOn));
  return at && { at, what };
}

const EVALUATES = /^(eval|source|\.|sh|bash|dash|zsh|ksh|python[0-9.]*|node|perl|ruby|php)$/;

function readsProgram(call: Call): boolean {
  return call.layers.length > 0 && readsProgramFromStdin(call.layers);
}

/** The commands before it in the pipe. */
function ahead({ feed }: Call, script: Script): Call[] {
  if (feed.kind !== "pipe") return [];
  return script.calls.filter((call) => !call.nested && feed.from.some((node) => contains(node, call.node)));
}

/** The commands of the substitutions in a word. */
function callsWithin(word: Term, script: Script): Call[] {
  const inside = ({ node }: Call) =>
    word.pieces.some(({ dynamic }) => dynamic !== undefined && contains(dynamic, node));
  return script.calls.filter((call) => !call.nested && inside(call));
}

function isDownload(call: Call): boolean {
  return requestsOf(call).length > 0;
}

function contains(outer: SyntaxNode, inner: SyntaxNode): boolean {
  return outer.pos <= inner.pos && inner.end <= outer.end;
}
