// session: one open document of this tab: its text, its history, the selection, and how it is synchronised with the
// file (spec 2.3: autosave, no edit is lost).
//   E1. Every change is an edit of the text that can be undone. The user never has to save.
//   E2. `base` is the last known text of the file. Changes from elsewhere are merged by lines into the text here. If
//       both changed the same lines, saving stops until the user chooses, and both texts are kept until then.
//   E3. Unsaved edits and the history survive a reload of this tab (sessionStorage).
// Requests are in saver.ts. Nothing is drawn here.

import { createStore, type StoreApi } from "zustand/vanilla";
import {
  type Change,
  type Conflict,
  changeOf,
  type Doc,
  type Edit,
  type History,
  inverseOf,
  lineEdits,
  mergeTexts,
  noHistory,
  openDoc,
  perform,
  record,
  redo,
  type TextEdit,
  undo,
} from "../document/index.ts";

export interface Base {
  text: string;
  /** Absent: the file does not exist. */
  etag?: string;
}

export interface Clash {
  theirs: Base;
  conflicts: Conflict[];
}

export interface SessionState {
  path: string;
  doc: Doc;
  /** The last document that could be parsed. The canvas shows it while the source is half typed. */
  readable: Doc;
  base: Base;
  history: History;
  selected: ReadonlySet<string>;
  selectedEdges: ReadonlySet<string>;
  clash?: Clash;
  /** A message about the last change from elsewhere. Shown once. */
  note?: { text: string; at: number };
}

export interface Session {
  store: StoreApi<SessionState>;
  /** Returns why the edit could not be made, or `undefined`. */
  edit(edit: Edit): string | undefined;
  /** Applies what the user typed in the source. */
  type(edits: readonly TextEdit[]): void;
  undo(): string | undefined;
  redo(): string | undefined;
  select(ids: Iterable<string>, edges?: Iterable<string>): void;
  /** Called when the file has this text now. */
  arrived(theirs: Base): void;
  /** Called after this text was written to the file. */
  wrote(base: Base): void;
  /** Ends a clash with this text. */
  settle(text: string): void;
}

const ELSEWHERE = "Change from elsewhere";
const NO_NODES: ReadonlySet<string> = new Set();

export function openSession(path: string, base: Base, now: () => number): Session {
  const kept = recall(path);
  const text = kept === undefined ? base.text : kept.text;
  const doc = openDoc(text, path);
  const store = createStore<SessionState>(() => ({
    path,
    doc,
    readable: doc.plain === undefined ? openDoc("curlew: 1\nnodes: []\n", path) : doc,
    base: kept?.base ?? base,
    history: kept?.history ?? noHistory,
    selected: NO_NODES,
    selectedEdges: NO_NODES,
  }));
  const get = store.getState;

  const show = (next: Doc, history: History, more: Partial<SessionState> = {}): void => {
    store.setState({
      doc: next,
      ...(next.plain === undefined ? {} : { readable: next }),
      history,
      ...more,
    });
    remember(get());
  };
  const take = ({ doc: next, label, key, edits, inverse, select }: Change): void => {
    if (edits.length === 0 && select === undefined) return;
    const history =
      edits.length === 0 ? get().history : record(get().history, { label, edits, inverse, at: now(), key });
    show(next, history, select === undefined ? {} : { selected: new Set(select), selectedEdges: NO_NODES });
  };
  const step = (way: typeof undo): string | undefined => {
    const { doc: current, history } = get();
    const done = way(current.text, history);
    if (done === undefined) return undefined;
    if ("conflict" in done)
      return `"${done.conflict}" cannot be taken back: the same lines were changed elsewhere since.`;
    show(openDoc(done.text, path, get().doc), done.history);
    return undefined;
  };

  const session: Session = {
    store,
    edit(edit) {
      const { doc: current, readable } = get();
      if (current.plain === undefined && readable !== current)
        return "The source cannot be read at the moment. Mend it there first.";
      const change = perform(current, edit);
      if (!change.ok) return change.error;
      take(change.value);
      return undefined;
    },
    type(edits) {
      if (edits.length > 0) take(changeOf(get().doc, "Typing", [...edits], "source"));
    },
    undo: () => step(undo),
    redo: () => step(redo),
    select(ids, edges = NO_NODES) {
      store.setState({ selected: new Set(ids), selectedEdges: new Set(edges) });
    },
    arrived(theirs) {
      const { doc: current, base: known, history } = get();
      if (theirs.text === known.text || theirs.text === current.text) {
        store.setState({ base: theirs });
        if (theirs.text === current.text) clear(store);
        remember(get());
        return;
      }
      const merged = mergeTexts(known.text, current.text, theirs.text);
      if (merged.conflicts.length > 0) {
        store.setState({ clash: { theirs, conflicts: merged.conflicts } });
        return;
      }
      const mine = current.text !== known.text;
      merge(merged.text, theirs, mine ? "Changed elsewhere; your edits were kept" : "Changed elsewhere", history);
    },
    wrote(next) {
      store.setState({ base: next });
      remember(get());
    },
    settle(chosen) {
      const { clash, doc: current, history } = get();
      if (clash === undefined) return;
      // Their changes to other lines are recorded as theirs, so that undoing the choice keeps them.
      const merged = mergeTexts(get().base.text, current.text, clash.theirs.text).text;
      const next = stepTo(
        merged,
        chosen,
        "Choose between changes",
        stepTo(current.text, merged, ELSEWHERE, history, true),
      );
      show(chosen === current.text ? current : openDoc(chosen, path, current), next, { base: clash.theirs });
      clear(store);
      remember(get());
    },
  };
  return session;

  /** The history plus a step from one text to another. Unchanged if the texts are equal. */
  function stepTo(from: string, to: string, label: string, history: History, theirs?: true): History {
    const edits = lineEdits(from, to);
    if (edits.length === 0) return history;
    const step = { label, edits, inverse: inverseOf(from, edits), at: now() };
    return record(history, theirs ? { ...step, theirs } : step);
  }

  function merge(merged: string, theirs: Base, note: string, history: History): void {
    const { doc: current } = get();
    const next = stepTo(current.text, merged, ELSEWHERE, history, true);
    clear(store);
    show(openDoc(merged, path, current), next, { base: theirs, note: { text: note, at: now() } });
  }
}

