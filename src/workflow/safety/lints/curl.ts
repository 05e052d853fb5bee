// safety/lints/curl: curl as it is often misused: errors that pass for answers, calls without an end, retries that join bodies (4.1, "Warned").
//   U1. What may hold any option ("$@", $OPTIONS, -K) is not said to lack one.

import * as told from "../../diagnostics/safety.ts";
import { type CurlCall, hasOption, lastOption } from "../curl.ts";
import { requestsOf } from "../requests.ts";
import type { Call, Script } from "../script.ts";
import { said, textOf } from "../terms.ts";
import { type Finding, finding } from "./finding.ts";

export interface CurlSettings {
  /** httpErrors: fail or ignore. */
  decidesOnHttpErrors: boolean;
  /** The node, its defaults or the run have a time limit. */
  hasTimeLimit: boolean;
}

export function curlFindings(script: Script, settings: CurlSettings): Finding[] {
  const findings: Finding[] = [];
  for (const call of script.calls) {
    for (const { client, curl, urls, insecure } of requestsOf(call)) {
      if (insecure !== undefined && client === "curl")
        findings.push(finding(insecure, (at) => told.curlInsecure(at, said(insecure))));
      if (client !== "curl" || curl === undefined || urls.length === 0) continue;
      if (!settings.decidesOnHttpErrors && !seesStatus(curl)) findings.push(finding(call.nameTerm, told.curlNoFail));
      if (!settings.hasTimeLimit && !ends(curl, call)) findings.push(finding(call.nameTerm, told.curlNoTimeLimit));
      const unseen = unseenBy(call);
      if (unseen !== undefined && unseen.past === undefined)
        findings.push(finding(call.nameTerm, (at) => told.curlUnseen(at, unseen.how)));
      const retry = joinsBodies(curl, call);
      if (retry !== undefined) findings.push(finding(retry, (at) => told.curlRetryInPipe(at, call.outlet)));
    }
  }
  return findings;
}

/** Why a curl call does not find the curl that is in front of the real one (nodes/http-observer). The record of an attempt says the rest. */
interface Unseen {
  how: string;
  /** It goes past PATH, by a path or by its own PATH: nothing is wrong with that. */
  past?: boolean;
}

function unseenBy({ nameTerm, wrappers }: Call): Unseen | undefined {
  for (const { name, own } of wrappers) {
    const words = own.map(textOf);
    if (name === "sudo" || name === "doas") return { how: `${name} takes away what makes Curlew see curl` };
    if (name === "env" && words.some((word) => /^(?:-|-i|--ignore-environment)$/.test(word ?? "")))
      return { how: "env takes away what makes Curlew see curl" };
    if (name === "env" && words.some((word) => word?.startsWith("PATH=")))
      return { how: "env takes PATH away", past: true };
  }
  const path = said(nameTerm);
  if (!path.includes("/")) return undefined;
  return { how: `${path} is called by its path, past the curl that Curlew puts first on PATH`, past: true };
}

function seesStatus(curl: CurlCall): boolean {
  if (curl.open || hasOption(curl, "fail", "fail-with-body", "include", "head", "dump-header")) return true;
  const format = lastOption(curl, "write-out")?.value;
  if (format !== undefined) {
    const text = textOf(format);
    if (text === undefined || /^@|%\{(http_code|response_code|json|header_json|http_connect)\}/.test(text)) return true;
  }
  return textOf(lastOption(curl, "output")?.value ?? NOWHERE) === "/dev/null";
}

const NOWHERE = { pieces: [], raw: "", start: 0, end: 0 };

function ends(curl: CurlCall, call: Call): boolean {
  if (curl.open || hasOption(curl, "speed-time", "speed-limit")) return true;
  const limit = lastOption(curl, "max-time")?.value;
  if (limit !== undefined && !/^0+(\.0*)?$/.test(textOf(limit) ?? "1")) return true;
  return call.wrappers.some(({ name }) => name === "timeout");
}

/** The `--retry` whose attempts are joined: its answer goes somewhere that curl cannot take back. */
function joinsBodies(curl: CurlCall, call: Call): CurlCall["options"][number]["at"] | undefined {
  const retry = lastOption(curl, "retry");
  if (retry?.value === undefined || /^0+$/.test(textOf(retry.value) ?? "")) return undefined;
  if (hasOption(curl, "output", "remote-name", "remote-name-all", "head")) return undefined;
  // With --fail alone nothing is printed for an error; what had arrived of an answer that broke off still is.
  const quiet = hasOption(curl, "fail") && !hasOption(curl, "fail-with-body");
  return quiet && call.outlet !== "pipe" ? undefined : retry.at;
}
