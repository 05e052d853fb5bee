// main: the entry of `curlew http`, a separate bundle that loads only what it needs.

import { http } from "./run.ts";

export async function main(words: readonly string[]): Promise<never> {
  process.stderr.on("error", () => {});
  // undici's warnings about experimental features (decompression, SOCKS) would appear on the stderr of the call.
  process.removeAllListeners("warning");
  process.exit(await http(words, process.env));
}