function clear(store: StoreApi<SessionState>): void {
  const { clash: _, ...rest } = store.getState();
  store.setState(rest, true);
}

export type Side = "ours" | "theirs";

/** The merged text, with the chosen side of each conflict. */
export function settled(base: string, mine: string, { theirs, conflicts }: Clash, sides: readonly Side[]): string {
  const lines = linesOf(mergeTexts(base, mine, theirs.text).text);
  for (const [at, conflict] of [...conflicts.entries()].reverse())
    if (sides[at] === "theirs") lines.splice(conflict.line, linesOf(conflict.ours).length, conflict.theirs);
  return lines.join("");
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Whether the file does not yet have the current text. */
export function isUnsaved({ doc, base }: SessionState): boolean {
  return doc.text !== base.text || base.etag === undefined;
}

const KEY = "curlew.document ";

interface Kept {
  text: string;
  base: Base;
  history: History;
}

/** Writing a large document takes a while. So it is written after a short pause, or when the page is closed (E3). */
function remember(state: SessionState): void {
  if (typeof sessionStorage === "undefined") return;
  if (due.size === 0) addEventListener("pagehide", keepAll);
  due.set(state.path, state);
  clearTimeout(timer);
  timer = setTimeout(keepAll, KEEP_AFTER_MS);
}

const KEEP_AFTER_MS = 300;
const due = new Map<string, SessionState>();
let timer: ReturnType<typeof setTimeout> | undefined;

function keepAll(): void {
  clearTimeout(timer);
  removeEventListener("pagehide", keepAll);
  for (const state of due.values()) keep(state);
  due.clear();
}

/** If the storage is too small, the history is left out, but never the text. */
function keep(state: SessionState): void {
  const kept: Kept = { text: state.doc.text, base: state.base, history: state.history };
  for (const one of [kept, { ...kept, history: noHistory }])
    try {
      sessionStorage.setItem(KEY + state.path, JSON.stringify(one));
      return;
    } catch {
      sessionStorage.removeItem(KEY + state.path);
    }
}

function recall(path: string): Kept | undefined {
  if (typeof sessionStorage === "undefined") return undefined;
  keepAll();
  try {
    return JSON.parse(sessionStorage.getItem(KEY + path) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}
