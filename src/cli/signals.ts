// signals: Ctrl-C and its like while a run is in the foreground, from before it begins until its result is written (spec 2.2).
//   S1. While a run goes on the first signal asks for an orderly end, and the second kills.
//   S2. Before it is on record, and when it is over (its result may be read slowly, or by nobody), a signal ends the program.
//   S3. At a question on the terminal Ctrl-C is a key, and the editor's own; the other signals end the program.

import { Exit } from "./exit.ts";
import { flushed } from "./terminal.ts";

interface Cancellable {
  cancel(by: string): void;
  kill(): void;
}

export interface Interrupts {
  /** Ctrl-C was pressed. */
  interrupted(): boolean;
  /** What a signal is for from now on. */
  now(what: Cancellable | "asking" | "nothing-runs"): void;
  /** Ends listening. */
  stop(): void;
}

/** After the second signal the run has this long to end before the process does. */
const KILL_PATIENCE_MS = 2_000;
/** What was said may need this long to reach whoever reads. */
const FLUSH_PATIENCE_MS = 500;

/** `leave`: called before the program ends here, to leave the screen as it was. */
export function listen(say: (text: string) => void, leave: () => void): Interrupts {
  let subject: Cancellable | "asking" | "nothing-runs" = "nothing-runs";
  let count = 0;
  let interrupted = false;
  const on = (signal: NodeJS.Signals): void => {
    if (signal === "SIGINT" && subject === "asking") return;
    if (signal === "SIGINT") interrupted = true;
    if (typeof subject === "string") {
      end();
      return;
    }
    count += 1;
    if (count === 1) {
      say(signal === "SIGINT" ? "Cancelling. Ctrl-C again kills at once." : `Cancelling (${signal}).`);
      subject.cancel(signal);
      return;
    }
    subject.kill();
    if (count === 2) setTimeout(end, KILL_PATIENCE_MS).unref();
    else end();
  };
  // Not at once: a program that is asked for a secret is ended by a listener of its own.
  const end = (): void => {
    leave();
    const late = new Promise<void>((resolve) => setTimeout(resolve, FLUSH_PATIENCE_MS));
    void Promise.race([flushed(), late]).then(() => process.exit(interrupted ? Exit.INTERRUPTED : Exit.CANCELLED));
  };
  const signals: NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, on);
  return {
    interrupted: () => interrupted,
    now: (what) => {
      subject = what;
    },
    stop: () => {
      for (const signal of signals) process.off(signal, on);
    },
  };
}
