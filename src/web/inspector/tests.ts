// tests: the test run of each node, kept while the page is open, so that the user can leave a tab and come back.

import { create } from "zustand";

interface Tests {
  /** The test run by workflow and node. */
  runs: Readonly<Record<string, string>>;
  /** Values that the user pasted, by parent. */
  pasted: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Workflow inputs that the user typed, by workflow. */
  inputs: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const useTests = create<Tests>(() => ({ runs: {}, pasted: {}, inputs: {} }));

const keyOf = (file: string, id: string) => `${file} ${id}`;

export function useTestOf(file: string, id: string) {
  const key = keyOf(file, id);
  const run = useTests((state) => state.runs[key]);
  const pasted = useTests((state) => state.pasted[key]) ?? NOTHING;
  const inputs = useTests((state) => state.inputs[file]) ?? NOTHING;
  return {
    run,
    pasted,
    inputs,
    give: (name: string, text: string) =>
      useTests.setState(({ inputs: all }) => ({ inputs: { ...all, [file]: { ...all[file], [name]: text } } })),
    ran: (started: string) => useTests.setState(({ runs }) => ({ runs: { ...runs, [key]: started } })),
    paste: (parent: string, text: string | undefined) =>
      useTests.setState(({ pasted: all }) => {
        const { [parent]: _gone, ...rest } = all[key] ?? {};
        return { pasted: { ...all, [key]: text === undefined ? rest : { ...rest, [parent]: text } } };
      }),
  };
}

const NOTHING: Readonly<Record<string, string>> = {};
