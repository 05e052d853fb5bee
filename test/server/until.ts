// until: waits for something to become true, asking again and again; what never does fails with the test's own time.

export async function until(isTrue: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 20));
}
