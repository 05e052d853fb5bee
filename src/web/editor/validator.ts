// validator: finds problems in the text of the editor, in a worker, one text at a time. What the server found in the same text counts more: it knows
// the environment and other files.

import type { Diagnostic } from "../../workflow/diagnostic.ts";
import { startWorker } from "../app/worker.ts";
import workerUrl from "./validate.worker.ts?worker&url";

export interface ToCheck {
  number: number;
  text: string;
  file: string;
}

export interface Checked {
  number: number;
  diagnostics: Diagnostic[];
}

export interface Validator {
  check(text: string): void;
  /** The server checks this text: the worker need not. Undefined: the server will not answer. */
  expect(text: string | undefined): void;
  /** From the server, of this text. */
  told(text: string, diagnostics: readonly Diagnostic[]): void;
  end(): void;
}

export function startValidator(
  file: string,
  onFound: (text: string, diagnostics: readonly Diagnostic[]) => void,
): Validator {
  let worker: Worker | undefined;
  let asked = { number: 0, text: "", isOpen: false };
  let fromServer: { text: string; diagnostics: readonly Diagnostic[] } | undefined;
  let latest = "";
  let expected: string | undefined;

  /** While the worker is busy nothing is posted: its answer asks for the latest text. */
  const ask = (text: string): void => {
    if (asked.isOpen) return;
    if (worker === undefined) {
      worker = startWorker(workerUrl);
      worker.onmessage = ({ data }: MessageEvent<Checked>) => {
        if (data.number === asked.number) answered(data.diagnostics);
      };
    }
    asked = { number: asked.number + 1, text, isOpen: true };
    worker.postMessage({ number: asked.number, file, text } satisfies ToCheck);
  };
  const answered = (diagnostics: readonly Diagnostic[]): void => {
    asked.isOpen = false;
    if (asked.text !== latest) {
      if (fromServer?.text !== latest && latest !== expected) ask(latest);
    } else if (fromServer?.text !== latest) onFound(asked.text, diagnostics);
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
      // The file changed on disk between the two requests.
      if (expected !== undefined && expected !== text) this.expect(undefined);
      expected = undefined;
      fromServer = { text, diagnostics };
      if (text === latest) onFound(text, diagnostics);
    },
    end() {
      worker?.terminate();
    },
  };
}
