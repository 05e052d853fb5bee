// unrecorded-calls: warns that HTTP calls of a command are not recorded (spec 3.6): the front stepped aside, or the command
// starts curl in a way that bypasses the front.

import type { AttemptEnd } from "../../base/attempt.ts";
import type { CliNode } from "../../workflow/model.ts";

/** At the start of a word: `/usr/bin/curl`, `./curl`, `~/bin/curl`, `$HOME/bin/curl`. */
const BY_PATH = /(?:^|[\s;|&(`'"=])((?:\.{0,2}|~|\$\{?\w+\}?)\/(?:[\w.@+-]+\/)*curl)(?=[\s"'`;|&)]|$)/m;
const OWN_ENVIRONMENT = /\b(sudo|doas|env\s+(?:-i|-|--ignore-environment))\s[^\n;|&]*\bcurl\s/;

/** Warnings: `curl-unseen`, and `auth-held-back` for calls without the credentials of the node. */
export function withUnrecorded(
  facts: AttemptEnd,
  { data }: CliNode,
  reported: readonly string[],
  withheld: readonly string[],
): AttemptEnd {
  const reasons = [...reported, ...reasonsIn(data.content)];
  const warnings = [
    ...reasons.map((why) => ({ code: "curl-unseen", message: `HTTP calls not recorded: ${why}.` })),
    ...withheld.map((where) => ({
      code: "auth-held-back",
      message: `Curlew did not send the credential, because it is not for ${where}. If it is, add the host to "hosts" of the auth entry.`,
    })),
  ];
  return warnings.length === 0 ? facts : { ...facts, warnings: [...(facts.warnings ?? []), ...warnings] };
}

function reasonsIn(content: string): string[] {
  const path = BY_PATH.exec(content)?.[1];
  const taker = OWN_ENVIRONMENT.exec(content)?.[1];
  const reasons = path === undefined ? [] : [`the script calls curl by its path, ${path}`];
  return taker === undefined
    ? reasons
    : [...reasons, `${taker.split(/\s/)[0]} changes the PATH, which hides Curlew's curl`];
}
