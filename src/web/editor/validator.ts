// validator: what the checks find in the text as it stands, as soon as it was changed (spec ui.md 6.2). What the server found in the
// same text counts more: it knows the environment and other files.

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
  /** The server is asked about this text: nobody else is. Undefined: it will not answer. */
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
  let number = 0;
  let asked = { number: 0, text: "", isOpen: false };
  let fromServer: { text: string; diagnostics: readonly Diagnostic[] } | undefined;
  let latest = "";
  let expected: string | undefined;

  /** One at a time: what is written meanwhile is asked about when the answer is there, and only as it stands then. */
  const ask = (text: string): void => {
    if (asked.isOpen) return;
    worker ??= startWorker(workerUrl);
    worker.onmessage = ({ data }: MessageEvent<Checked>) => {
      if (data.number !== asked.number) return;
      asked.isOpen = false;
      if (asked.text !== latest) {
        if (fromServer?.text !== latest && latest !== expected) ask(latest);
      } else if (fromServer?.text !== latest) onFound(asked.text, data.diagnostics);
    };
    number += 1;
    asked = { number, text, isOpen: true };
    worker.postMessage({ number, text, file } satisfies ToCheck);
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
    end() {
      worker?.terminate();
    },
  };
}
