// signals: Ctrl-C and similar signals during a foreground run, from before it starts until its result is written (spec
// 2.2).
//   S1. During a run, the first signal cancels it in an orderly way and the second kills it.
//   S2. Before the run is recorded, and after it is over, a signal ends the program. The reader of the result may be
//       slow or absent.
//   S3. At a question on the terminal, the question or the editor handles Ctrl-C. Other signals end the program.

import { Exit } from "./exit.ts";
import { flushed, type Terminal } from "./terminal.ts";

interface Cancellable {
  cancel(by: string): void;
  kill(): void;
}

export interface Interrupts {
  /** True after Ctrl-C. */
  interrupted(): boolean;
  /** Sets what signals act on from now on. */
  now(what: Cancellable | "asking" | "nothing-runs"): void;
  /** Stops listening. */
  stop(): void;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Time for the run to end after the second signal, before the process exits. */
const KILL_PATIENCE_MS = 2_000;
/** Time for pending output to reach its reader. */
const FLUSH_PATIENCE_MS = 500;

/**
 * Resolves on the first signal to a command that works until it is stopped. The second signal ends the program at once.
 */
export function listenForEnd(terminal: Terminal, onFirst: () => void = () => {}): Promise<"asked"> {
  return new Promise((settle) => {
    let count = 0;
    for (const signal of SIGNALS)
      terminal.signals.on(signal, () => {
        count += 1;
        if (count > 1) terminal.exit(signal === "SIGINT" ? Exit.INTERRUPTED : Exit.CANCELLED);
        onFirst();
        settle("asked");
      });
  });
}

/** `leave` restores the screen before the program ends here. */
export function listen(terminal: Terminal, say: (text: string) => void, leave: () => void): Interrupts {
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
  // Not immediately: a prompt for a secret has its own listener, which restores the terminal first.
  const end = (): void => {
    leave();
    const late = new Promise<void>((resolve) => setTimeout(resolve, FLUSH_PATIENCE_MS));
    const code = interrupted ? Exit.INTERRUPTED : Exit.CANCELLED;
    void Promise.race([flushed(terminal), late]).then(() => terminal.exit(code));
  };
  for (const signal of SIGNALS) terminal.signals.on(signal, on);
  return {
    interrupted: () => interrupted,
    now: (what) => {
      subject = what;
    },
    stop: () => {
      for (const signal of SIGNALS) terminal.signals.off(signal, on);
    },
  };
}
