// relative-path: paths of files as Curlew shows them, with `/` on every system.

import { relative, sep } from "node:path";

export function relativePath(folder: string, file: string): string {
  return relative(folder, file).split(sep).join("/");
}

/** Undefined for a file outside the folder. */
export function pathIn(folder: string, file: string): string | undefined {
  const path = relativePath(folder, file);
  return path === "" || path.startsWith("..") || path.startsWith("/") ? undefined : path;
}
