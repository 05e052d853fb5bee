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
/** A write can be followed by a merge with a newer file, which needs another write. */
const writesPerFlush = 3;

export class Saver {
  /** While the file gets another name, its old one is neither written nor read. */
  isPaused = false;
  #session: Session;
  #options: SaverOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isBusy = false;
  #isStale = false;
  #hasEnded = false;
  #savedAt: number | undefined;
  #writing: Promise<void> | undefined;
  /** The problem of the last attempt. */
  #problem: string | undefined;
  #leave: (() => void)[];

  constructor(session: Session, options: SaverOptions) {
    this.#session = session;
    this.#options = options;
    this.#leave = [
      onMessage((message) => {
        if (this.isPaused) return;
        if (message.kind === "document" && message.path === this.#state.path) {
          if (message.etag === undefined) this.#removed();
          else if (message.etag !== this.#state.base.etag) void this.#read();
        }
        if (message.kind === "live") void this.#read().then(() => this.#save());
      }),
      session.store.subscribe((state, before) => {
        if (state.doc === before.doc && state.clash === before.clash && state.base === before.base) return;
        if (!this.#isBusy) this.#report();
        if (state.doc !== before.doc && isUnsaved(state)) this.#plan(saveAfterMs);
        if (before.clash !== undefined && state.clash === undefined) this.#plan(0);
      }),
    ];
    this.#report();
    if (isUnsaved(this.#state)) this.#plan(0);
  }

  /** Resolves when the file has the current text. Rejects with a message for the user if that is not possible. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    const needsWrite = () => isUnsaved(this.#state) && this.#state.clash === undefined;
    for (let writes = 0; writes < writesPerFlush && needsWrite(); writes++) await this.#save();
    if (this.#state.clash !== undefined)
      throw notSaved("Someone else changed the same lines. Choose which lines to keep first.");
    if (isUnsaved(this.#state)) throw notSaved(this.#problem ?? "It could not be saved.");
  }

  /** Stops, and writes unsaved edits at once. */
  end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    for (const leave of this.#leave) leave();
    void this.#save();
  }

  get #state(): SessionState {
    return this.#session.store.getState();
  }

  #plan(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#save(), ms);
  }

  #report(): void {
    const { clash } = this.#state;
    const isSaved = clash === undefined && !this.#isBusy && !isUnsaved(this.#state);
    const state = clash !== undefined ? "conflict" : this.#isBusy ? "saving" : isSaved ? "saved" : "unsaved";
    this.#options.onState({ state, at: this.#savedAt, problem: isSaved ? undefined : this.#problem });
  }

  #save(): Promise<void> {
    const state = this.#state;
    if (this.isPaused || this.#isBusy || state.clash !== undefined || !isUnsaved(state))
      return this.#writing ?? Promise.resolve();
    this.#writing = this.#write(state).finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #write({ path, doc: { text }, base: { etag } }: SessionState): Promise<void> {
    this.#isBusy = true;
    this.#report();
    try {
      const written = await ask<WorkflowDocument>(at("workflows", path), {
        method: "PUT",
        body: { text },
        headers: etag === undefined ? { "if-none-match": "*" } : { "if-match": etag },
      });
      this.#savedAt = Date.now();
      this.#problem = undefined;
      this.#session.wrote({ text, etag: written.etag });
      this.#options.onDiagnostics(text, written.diagnostics);
    } catch (reason) {
      this.#problem = this.#rejected(reason);
    }
    this.#isBusy = false;
    if (this.#isStale) {
      this.#isStale = false;
      await this.#read();
    }
    this.#report();
    if (!this.#hasEnded && isUnsaved(this.#state) && this.#state.clash === undefined)
      this.#plan(this.#problem === undefined ? saveAfterMs : againAfterMs);
  }

  /** Handles a rejected write (V2). Returns the problem to show. */
  #rejected(reason: unknown): string | undefined {
    if (!(reason instanceof Refusal)) throw reason;
    const { status, detail, title } = reason.problem;
    if (status === 412) {
      const { current } = reason.body as DocumentConflict;
      if (current !== undefined) this.#session.arrived({ text: current.text, etag: current.etag });
      else this.#session.wrote({ text: this.#state.base.text });
      return undefined;
    }
    return detail ?? title;
  }

  async #read(): Promise<void> {
    if (this.#isBusy) {
      this.#isStale = true;
      return;
    }
    try {
      const { text, etag, diagnostics } = await ask<WorkflowDocument>(at("workflows", this.#state.path));
      if (etag !== this.#state.base.etag) this.#session.arrived({ text, etag });
      this.#options.onDiagnostics(text, diagnostics);
    } catch (reason) {
      if (!(reason instanceof Refusal) || reason.problem.status !== 404) return;
      this.#removed();
    }
    this.#report();
  }

  /** The text in this tab is now the only copy. */
  #removed(): void {
    const { base } = this.#state;
    if (base.etag === undefined) return;
    const note = { text: "The file was removed. Your next edit writes it again.", at: Date.now() };
    this.#session.store.setState({ base: { text: base.text }, note });
  }
}

function notSaved(title: string): Refusal {
  return new Refusal({ type: "about:blank", title, status: 0, code: "not-saved" });
}
