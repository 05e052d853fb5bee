// session: one open document of this tab: its text, its history, the selection, and how it is synchronised with the
// file (spec 2.3: autosave, no edit is lost).
//   E1. Every change is an edit of the text that can be undone. The user never has to save.
//   E2. `base` is the last known text of the file. Changes from elsewhere are merged by lines into the text here. If
//       both changed the same lines, saving stops until the user chooses, and both texts are kept until then.
//   E3. Unsaved edits and the history survive a reload of this tab (sessionStorage). An edit that hides a secret clears
//       the history.
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
  linesOf,
  mergeTexts,
  nodesOf,
  noHistory,
  openDoc,
  perform,
  record,
  redo,
  renamedId,
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

const ELSEWHERE = "Change from elsewhere";
const NO_NODES: ReadonlySet<string> = new Set();

export class Session {
  readonly store: StoreApi<SessionState>;
  readonly #path: string;
  readonly #now: () => number;

  constructor(path: string, base: Base, now: () => number) {
    this.#path = path;
    this.#now = now;
    const kept = recall(path);
    const doc = openDoc(kept?.text ?? base.text, path);
    this.store = createStore<SessionState>(() => ({
      path,
      doc,
      readable: doc.plain === undefined ? openDoc("curlew: 1\nnodes: []\n", path) : doc,
      base: kept?.base ?? base,
      history: kept?.history ?? noHistory,
      selected: NO_NODES,
      selectedEdges: NO_NODES,
    }));
  }

  /** Returns why the edit could not be made, or `undefined`. */
  edit = (edit: Edit): string | undefined => {
    const { doc, readable } = this.#state;
    if (doc.plain === undefined && readable !== doc)
      return "The source cannot be read at the moment. Fix it there first.";
    const change = perform(doc, edit);
    if (!change.ok) return change.error;
    this.#take(change.value);
    if (edit.hides) this.store.setState({ history: noHistory });
    if (edit.hides) remember(this.#state);
    return undefined;
  };

  /** Applies what the user typed in the source. */
  type = (edits: readonly TextEdit[], label = "Typing"): void => {
    if (edits.length > 0) this.#take(changeOf(this.#state.doc, label, [...edits], "source"));
  };

  undo(): string | undefined {
    return this.#step(undo);
  }

  redo(): string | undefined {
    return this.#step(redo);
  }

  select = (ids: Iterable<string>, edges: Iterable<string> = NO_NODES): void => {
    this.store.setState({ selected: new Set(ids), selectedEdges: new Set(edges) });
  };

  /** Called when the file has this text now. */
  arrived(theirs: Base): void {
    const { doc, base, history } = this.#state;
    if (theirs.text === base.text || theirs.text === doc.text) {
      const isSettled = theirs.text === doc.text;
      this.store.setState(isSettled ? { base: theirs, clash: undefined } : { base: theirs });
      remember(this.#state);
      return;
    }
    const merged = mergeTexts(base.text, doc.text, theirs.text);
    if (merged.conflicts.length > 0) {
      this.store.setState({ clash: { theirs, conflicts: merged.conflicts } });
      return;
    }
    const text = doc.text === base.text ? "Changed elsewhere" : "Changed elsewhere; your edits were kept";
    this.#show(openDoc(merged.text, this.#path, doc), {
      history: this.#stepTo(doc.text, merged.text, ELSEWHERE, history, true),
      base: theirs,
      note: { text, at: this.#now() },
      clash: undefined,
    });
  }

  /** Called after this text was written to the file. */
  wrote(base: Base): void {
    this.store.setState({ base });
    remember(this.#state);
  }

  /** Keeps the text and its history for the session that opens the file under its new name. */
  moveTo(path: string, base: Base): void {
    keep({ ...this.#state, path, base });
    due.delete(this.#path);
    sessionStorage.removeItem(KEY + this.#path);
  }

  /** Ends a clash with this text. */
  settle(chosen: string): void {
    const { clash, doc, base, history } = this.#state;
    if (clash === undefined) return;
    // Their changes to other lines are recorded as theirs, so that undoing the choice keeps them.
    const merged = mergeTexts(base.text, doc.text, clash.theirs.text).text;
    const withTheirs = this.#stepTo(doc.text, merged, ELSEWHERE, history, true);
    this.#show(chosen === doc.text ? doc : openDoc(chosen, this.#path, doc), {
      history: this.#stepTo(merged, chosen, "Choose between changes", withTheirs),
      base: clash.theirs,
      clash: undefined,
    });
  }

  get #state(): SessionState {
    return this.store.getState();
  }

  #show(doc: Doc, more: Partial<SessionState>): void {
    const readable = doc.plain === undefined ? this.#state.readable : doc;
    this.store.setState({ doc, readable, ...more });
    remember(this.#state);
  }

  #take({ doc, label, key, edits, inverse, select }: Change): void {
    if (edits.length === 0 && select === undefined) return;
    const { doc: before, history, selected, selectedEdges } = this.#state;
    const step = { label, edits, inverse, at: this.#now(), key };
    this.#show(doc, {
      history: edits.length === 0 ? history : record(history, step, before.text),
      selected: select === undefined ? selected : new Set(select),
      selectedEdges: select === undefined ? selectedEdges : NO_NODES,
    });
  }

  #step(way: typeof undo): string | undefined {
    const { doc, history } = this.#state;
    const done = way(doc.text, history);
    if (done === undefined) return undefined;
    if ("conflict" in done)
      return `"${done.conflict}" cannot be undone, because the same lines were changed elsewhere.`;
    const next = openDoc(done.text, this.#path, doc);
    this.#show(next, { history: done.history, selected: this.#following(doc, next) });
    return undefined;
  }

  /** The selection, with the other id of a node whose title or id changed. */
  #following(before: Doc, after: Doc): ReadonlySet<string> {
    const { selected } = this.#state;
    const [was, is] = [before, after].map(({ plain = {} }) => nodesOf(plain).map(({ id }) => id));
    const renamed = renamedId(was!, is!);
    return renamed === undefined
      ? selected
      : new Set([...selected].map((id) => (id === renamed.from ? renamed.to : id)));
  }

  /** The history plus a step from one text to another. Unchanged if the texts are equal. */
  #stepTo(from: string, to: string, label: string, history: History, theirs?: true): History {
    const edits = lineEdits(from, to);
    if (edits.length === 0) return history;
    return record(history, { label, edits, inverse: inverseOf(from, edits), at: this.#now(), theirs }, from);
  }
}

/** The text of the file in this tab, with the edits that the file does not have yet. */
export function textInTab(path: string, file: string): string {
  const kept = recall(path);
  if (kept === undefined) return file;
  const { text, conflicts } = mergeTexts(kept.base.text, kept.text, file);
  return conflicts.length > 0 ? kept.text : text;
}

export type Side = "ours" | "theirs";

/** The merged text, with the chosen side of each conflict. */
export function mergedText(base: string, mine: string, { theirs, conflicts }: Clash, sides: readonly Side[]): string {
  const lines = linesOf(mergeTexts(base, mine, theirs.text).text);
  for (const [at, conflict] of [...conflicts.entries()].reverse())
    if (sides[at] === "theirs") lines.splice(conflict.line, linesOf(conflict.ours).length, conflict.theirs);
  return lines.join("");
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
