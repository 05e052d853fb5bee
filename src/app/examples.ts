// examples: the workflows that are part of the package, for the demo and `curlew new --like`.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const EXTENSION = ".flow.yaml";

export function examplesFolder(): string {
  const file = import.meta.filename;
  return join(dirname(file), file.endsWith(".cjs") ? "../examples" : "../../examples");
}

export function exampleNames(): string[] {
  return readdirSync(examplesFolder())
    .filter((name) => name.endsWith(EXTENSION))
    .map((name) => name.slice(0, -EXTENSION.length))
    .sort();
}

export function exampleText(name: string): string {
  return readFileSync(join(examplesFolder(), `${name}${EXTENSION}`), "utf8");
}

/** Files that the text names and that are in the package, and the files that those name. Paths relative to the example. */
export function filesBeside(text: string, found = new Set<string>()): string[] {
  for (const [path] of text.matchAll(/(?<![\w./-])[\w-][\w./-]*\.(?:flow\.yaml|sh|js|mjs|py|pem|json)(?![\w/])/g)) {
    const file = join(examplesFolder(), path);
    if (found.has(path) || path.includes("..") || !existsSync(file)) continue;
    found.add(path);
    if (path.endsWith(EXTENSION)) filesBeside(readFileSync(file, "utf8"), found);
  }
  return [...found];
}
