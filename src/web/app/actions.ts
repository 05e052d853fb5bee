// actions: one table of all current actions, for the palette, `?`, and the keyboard (spec ui 6.5).
//   A1. An action has default keys. The user can change them; changed keys are stored only in this browser.
//   A2. If two actions have the same keys, the one registered last wins.

import { useLayoutEffect, useMemo, useRef } from "react";
import { create } from "zustand";

export interface Action {
  /** Like `runs.compare`. The user's own keys are stored under this id. */
  id: string;
  title: string;
  /** `Ctrl+K`, `?`, `G H`, `Shift+1`. Separate alternatives with ` or `: `Delete or Backspace`. */
  keys?: string;
  run: () => void;
  /** Repeats while its keys are held. Other actions run once. */
  held?: boolean;
  /** A chord with Ctrl that also works in text fields. */
  inFields?: boolean;
  /** The browser handles these keys and notifies the page, unless the user changes them. */
  byBrowser?: boolean;
  /** Has a shortcut only and is not in the palette. */
  keysOnly?: boolean;
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

/** Registers actions while the caller is mounted. `place` is a heading: "Runs", "Canvas". */
export function useActions(place: string, actions: readonly Action[]): void {
  const latest = useRef(actions);
  latest.current = actions;
  // Most callers create a new list on each render, although its content rarely changes.
  const shape = useMemo(() => JSON.stringify(actions.map(({ run: _, ...shown }) => shown)), [actions]);
  // A layout effect, so that keys work as soon as the component is visible.
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

/** The current keys, including the user's own. */
export function keysOf(action: Action, own: Table["own"]): string | undefined {
  return own[action.id] ?? action.keys;
}

/** A1. The current keys of an action, found by its default keys. For labels beside buttons. */
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

/** The palette shows only matching actions under this heading, not all of them. */
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
