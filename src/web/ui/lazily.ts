// lazily: parts of the web that are loaded when they are first shown. A server that is away just then costs a wait, not the screen: the
// part is asked for again until it comes; the banner says meanwhile that the server does not answer.

import { type ComponentType, lazy } from "react";

const firstWaitMs = 500;
const longestWaitMs = 5_000;

/** Like React's `lazy`. @example const Help = lazily(() => import("./help.tsx"), (module) => module.Help); */
export function lazily<Module, Props>(load: () => Promise<Module>, pick: (module: Module) => ComponentType<Props>) {
  return lazy(async () => ({ default: pick(await loaded(load)) }));
}

/** As soon as it can be had. */
export async function loaded<Module>(load: () => Promise<Module>): Promise<Module> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}
