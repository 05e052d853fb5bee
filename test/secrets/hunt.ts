// hunt: looks for a secret in every byte of a data directory and of printed output, in the encodings that programs
// write.

import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** Places that contain a secret: `journal: base64`. */
export function hunt(home: string, printed: Record<string, string>, secrets: readonly string[]): string[] {
  const places: [string, Buffer][] = [
    ...filesOf(home).flatMap((file): [string, Buffer][] => bytesOf(file).map((bytes) => [relative(home, file), bytes])),
    ...Object.entries(printed).map(([name, text]): [string, Buffer] => [name, Buffer.from(text)]),
  ];
  const found: string[] = [];
  for (const [index, secret] of secrets.entries())
    for (const [form, bytes] of Object.entries(formsOf(secret)))
      for (const [place, all] of places) if (all.includes(bytes)) found.push(`${place}: secret ${index} as ${form}`);
  return found;
}

/** Ignores a file that was renamed since it was listed: runner processes outlive the program and write on. */
function bytesOf(file: string): Buffer[] {
  try {
    return [readFileSync(file)];
  } catch (reason) {
    if ((reason as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw reason;
  }
}

export function filesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Written without the masker's own list, so that a gap there is not a gap here. */
function formsOf(secret: string): Record<string, Buffer> {
  const bytes = Buffer.from(secret);
  const aligned = [0, 1, 2].map((before): [string, Buffer] => {
    const encoded = Buffer.concat([Buffer.alloc(before, "x"), bytes]).toString("base64");
    // Letters that share no bits with a neighbour.
    return [`base64 behind ${before}`, Buffer.from(encoded.slice(before === 0 ? 0 : before + 1, -4))];
  });
  return {
    text: bytes,
    "its first half": bytes.subarray(0, Math.ceil(bytes.length / 2)),
    "its second half": bytes.subarray(Math.floor(bytes.length / 2)),
    JSON: Buffer.from(JSON.stringify(secret).slice(1, -1)),
    hex: Buffer.from(bytes.toString("hex")),
    HEX: Buffer.from(bytes.toString("hex").toUpperCase()),
    percent: Buffer.from(encodeURIComponent(secret)),
    ...Object.fromEntries(aligned),
    base64url: Buffer.from(bytes.toString("base64url").slice(0, -3)),
    UTF16: Buffer.from(secret, "utf16le"),
  };
}
