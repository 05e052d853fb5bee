// validator: what the checks find in the text as it stands, as soon as it was changed (spec ui.md 6.2). What the server found in the
// same text counts more: it knows the environment and other files.

import type { Diagnostic } from "../../workflow/diagnostic.ts";
import { startWorker } from "../app/worker.ts";
import type { Typed } from "../inspector/context.ts";
import type { Foreseen } from "./ahead.ts";
import workerUrl from "./validate.worker.ts?worker&url";

export interface ToCheck {
  number: number;
  text: string;
  file: string;
  /** A field of it is about to hold this. */
  typed?: Typed;
}

export interface Checked {
  number: number;
  diagnostics?: Diagnostic[];
  foreseen?: Foreseen | undefined;
}

export interface Validator {
  check(text: string): void;
  /** The server is asked about this text: nobody else is. Undefined: it will not answer. */
  expect(text: string | undefined): void;
  /** From the server, of this text. */
  told(text: string, diagnostics: readonly Diagnostic[]): void;
  /** What is found while a field is being typed in (ahead.ts). Undefined: not known, or asked anew meanwhile. */
  ahead(text: string, typed: Typed): Promise<Foreseen | undefined>;
  end(): void;
}

export function startValidator(
  file: string,
  onFound: (text: string, diagnostics: readonly Diagnostic[]) => void,
): Validator {
  let worker: Worker | undefined;
  let number = 0;
  let asked = { number: 0, text: "", isOpen: false };
  let fromServer: { text: string; diagnostics: readonly Diagnostic[] } | undefined;
  let latest = "";
  let expected: string | undefined;
  let sent: Ahead | undefined;
  let waiting: Ahead | undefined;

  const post = (toCheck: Omit<ToCheck, "number" | "file">): number => {
    if (worker === undefined) {
      worker = startWorker(workerUrl);
      worker.onmessage = ({ data }: MessageEvent<Checked>) => {
        if (data.number === sent?.number) answeredAhead(data.foreseen);
        else if (data.number === asked.number) answered(data.diagnostics ?? []);
      };
    }
    number += 1;
    worker.postMessage({ number, file, ...toCheck } satisfies ToCheck);
    return number;
  };
  /** One at a time: what is written meanwhile is asked about when the answer is there, and only as it stands then. */
  const ask = (text: string): void => {
    if (!asked.isOpen) asked = { number: post({ text }), text, isOpen: true };
  };
  const answered = (diagnostics: readonly Diagnostic[]): void => {
    asked.isOpen = false;
    if (asked.text !== latest) {
      if (fromServer?.text !== latest && latest !== expected) ask(latest);
    } else if (fromServer?.text !== latest) onFound(asked.text, diagnostics);
  };
  const askAhead = (next: Ahead): void => {
    sent = { ...next, number: post({ text: next.text, typed: next.typed }) };
  };
  const answeredAhead = (foreseen: Foreseen | undefined): void => {
    sent?.done(waiting === undefined ? foreseen : undefined);
    const next = waiting;
    sent = waiting = undefined;
    if (next !== undefined) askAhead(next);
  };
  return {
    check(text) {
      latest = text;
      if (fromServer?.text === text) onFound(text, fromServer.diagnostics);
      else if (text !== expected) ask(text);
    },
    expect(text) {
      expected = text;
      if (text === undefined) this.check(latest);
    },
    told(text, diagnostics) {
      // It was changed on the disk between the two questions.
      if (expected !== undefined && expected !== text) this.expect(undefined);
      expected = undefined;
      fromServer = { text, diagnostics };
      if (text === latest) onFound(text, diagnostics);
    },
    ahead: (text, typed) =>
      new Promise((done) => {
        waiting?.done(undefined);
        const next = { number: 0, text, typed, done };
        if (sent === undefined) askAhead(next);
        else waiting = next;
      }),
    end() {
      worker?.terminate();
    },
  };
}

interface Ahead {
  number: number;
  text: string;
  typed: Typed;
  done(foreseen: Foreseen | undefined): void;
}
