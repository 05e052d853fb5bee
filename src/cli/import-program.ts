// import-program: imports a workflow that is written in TypeScript or JavaScript (`NAME.flow.ts`, spec 1.1).
//   I1. `curlew` is the package of the running program, so a program needs no installed package.
//   I2. A file with `import` or `export` statements is an ES module, whatever the nearest package.json says.

import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Throws whatever the program throws. */
export async function importProgram(path: string): Promise<unknown> {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "curlew"
        ? { url: new URL("./index.js", import.meta.url).href, format: "module", shortCircuit: true }
        : next(specifier, context),
    load: (url, context, next) => next(url, isModule(url) ? { ...context, format: formatOf(url) } : context),
  });
  try {
    const built = ((await import(pathToFileURL(path).href)) as { default?: unknown }).default;
    return typeof built === "function" ? await built() : built;
  } finally {
    hooks.deregister();
  }
}

/** I2. Packages say what they are. */
function isModule(url: string): boolean {
  if (!/^file:.*\.[jt]s$/.test(url) || url.includes("/node_modules/")) return false;
  return /^\s*(import\s*["'{*\w]|export[\s{*])/m.test(readFileSync(fileURLToPath(url), "utf8"));
}

function formatOf(url: string): string {
  return url.endsWith(".ts") ? "module-typescript" : "module";
}
