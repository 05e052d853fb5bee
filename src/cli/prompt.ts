// prompt: asks on the terminal for a value that must stay hidden.
//   Q1. The value is never written to the screen, a file or a message.
//   Q2. The terminal echoes input again afterwards, whatever ends the program.

import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { Terminal } from "./terminal.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Undefined if the user pressed Ctrl-C or Ctrl-D. */
export async function askHidden(question: string, terminal: Terminal): Promise<string | undefined> {
  let ended: NodeJS.Signals | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    ended = signal;
    reader.close();
  };
  // Before the terminal changes: from then on, no signal may end the program directly (Q2).
  for (const signal of SIGNALS) terminal.signals.on(signal, onSignal);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: terminal.stdin(), output: nowhere, terminal: true, historySize: 0 });
  // Printed only after echo is off. Otherwise a value pasted early would be visible.
  terminal.err(question);
  try {
    return await new Promise<string | undefined>((resolve) => {
      reader.once("SIGINT", () => resolve(undefined));
      reader.once("close", () => resolve(undefined));
      reader.question("").then(resolve, () => resolve(undefined));
    });
  } finally {
    for (const signal of SIGNALS) terminal.signals.off(signal, onSignal);
    reader.close();
    terminal.stdin().pause();
    terminal.err("\n");
    if (ended !== undefined) process.kill(process.pid, ended);
  }
}
