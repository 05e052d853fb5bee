// beside: files of this folder, for its sources and for the bundle in dist/, which finds those of the package.

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Absolute. Throws when it does not exist. */
export function beside(name: string): string {
  const places = [`./${name}`, `../examples/sample-api/${name}`].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new Error(`A file of the sample API is missing. Looked for ${places.join(" and ")}.`);
  return found;
}
