// safety/asks: why a person should look before a command of a `safe` node runs, found in what will run (spec 4.2).
// A help against mistakes, not a wall: a program that is not listed, or that a script puts together while it runs, is not seen.
//   K1. A closed list of reasons; each is told once, at the first place, with what was seen there.
//   K2. No message holds a value: what a value is stands in the approval itself, secrets hidden.

import { deletes } from "./deletes.ts";
import { runsInput } from "./interpreters.ts";
import { requestsOf } from "./requests.ts";
import type { Call, Script } from "./script.ts";
import { said, textOf } from "./terms.ts";
import { untrustedArgument } from "./untrusted.ts";
import { outsideWrites, type Places } from "./writes.ts";

export type AskCode = "deletes" | "escalates" | "writes-outside" | "insecure-tls" | "untrusted-value" | "runs-input";

export interface SafetyAsk {
  code: AskCode;
  /** One sentence for the person who decides. */
  message: string;
  /** A value would be the program: nobody can have approved it before it was there. */
  mustBeSeen?: true;
  /** In the author's content; `end` is exclusive. */
  start: number;
  end: number;
}

export interface Circumstances {
  places: Places;
  /** What standard input brings, when that is not the document's own text: `the output of "fetch"`. */
  stdin: string | undefined;
  /** env.static, for settings that switch checks off. */
  statics: Readonly<Record<string, string>>;
}

/** Programs that run others with more rights. */
export const ESCALATING: ReadonlySet<string> = new Set([
  "sudo",
  "su",
  "doas",
  "pkexec",
  "run0",
  "runuser",
  "gosu",
  "su-exec",
  "sudoedit",
]);

export function asksOf(script: Script, given: Circumstances): SafetyAsk[] {
  const asks: SafetyAsk[] = [];
  const ask = (code: AskCode, at: { start: number; end: number }, message: string) => {
    if (!asks.some((one) => one.code === code)) asks.push({ code, message, start: at.start, end: at.end });
  };
  for (const call of script.calls) {
    const deleted = deletes(call);
    if (deleted !== undefined) ask("deletes", deleted.at, `It deletes: ${deleted.says}.`);
    const raised = escalation(call);
    if (raised !== undefined) ask("escalates", raised.at, `It takes more rights: ${raised.name}.`);
    for (const target of outsideWrites(call, script, given.places))
      ask("writes-outside", target, `It writes outside its working folder: ${said(target)}.`);
    const insecure = insecureTls(call);
    if (insecure !== undefined) ask("insecure-tls", insecure.at, `It does not check who answers: ${insecure.says}.`);
    const untrusted = untrustedArgument(call);
    if (untrusted !== undefined)
      ask("untrusted-value", untrusted.at, `${untrusted.what}, and ${untrusted.name} in it is ${untrusted.from}.`);
    const runs = runsInput(call, script, given);
    if (runs !== undefined) ask("runs-input", runs.at, `${runs.what}.`);
    const told = asks.find(({ code }) => code === "runs-input");
    if (runs?.value === true && told !== undefined) told.mustBeSeen = true;
  }
  const setting = Object.entries(given.statics).find(([name, value]) => isInsecureSetting(name, value));
  if (setting !== undefined)
    ask("insecure-tls", { start: 0, end: 0 }, `It does not check who answers: ${setting[0]} is set.`);
  return asks;
}

function escalation(call: Call): { at: { start: number; end: number }; name: string } | undefined {
  const wrapper = call.wrappers.find(({ name }) => ESCALATING.has(name));
  if (wrapper !== undefined) return { at: wrapper.term, name: wrapper.name };
  return call.name !== undefined && ESCALATING.has(call.name) ? { at: call.nameTerm, name: call.name } : undefined;
}

function insecureTls(call: Call): { at: { start: number; end: number }; says: string } | undefined {
  const request = requestsOf(call).find(({ insecure }) => insecure !== undefined);
  if (request?.insecure !== undefined)
    return { at: request.insecure, says: `${request.client} ${said(request.insecure)}` };
  const setting = call.settings.find(({ name, value }) => isInsecureSetting(name, textOf(value) ?? ""));
  if (setting !== undefined) return { at: setting.value, says: `${setting.name} is set` };
  const git =
    call.name === "git"
      ? call.args.find((word) => /^http\.sslVerify=(false|0|no|off)$/i.test(textOf(word) ?? ""))
      : undefined;
  return git === undefined ? undefined : { at: git, says: `git ${said(git)}` };
}

/** Settings that switch the check of certificates off. */
export function isInsecureSetting(name: string, value: string): boolean {
  if (name === "NODE_TLS_REJECT_UNAUTHORIZED" || name === "PYTHONHTTPSVERIFY") return value === "0";
  return name === "GIT_SSL_NO_VERIFY" && !/^(|0|false|no|off)$/i.test(value);
}
