// check/egress: checks that the hosts of `egress: { allow }` are names or IP addresses; a typo would look like a
// blocked call (spec 4.2).

import { badEgressHost } from "../diagnostics/node.ts";
import type { CliData } from "../model.ts";
import type { Path } from "../source-map.ts";
import type { Check } from "./context.ts";

const LABEL = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?";
const HOST = new RegExp(`^(?:\\*\\.)?${LABEL}(?:\\.${LABEL})*\\.?$|^\\[?[0-9a-f]*:[0-9a-f:.]+\\]?$`, "i");

export function checkEgress(egress: CliData["egress"], path: Path, check: Check): void {
  if (typeof egress !== "object") return;
  for (const [index, entry] of egress.allow.entries())
    if (!HOST.test(entry)) check.report(badEgressHost(check.at([...path, "allow", index]), entry));
}
