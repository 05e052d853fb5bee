// signals: Ctrl-C and its like while a run goes on (spec 2.2): the first asks for an orderly end, the second kills.

export interface Interrupts {
  /** Ctrl-C was pressed. */
  interrupted(): boolean;
  /** Ends listening. */
  stop(): void;
}

/** After the second signal the run has this long to end before the process does. */
const KILL_PATIENCE_MS = 2_000;

export function listen(
  run: { cancel(by: string): void; kill(): void },
  say: (text: string) => void,
  leave: () => void,
): Interrupts {
  let count = 0;
  let interrupted = false;
  const on = (signal: NodeJS.Signals): void => {
    count += 1;
    if (signal === "SIGINT") interrupted = true;
    if (count === 1) {
      say(signal === "SIGINT" ? "Cancelling. Ctrl-C again kills at once." : `Cancelling (${signal}).`);
      run.cancel(signal);
      return;
    }
    run.kill();
    if (count === 2) setTimeout(leave, KILL_PATIENCE_MS).unref();
    else leave();
  };
  const signals: NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, on);
  return {
    interrupted: () => interrupted,
    stop: () => {
      for (const signal of signals) process.off(signal, on);
    },
  };
}
