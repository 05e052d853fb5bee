// tests: the values for tests that the user typed, kept while the page is open.

import { create } from "zustand";

interface Tests {
  /** Values that the user pasted, by workflow and node, then by parent. */
  pasted: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Workflow inputs that the user typed, by workflow. */
  inputs: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const useTests = create<Tests>(() => ({ pasted: {}, inputs: {} }));

const keyOf = (file: string, id: string) => `${file} ${id}`;

export function useTestOf(file: string, id: string) {
  const key = keyOf(file, id);
  const pasted = useTests((state) => state.pasted[key]) ?? NO_VALUES;
  const inputs = useTests((state) => state.inputs[file]) ?? NO_VALUES;
  return {
    pasted,
    inputs,
    give: (name: string, text: string) =>
      useTests.setState(({ inputs: all }) => ({ inputs: { ...all, [file]: { ...all[file], [name]: text } } })),
    paste: (parent: string, text: string | undefined) =>
      useTests.setState(({ pasted: all }) => {
        const { [parent]: _gone, ...rest } = all[key] ?? {};
        return { pasted: { ...all, [key]: text === undefined ? rest : { ...rest, [parent]: text } } };
      }),
  };
}

const NO_VALUES: Readonly<Record<string, string>> = {};
