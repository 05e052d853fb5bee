// Checks the path of a document in a request, relative to the served folder (spec 4.3 S12). Pure.
//   P1. A valid path names a workflow file below the folder: no `..`, no root, no drive, no hidden name, and no
//       invisible character. A file that the listing leaves out has no valid path.
//   P2. The path was decoded once, when the URL was split. It is not decoded again, so `%2e%2e` is a file of that name.

import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";

/** Whether a file has the name of a workflow file. */
export function isWorkflowName(name: string): boolean {
  return /.\.flow\.(?:ya?ml|json)$/.test(name) && isPlainName(name);
}

/** Whether a folder is searched for workflows. */
export function isPlainFolder(name: string): boolean {
  return isPlainName(name) && name !== "node_modules";
}

// Controls, line separators, lone surrogates, bidirectional overrides, and the character
// that a decoder puts for invalid bytes.
const HIDES = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffd]/u;
// Names that have another meaning on Windows, even with an extension.
const OF_WINDOWS = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)|[<>:"|?*]|[ .]$/i;

function isPlainName(name: string, platform: NodeJS.Platform = process.platform): boolean {
  if (name === "" || name.startsWith(".") || /[/\\]/.test(name) || HIDES.test(name)) return false;
  if (platform === "win32" && OF_WINDOWS.test(name)) return false;
  return Buffer.byteLength(name) <= limits.fileNameBytesMax;
}

/** The folders and the name of the file. The error is a sentence that says what is invalid. */
export function segmentsOf(path: string): Result<string[], string> {
  if (path.length > limits.servedPathCharsMax)
    return err(`It has more than ${limits.servedPathCharsMax} characters, the most that a path may have.`);
  const segments = path.split("/");
  const name = segments.at(-1)!;
  const folders = segments.slice(0, -1);
  if (!folders.every(isPlainFolder) || !isPlainName(name))
    return err("It is not a plain path below the served folder: no `..`, no empty or hidden part, no backslash.");
  if (!isWorkflowName(name)) return err("It does not end with .flow.yaml, .flow.yml or .flow.json.");
  if (folders.length > limits.servedDepthMax)
    return err(`It lies more than ${limits.servedDepthMax} folders deep, deeper than is looked.`);
  return ok(segments);
}
