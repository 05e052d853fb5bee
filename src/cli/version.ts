// version: of this package. The build writes it in; from the sources it is read from package.json.

import { readFileSync } from "node:fs";

declare const CURLEW_VERSION: string | undefined;

export function version(): string {
  if (typeof CURLEW_VERSION === "string") return CURLEW_VERSION;
  return JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version;
}
