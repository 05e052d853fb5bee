// clock: where the engine takes its time from, so that a test can hold it.

export interface Clock {
  nowMs(): number;
  /** Calls back once at or after `atMs`; returns how to call it off. */
  at(atMs: number, call: () => void): () => void;
}

/** The longest wait that a timer of Node.js can hold; longer ones are set again when they ring. */
const LONGEST_TIMER_MS = 2_147_483_647;

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  at(atMs, call) {
    let timer: NodeJS.Timeout;
    const wait = (): void => {
      const left = atMs - Date.now();
      timer = left > LONGEST_TIMER_MS ? setTimeout(wait, LONGEST_TIMER_MS) : setTimeout(call, Math.max(0, left));
    };
    wait();
    return () => clearTimeout(timer);
  },
};
