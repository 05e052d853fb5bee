// version: this package's version and folder. The build inserts the version; from the sources it is read from
// package.json.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

declare const CURLEW_VERSION: string | undefined;

export function version(): string {
  if (typeof CURLEW_VERSION === "string") return CURLEW_VERSION;
  return JSON.parse(readFileSync(join(packageFolder(), "package.json"), "utf8")).version;
}

/** The folder with package.json, docs/ and examples/: the parent of dist/ or src/. */
export function packageFolder(): string {
  const folder = dirname(import.meta.filename);
  return join(folder, typeof CURLEW_VERSION === "string" ? ".." : "../..");
}
