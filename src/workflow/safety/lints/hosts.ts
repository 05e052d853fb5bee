// safety/lints/hosts: values that nobody vouches for, where they would choose which server is asked: the host of an address, or all of it
// (4.2 "never … a URL's host").
//   T1. Told of what stands before the path: `https://${1}/`, `${1}`; not of a port behind a host of the author's.
//       An error of what a model or a delivery wrote; a warning of what a command printed: pages are found by the link in the page before.
//   T2. What stands before it and is not known counts as an address with a path, so that `$BASE${1}` is not told.
// Deliberately absent: hosts that the script itself fetched, and programs that are no HTTP client.

import * as told from "../../diagnostics/safety.ts";
import { requestsOf } from "../requests.ts";
import type { Script } from "../script.ts";
import type { Piece, Term } from "../terms.ts";
import { type Finding, finding } from "./finding.ts";

export function hostFindings(script: Script): Finding[] {
  const findings: Finding[] = [];
  for (const call of script.calls)
    for (const { urls } of requestsOf(call))
      for (const url of urls) {
        const value = chooser(url);
        if (value !== undefined)
          findings.push(
            finding(url, (at) =>
              told.untrustedHost(at, value.name, value.meaning.untrusted ?? "", value.meaning.foreign === true),
            ),
          );
      }
  return findings;
}

function chooser(url: Term): Piece["value"] | undefined {
  let ahead = "";
  for (const piece of url.pieces) {
    const { value } = piece;
    if (piece.text === undefined && value?.meaning.untrusted !== undefined)
      return decides(ahead, value) ? value : undefined;
    ahead += piece.text ?? (ahead === "" ? "https://x/" : "x");
    if (hasPath(ahead)) return undefined;
  }
  return undefined;
}

/** The host has ended. */
function hasPath(ahead: string): boolean {
  return /^\/*[^/?#]+[/?#]/.test(ahead.trimStart().replace(/^[A-Za-z][A-Za-z0-9+.-]*:\/\//, ""));
}

/** A reference is looked at before the start: behind a colon it is a port (guards.ts). Under a name of the author's it may be `@host`. */
function decides(ahead: string, { name }: NonNullable<Piece["value"]>): boolean {
  return !(name.startsWith("${") && /^\s*(?:https?:\/\/)?[A-Za-z0-9._-]+:$/.test(ahead));
}
