// safety/lints/curl: finds common misuse of curl: unnoticed HTTP errors, calls without a time limit, retries that join
// bodies (4.1, "Warned").
//   U1. A word that may contain any option ("$@", $OPTIONS, -K) may contain the missing one, so nothing is reported.

import type { SyntaxNode } from "unbash";
import type { Call, Script } from "../../../shell/safety/index.ts";
import {
  type CurlCall,
  hasOption,
  lastOption,
  requestsOf,
  type Term,
  wordForMessage,
} from "../../../shell/safety/index.ts";
import * as diagnostics from "../../diagnostics/safety.ts";
import { type Finding, finding } from "./finding.ts";

export interface CurlSettings {
  /** httpErrors is fail or ignore. */
  decidesOnHttpErrors: boolean;
  /** The node, its defaults or the run have a time limit. */
  hasTimeLimit: boolean;
}

export function curlFindings(script: Script, settings: CurlSettings): Finding[] {
  const findings: Finding[] = [];
  for (const call of script.calls) {
    for (const { client, curl, urls, insecure } of requestsOf(call)) {
      if (client !== "curl" || curl === undefined) continue;
      if (insecure !== undefined)
        findings.push(finding(insecure, (at) => diagnostics.curlInsecure(at, wordForMessage(insecure))));
      if (urls.length === 0) continue;
      const hasStatus = urls.some(({ literal = "" }) => /^(?:https?:|(?![a-z][a-z0-9+.-]*:\/\/))/i.test(literal));
      if (!settings.decidesOnHttpErrors && hasStatus && !seesStatus(curl))
        findings.push(finding(call.nameTerm, diagnostics.curlNoFail));
      if (!settings.hasTimeLimit && !ends(curl, call))
        findings.push(finding(call.nameTerm, diagnostics.curlNoTimeLimit));
      const retry = joinsBodies(curl, call);
      if (retry !== undefined) findings.push(finding(retry, diagnostics.curlRetryInPipe));
    }
  }
  return findings;
}

/** Words by which a script reacts to failures itself. */
const REACTS = /\bset\s+(?:[-+]\w+\s+)*-\w*e|\berrexit\b|\$\?|\bPIPESTATUS\b|\btrap\b|\b(?:exit|return)\b|^#!.*\s-\w*e/;

/**
 * Calls that another command follows, so that their failure is lost. Only whole lines count: what is in a condition, a
 * list with && or ||, or the background is the author's choice.
 */
export function lostFailures({ calls, reading: { tree } }: Script, content: string): Finding[] {
  if (REACTS.test(content)) return [];
  const { commands } = tree.root;
  const last = commands.at(-1);
  return calls.flatMap((call) => {
    const chain = call.nested ? [] : (tree.nodes.find((one) => one.at(-1) === call.node) ?? []);
    // In an argument, set -e would not see it.
    const isArgument = chain.some(({ type }) => type === "CommandExpansion") && chain[3]?.type !== "Assignment";
    const isLost = !isArgument && chain[1]?.type === "Statement" && chain[1] !== last && chain.every(isPlain);
    return isLost && requestsOf(call).length > 0 ? [finding(call.nameTerm, diagnostics.failureIgnored)] : [];
  });
}

/** Part of a line whose failure is the failure of the line. */
function isPlain(node: SyntaxNode): boolean {
  if (node.type === "Statement") return node.background !== true;
  if (node.type === "Pipeline") return node.prefixes.length === 0;
  return PLAIN.has(node.type);
}

const PLAIN = new Set(["Script", "Command", "Assignment", "Word", "DoubleQuoted", "CommandExpansion"]);

function seesStatus(curl: CurlCall): boolean {
  if (curl.open || hasOption(curl, "fail", "fail-with-body", "include", "head", "dump-header")) return true;
  const format = lastOption(curl, "write-out")?.value;
  if (format !== undefined) {
    const text = format.literal;
    if (text === undefined || /^@|%\{(http_code|response_code|json|header_json|http_connect)\}/.test(text)) return true;
  }
  return lastOption(curl, "output")?.value?.literal === "/dev/null";
}

function ends(curl: CurlCall, call: Call): boolean {
  if (curl.open || hasOption(curl, "speed-time", "speed-limit")) return true;
  const limit = lastOption(curl, "max-time")?.value;
  if (limit !== undefined && !/^0+(\.0*)?$/.test(limit.literal ?? "1")) return true;
  return call.wrappers.some(({ name }) => name === "timeout");
}

/** The `--retry` whose attempts are joined, because curl cannot take back its output. */
function joinsBodies(curl: CurlCall, call: Call): Term | undefined {
  const retry = lastOption(curl, "retry");
  if (retry?.value === undefined || /^0+$/.test(retry.value.literal ?? "")) return undefined;
  if (hasOption(curl, "output", "remote-name", "remote-name-all", "head")) return undefined;
  // With --fail alone curl prints nothing for an error, but may have printed part of a response that broke off.
  const isQuiet = hasOption(curl, "fail") && !hasOption(curl, "fail-with-body");
  return isQuiet && !call.piped ? undefined : retry.at;
}
