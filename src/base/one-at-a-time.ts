// one at a time: work that waits for something, and that calls from several places would otherwise run twice at once.

/**
 * A function that runs `work`. A call during the work is made up for by running it once more afterwards, however many
 * calls there were. The promise resolves when nothing is left to do.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let isAsked = false;
  const go = async (): Promise<void> => {
    while (isAsked) {
      isAsked = false;
      await work();
    }
  };
  return () => {
    isAsked = true;
    running ??= go().finally(() => {
      running = undefined;
    });
    return running;
  };
}
