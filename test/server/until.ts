// until: waits for something to become true by polling. If it never does, the test's own time limit ends it.

export async function until(isTrue: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 20));
}
