// pending: values of secrets that came with a pasted command, until the user saves them.
//   V1. They are in this page's memory only: not in the document, its history, the storage of the browser, or a URL. Only
//       the requests of the button that saves one contain it.

import { create } from "zustand";
import type { Made } from "../../workflow/import/document.ts";

export type Taken = () => Promise<ReadonlySet<string>>;

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

/** Keeps the values for the user to save. A secret whose name has a value gets another name in the document. */
export async function withFreeNames({ text, values }: Pick<Made, "text" | "values">, taken?: Taken): Promise<string> {
  if (values === undefined || values.size === 0) return text;
  // Without the list, the button says that it replaces the value.
  const renamed = keepPending(values, await taken?.().catch(() => undefined));
  return [...renamed].reduce((all, [from, to]) => withName(all, from, to), text);
}

/** The document of one pasted command, with another name for a secret. */
function withName(text: string, from: string, to: string): string {
  return text.replaceAll(new RegExp(`(\\$\\{|^  - )${from}(?=[}|]|$)`, "gm"), `$1${to}`);
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
