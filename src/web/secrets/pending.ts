// pending: values of secrets that came with a pasted command, until the user saves them.
//   V1. They are in this page's memory only: not in the document, its history, the storage of the browser, or a URL. Only
//       the requests of the button that saves one contain it.

import { create } from "zustand";

export const usePending = create<{ values: ReadonlyMap<string, string> }>(() => ({ values: new Map() }));

/** Keeps the values. Returns the new names of those whose name is `taken` or pending with another value. */
export function keepPending(
  pasted: ReadonlyMap<string, string>,
  taken: ReadonlySet<string> = new Set(),
): Map<string, string> {
  const values = new Map(usePending.getState().values);
  const renamed = new Map<string, string>();
  for (const [wanted, value] of pasted) {
    let name = wanted;
    const isFree = () => (values.has(name) ? values.get(name) === value : !taken.has(name));
    for (let n = 2; !isFree(); n++) name = `${wanted}_${n}`;
    if (name !== wanted) renamed.set(wanted, name);
    values.set(name, value);
  }
  usePending.setState({ values });
  return renamed;
}

export function dropPending(names: Iterable<string>): void {
  const values = new Map(usePending.getState().values);
  for (const name of names) values.delete(name);
  usePending.setState({ values });
}

/** "••••3f9": enough to recognise a long value. A short one is not shown at all. */
export function ending(value: string): string {
  return `••••${value.length < 16 ? "" : value.slice(-3)}`;
}
