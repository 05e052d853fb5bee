// saver: keeps a session and its file in sync (spec 2.3, ui.md 5). It writes edits within a second and reads what
// others wrote.
//   V1. Only one request is active at a time. Edits made during it are part of the next request.
//   V2. A write names the version that it replaces (If-Match). A 412 response contains the other text, which is merged
//       or shown as a conflict. Nothing is overwritten.
//   V3. Without a server, edits are kept and written once it is back.

import { at } from "../../api/address.ts";
import type { DocumentConflict, WorkflowDocument } from "../../api/shapes.ts";
import type { Diagnostic } from "../../workflow/diagnostic.ts";
import { ask, Refusal } from "../client/api.ts";
import { onMessage } from "../client/stream.ts";
import { isUnsaved, type Session, type SessionState } from "./session.ts";

export interface SaveState {
  state: "saved" | "saving" | "unsaved" | "conflict";
  at?: number;
  /** Why the text is not written. Absent if it only takes more time. */
  problem?: string;
}

export interface SaverOptions {
  onState: (state: SaveState) => void;
  /** Called with the server's diagnostics for a text that was written or read. */
  onDiagnostics: (text: string, diagnostics: readonly Diagnostic[]) => void;
}

const saveAfterMs = 500;
const againAfterMs = 3_000;

export interface Saver {
  /** Resolves when everything is written, or when the status says why not. */
  flush(): Promise<void>;
  /** Stops, and writes unsaved edits at once. */
  end(): void;
}

export function keepSaved(session: Session, { onState, onDiagnostics }: SaverOptions): Saver {
  const { store } = session;
  const { path } = store.getState();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let busy = false;
  let ended = false;
  let savedAt: number | undefined;
  let stale = false;
  let under: Promise<void> | undefined;
  /** The problem of the last attempt. */
  let problem: string | undefined;

  const plan = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void save(), ms);
  };
  const tell = (): void => {
    const state = store.getState();
    const word = state.clash !== undefined ? "conflict" : busy ? "saving" : isUnsaved(state) ? "unsaved" : "saved";
    onState({
      state: word,
      at: savedAt,
      ...(problem === undefined || word === "saved" ? {} : { problem }),
    });
  };

  function save(): Promise<void> {
    const state = store.getState();
    if (busy || state.clash !== undefined || !isUnsaved(state)) return under ?? Promise.resolve();
    under = write(state).finally(() => {
      under = undefined;
    });
    return under;
  }

  async function write(state: SessionState): Promise<void> {
    busy = true;
    tell();
    const { text } = state.doc;
    const { etag } = state.base;
    try {
      const written = await ask<WorkflowDocument>(at("workflows", path), {
        method: "PUT",
        body: { text },
        headers: etag === undefined ? { "if-none-match": "*" } : { "if-match": etag },
      });
      savedAt = Date.now();
      problem = undefined;
      session.wrote({ text, etag: written.etag });
      onDiagnostics(text, written.diagnostics);
    } catch (reason) {
      problem = await refused(reason);
    }
    busy = false;
    if (stale) {
      stale = false;
      await read();
    }
    tell();
    if (!ended && isUnsaved(store.getState()) && store.getState().clash === undefined)
      plan(problem === undefined ? saveAfterMs : againAfterMs);
  }

  /** Handles a rejected write (V2). */
  async function refused(reason: unknown): Promise<string | undefined> {
    if (!(reason instanceof Refusal)) throw reason;
    const { code, status, detail, title } = reason.problem;
    if (status === 412) {
      const { current } = reason.body as DocumentConflict;
      if (current !== undefined) session.arrived({ text: current.text, etag: current.etag });
      else session.wrote({ text: store.getState().base.text });
      return undefined;
    }
    // The page itself shows that the server is gone or the user is signed out.
    return code === "no-server" || status === 401 ? undefined : (detail ?? title);
  }

  async function read(): Promise<void> {
    if (busy) {
      stale = true;
      return;
    }
    try {
      const { text, etag, diagnostics } = await ask<WorkflowDocument>(at("workflows", path));
      if (etag !== store.getState().base.etag) session.arrived({ text, etag });
      onDiagnostics(text, diagnostics);
    } catch (reason) {
      if (!(reason instanceof Refusal) || reason.problem.status !== 404) return;
      removed();
    }
    tell();
  }

  /** The text in this tab is now the only copy. */
  function removed(): void {
    const { base } = store.getState();
    if (base.etag === undefined) return;
    const note = { text: "The file was removed. Your next edit writes it again.", at: Date.now() };
    store.setState({ base: { text: base.text }, note });
  }

  const leave = onMessage((message) => {
    if (message.kind === "document" && message.path === path) {
      if (message.etag === undefined) removed();
      else if (message.etag !== store.getState().base.etag) void read();
    }
    if (message.kind === "live") void read().then(() => save());
  });
  const watch = store.subscribe((state, before) => {
    if (state.doc === before.doc && state.clash === before.clash && state.base === before.base) return;
    if (!busy) tell();
    if (state.doc !== before.doc && isUnsaved(state)) plan(saveAfterMs);
    if (before.clash !== undefined && state.clash === undefined) plan(0);
  });
  tell();
  if (isUnsaved(store.getState())) plan(0);
  return {
    flush() {
      clearTimeout(timer);
      return under === undefined ? save() : under.then(save);
    },
    end() {
      ended = true;
      clearTimeout(timer);
      watch();
      leave();
      void save();
    },
  };
}

const waitMostMs = 10_000;

/** Rejects with a message for the user. */
export function written({ store }: Session): Promise<void> {
  return new Promise((settle, fail) => {
    const end = () => {
      clearTimeout(late);
      leave();
    };
    const look = (state = store.getState()) => {
      if (isUnsaved(state) && state.clash === undefined) return;
      end();
      if (state.clash === undefined) settle();
      else fail(notSaved("Others changed the same lines. Choose what counts first."));
    };
    const late = setTimeout(() => {
      end();
      fail(notSaved("It could not be saved."));
    }, waitMostMs);
    const leave = store.subscribe(look);
    queueMicrotask(look);
  });
}

function notSaved(title: string): Refusal {
  return new Refusal({ type: "about:blank", title, status: 0, code: "not-saved" });
}
