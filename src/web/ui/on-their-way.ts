// on-their-way: edits that a field has made and the document does not have yet. A save waits for them.

const edits = new Set<Promise<unknown>>();

export function onItsWay(edit: Promise<unknown>): void {
  edits.add(edit);
  const left = () => void edits.delete(edit);
  edit.then(left, left);
}

/** Resolves when the document has everything that the user typed before. */
export async function arrived(): Promise<void> {
  // A field that has just lost the focus, or is being removed, reports its text first.
  await new Promise((resolve) => setTimeout(resolve));
  while (edits.size > 0) await Promise.allSettled(edits);
}
