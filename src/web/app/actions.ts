// actions: everything that can be done here, in one table: the palette lists it, `?` shows its keys, the keyboard starts it (spec ui 6.5).
// A place says what it can do with `useActions` while it is drawn.
//   A1. The keys of an action are its own until a person gives it others; those stand in this browser alone.
//   A2. Of two actions with the same keys, the one of the place that came last is meant.

import { useLayoutEffect, useMemo, useRef } from "react";
import { create } from "zustand";

export interface Action {
  /** Like `runs.compare`: by it a person's own keys are kept. */
  id: string;
  title: string;
  /** `Ctrl+K`, `?`, `G H`, `Shift+1`; two ways with ` or `: `Delete or Backspace`. */
  keys?: string;
  run: () => void;
  /** Goes on while its keys are held; others happen once. */
  held?: boolean;
  /** A chord with Ctrl that also works while something is typed. */
  inFields?: boolean;
  /** The browser does it by these keys and tells the page: they are left to it until a person gives the action others. */
  byBrowser?: boolean;
  /** Known by its keys alone: the palette leaves it out. */
  keysOnly?: boolean;
  /** What else somebody may look for. */
  words?: string;
  disabled?: boolean;
}

interface Table {
  places: { name: string; actions: readonly Action[] }[];
  /** A1. By the action's id; empty: none. */
  own: Readonly<Record<string, string>>;
}

const OWN = "curlew.keys";

export const useActionTable = create<Table>(() => ({ places: [], own: ownKeys() }));

/** While the caller is drawn. `place` is a heading: "Runs", "Canvas". */
export function useActions(place: string, actions: readonly Action[]): void {
  const latest = useRef(actions);
  latest.current = actions;
  // Most callers make their list anew with each drawing; what it says changes seldom.
  const shape = useMemo(() => JSON.stringify(actions.map(({ run: _, ...shown }) => shown)), [actions]);
  // Before it is seen: a key that is pressed at first sight counts.
  useLayoutEffect(() => {
    const shown = JSON.parse(shape) as Omit<Action, "run">[];
    const own = {
      name: place,
      actions: shown.map((action, at) => ({ ...action, run: () => latest.current[at]?.run() })),
    };
    useActionTable.setState(({ places }) => ({ places: [...places, own] }));
    return () => useActionTable.setState(({ places }) => ({ places: places.filter((one) => one !== own) }));
  }, [place, shape]);
}

/** As it stands now, with a person's own keys. */
export function keysOf(action: Action, own: Table["own"]): string | undefined {
  return own[action.id] ?? action.keys;
}

/** A1. The keys as they are in use now, by those that the action is made with: for the words beside what can be pressed. */
export function useKeysInUse(keys: string): string {
  return useActionTable(({ places, own }) => {
    if (Object.keys(own).length === 0) return keys;
    const actions = places.flatMap((place) => place.actions);
    const meant = actions.findLast((action) => action.keys?.split(" or ").includes(keys));
    return own[meant?.id ?? ""] ?? keys;
  });
}

export function setKeys(id: string, keys: string | undefined): void {
  const { [id]: _, ...rest } = useActionTable.getState().own;
  const own = keys === undefined ? rest : { ...rest, [id]: keys };
  useActionTable.setState({ own });
  localStorage.setItem(OWN, JSON.stringify(own));
}

function ownKeys(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(OWN) ?? "{}") as Record<string, string>;
  } catch {
    return {};
  }
}

/** Under this heading the palette shows what is typed for, not all of them. */
export const NODES = "Nodes";

export function useNodeActions(nodes: readonly { id: string; title: string }[], go: (id: string) => void): void {
  const latest = useRef(go);
  latest.current = go;
  const actions = useMemo(
    () => nodes.map(({ id, title }): Action => ({ id: `node.${id}`, title, words: id, run: () => latest.current(id) })),
    [nodes],
  );
  useActions(NODES, actions);
}
