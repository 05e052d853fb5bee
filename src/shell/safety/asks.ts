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

/** `fed`: standard input contains a value of the workflow. */
export function asksOf(script: Script, fed: boolean): SafetyAsk[] {
  const asks = script.calls.flatMap((call) =>
    [
      deletion(call),
      escalation(call),
      insecureTls(call),
      runsDownload(call, script),
      fed ? runsStdin(call, script) : undefined,
    ].filter((ask) => ask !== undefined),
  );
  const byCode = Map.groupBy(asks, ({ code }) => code);
  return [...byCode.values()].flatMap(([first, ...more]): SafetyAsk[] => {
    if (first === undefined) return [];
    return more.some(({ mustBeSeen }) => mustBeSeen) ? [{ ...first, mustBeSeen: true }] : [first];
  });
}

function ask(code: AskCode, { start, end }: Term, message: string): SafetyAsk {
  return { code, message, start, end };
}

function deletion(call: Call): SafetyAsk | undefined {
  const found = deletes(call);
  return found && ask("deletes", found.at, `It deletes: ${found.says}.`);
}

function escalation(call: Call): SafetyAsk | undefined {
  const programs = [...call.wrappers, { name: call.name ?? "", term: call.nameTerm }];
  const found = programs.find(({ name }) => ESCALATING.has(name));
  return found && ask("escalates", found.term, `It runs with more rights: ${found.name}.`);
}

function insecureTls(call: Call): SafetyAsk | undefined {
  const found = (at: Term, switched: string) => ask("insecure-tls", at, `It does not check certificates: ${switched}.`);
  const request = requestsOf(call).find(({ insecure }) => insecure !== undefined);
  if (request?.insecure !== undefined)
    return found(request.insecure, `${request.client} ${wordForMessage(request.insecure)}`);
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
function runsDownload(call: Call, script: Script): SafetyAsk | undefined {
  const what = `${call.name} runs a download as a program.`;
  if (readsProgram(call) && ahead(call, script).some(isDownload)) return ask("runs-input", call.nameTerm, what);
  if (!EVALUATES.test(call.name ?? "")) return undefined;
  const at = call.args.find((word) => callsWithin(word, script).some(isDownload));
  return at && ask("runs-input", at, what);
}

/** `bash`, `jq -r .script | sh`, `eval "$(cat)"`, if the node's standard input is a value. */
function runsStdin(call: Call, script: Script): SafetyAsk | undefined {
  const what = `${call.name} runs standard input as a program, and that is a value.`;
  const reads = (one: Call) => one.feed.kind === "node" && !/^(echo|printf|true|:)$/.test(one.name ?? "");
  if (readsProgram(call) && (call.feed.kind === "node" || ahead(call, script).some(reads)))
    return { ...ask("runs-input", call.nameTerm, what), mustBeSeen: true };
  if (!EVALUATES.test(call.name ?? "")) return undefined;
  const passesOn = (one: Call) => one.feed.kind === "node" && /^(cat|tee|jq|base64)$/.test(one.name ?? "");
  const at = call.args.find((word) => callsWithin(word, script).some(passesOn));
  return at && { ...ask("runs-input", at, what), mustBeSeen: true };
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
