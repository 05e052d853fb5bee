// compile-cache: the folder in which Node.js keeps compiled code of the bundle between calls.
//   P1. The cache holds code that runs with the user's rights. Outside the package it is used only if the user owns
//       every folder on its path and no one else can write to them. Node's default, a folder in /tmp, is not safe.

import { accessSync, constants, mkdirSync, statSync } from "node:fs";

/**
 * `.cache` beside the bundle if it is writable, otherwise a folder in the user's cache. Undefined if neither is safe.
 */
export function compileCacheFolder(bundle: string): string | undefined {
  try {
    accessSync(bundle, constants.W_OK);
    return `${bundle}/.cache`;
  } catch {
    return userFolder();
  }
}

/** P1. */
function userFolder(): string | undefined {
  const { XDG_CACHE_HOME, HOME } = process.env;
  const cache = [XDG_CACHE_HOME, `${HOME}/.cache`].find((path) => path?.startsWith("/"));
  if (cache === undefined || process.platform === "win32") return undefined;
  try {
    mkdirSync(`${cache}/curlew/compiled`, { recursive: true, mode: 0o700 });
    return [cache, `${cache}/curlew`, `${cache}/curlew/compiled`].every(isOwn) ? `${cache}/curlew/compiled` : undefined;
  } catch {
    return undefined;
  }
}

function isOwn(folder: string): boolean {
  const found = statSync(folder);
  return found.uid === process.geteuid?.() && (found.mode & 0o022) === 0;
}
