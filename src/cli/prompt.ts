// prompt: asks on the terminal for a value that must not be seen.
//   Q1. The value is written nowhere: not to the screen, not to a file, not to a message.
//   Q2. Whatever ends the program at the question leaves a terminal that shows again what is typed.

import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Nothing when the person gave up (Ctrl-C, Ctrl-D). */
export async function askHidden(question: string): Promise<string | undefined> {
  let ended: NodeJS.Signals | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    ended = signal;
    reader.close();
  };
  // Before the terminal is changed: from then on no signal may end the program by itself (Q2).
  for (const signal of SIGNALS) process.on(signal, onSignal);
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
    for (const signal of SIGNALS) process.off(signal, onSignal);
    reader.close();
    process.stdin.pause();
    process.stderr.write("\n");
    if (ended !== undefined) process.kill(process.pid, ended);
  }
}
