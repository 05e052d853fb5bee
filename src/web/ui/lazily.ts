// lazily: loads parts of the web UI when they are first shown. If the server is unreachable then, loading is retried
// until it succeeds. The banner reports the missing server.

import { type ComponentType, lazy } from "react";

const firstWaitMs = 500;
const longestWaitMs = 5_000;

/** Like React's `lazy`. @example const Help = lazily(() => import("./help.tsx"), (module) => module.Help); */
export function lazily<Module, Props>(load: () => Promise<Module>, pick: (module: Module) => ComponentType<Props>) {
  return lazy(async () => ({ default: pick(await loaded(load)) }));
}

/** Resolves as soon as loading succeeds. */
export async function loaded<Module>(load: () => Promise<Module>): Promise<Module> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}
