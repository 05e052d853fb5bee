// main: `curlew http` as a program of its own, so that only what it needs is loaded.

import { http } from "./run.ts";

export async function main(words: readonly string[]): Promise<never> {
  process.stderr.on("error", () => {});
  // undici warns that decompressing and SOCKS are new in it, on the stderr of the call.
  process.removeAllListeners("warning");
  process.exit(await http(words, process.env));
}
