// main: `curlew http` as a program of its own: only what it needs is loaded (M5 of ../main.ts).

import { http } from "./run.ts";

export async function main(words: readonly string[]): Promise<never> {
  process.stderr.on("error", () => {});
  process.exit(await http(words, process.env));
}
