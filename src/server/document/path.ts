// path: the path of a document as a request names it, relative to the served folder (spec 4.3 S12). Pure.
//   P1. A path that passes names a workflow file below the folder in plain words: no way up, no root, no drive, no hidden name, nothing
//       that a screen hides. What the listing leaves out cannot be named either.
//   P2. It was decoded once, by whoever split the address; nothing is decoded here. `%2e%2e` is a file of that name.
// Deliberately absent: whether it is there, and whether links lead out: folder.ts.

import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";

/** What a workflow file is called. */
export function isWorkflowName(name: string): boolean {
  return /.\.flow\.(?:ya?ml|json)$/.test(name) && isPlainName(name);
}

/** A folder that is looked into. */
export function isPlainFolder(name: string): boolean {
  return isPlainName(name) && name !== "node_modules";
}

// Controls, line separators, halves of characters, bidirectional overrides, and what a decoder puts for bytes that are no text.
const HIDES = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffd]/u;
// Names that Windows gives another meaning, also with an ending.
const OF_WINDOWS = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)|[<>:"|?*]|[ .]$/i;

function isPlainName(name: string, platform: NodeJS.Platform = process.platform): boolean {
  if (name === "" || name.startsWith(".") || /[/\\]/.test(name) || HIDES.test(name)) return false;
  if (platform === "win32" && OF_WINDOWS.test(name)) return false;
  return Buffer.byteLength(name) <= limits.fileNameBytesMax;
}

/** Its folders and its name. The error says what is wrong, in a sentence. */
export function segmentsOf(path: string): Result<string[], string> {
  if (path.length > limits.servedPathCharsMax)
    return err(`It has more than ${limits.servedPathCharsMax} characters, the most that a path may have.`);
  const segments = path.split("/");
  const name = segments.at(-1)!;
  const folders = segments.slice(0, -1);
  if (!folders.every(isPlainFolder) || !isPlainName(name))
    return err("It is no plain path below the served folder: no `..`, no empty or hidden part, no backslash.");
  if (!isWorkflowName(name)) return err("It does not end with .flow.yaml, .flow.yml or .flow.json.");
  if (folders.length > limits.servedDepthMax)
    return err(`It lies more than ${limits.servedDepthMax} folders deep, deeper than is looked.`);
  return ok(segments);
}
