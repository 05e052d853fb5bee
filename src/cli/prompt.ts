// prompt: asks on the terminal for a value that must not be seen.
//   Q1. The value is written nowhere: not to the screen, not to a file, not to a message.

import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

/** Nothing when the person gave up (Ctrl-C, Ctrl-D). */
export async function askHidden(question: string): Promise<string | undefined> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 });
  // Asked only now that the terminal echoes nothing any more: what was pasted too early would stand there.
  process.stderr.write(question);
  try {
    return await new Promise<string | undefined>((resolve) => {
      reader.once("SIGINT", () => resolve(undefined));
      reader.once("close", () => resolve(undefined));
      reader.question("").then(resolve, () => resolve(undefined));
    });
  } finally {
    reader.close();
    process.stdin.pause();
    process.stderr.write("\n");
  }
}
