// unrecorded-calls: warns that HTTP calls of a command are not recorded (spec 3.6): the front stepped aside, or the command
// starts curl in a way that bypasses the front.

import type { CliNode } from "../../workflow/model.ts";
import type { Facts } from "../executor.ts";

/** At the start of a word: `/usr/bin/curl`, `./curl`, `~/bin/curl`, `$HOME/bin/curl`. */
const BY_PATH = /(?:^|[\s;|&(`'"=])((?:\.{0,2}|~|\$\{?\w+\}?)\/(?:[\w.@+-]+\/)*curl)(?=[\s"'`;|&)]|$)/m;
const OWN_ENVIRONMENT = /\b(sudo|doas|env\s+(?:-i|-|--ignore-environment))\s[^\n;|&]*\bcurl\s/;

/** Warning: `curl-unseen`. */
export function withUnrecorded(facts: Facts, { data }: CliNode, reported: readonly string[]): Facts {
  const reasons = [...reported, ...reasonsIn(data.content)];
  if (reasons.length === 0) return facts;
  const warnings = reasons.map((why) => ({ code: "curl-unseen", message: `HTTP calls not recorded: ${why}.` }));
  return { ...facts, warnings: [...(facts.warnings ?? []), ...warnings] };
}

function reasonsIn(content: string): string[] {
  const path = BY_PATH.exec(content)?.[1];
  const taker = OWN_ENVIRONMENT.exec(content)?.[1];
  const reasons = path === undefined ? [] : [`${path} is started by its path`];
  return taker === undefined
    ? reasons
    : [...reasons, `${taker.split(/\s/)[0]} takes away the PATH that leads to Curlew's curl`];
}
